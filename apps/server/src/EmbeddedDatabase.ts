import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { Context, Data, Effect, Layer, Redacted } from "effect"

/** The embedded PostgreSQL could not be started; the message has the reason and what to do. */
export class EmbeddedDatabaseError extends Data.TaggedError("EmbeddedDatabaseError")<{ readonly message: string }> {}

/**
 * A PostgreSQL of this server, with its data in `DATA_DIR/postgres`, used if no `DATABASE_URL` is set (CONFIG-3). It listens on
 * loopback with a random password, and keeps PostgreSQL's default durability. A copy of the folder of a stopped server is a backup (SYSTEM-7).
 *
 * It keeps running if its process is killed: the next start uses it as it is. Several processes may use one folder; the last
 * one that closes its scope stops it. If PostgreSQL ends while it is in use, it is started again (CONFIG-21).
 */
export class EmbeddedDatabase extends Context.Service<
  EmbeddedDatabase,
  {
    /** The connection to the database `market`. */
    readonly url: Redacted.Redacted
  }
>()("@agent-marketplace/server/EmbeddedDatabase") {
  static readonly make = Effect.fn("EmbeddedDatabase.make")(function* (dataDir: string) {
    const log = Effect.runForkWith(yield* Effect.context<never>())
    const cluster = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => openSharedCluster(dataDir, (sentence) => log(Effect.logWarning(sentence))),
        catch: (cause) => new EmbeddedDatabaseError({ message: cause instanceof Error ? cause.message : String(cause) })
      }),
      ({ release }) => Effect.promise(release)
    )
    return EmbeddedDatabase.of({ url: Redacted.make(cluster.url, { label: "DATABASE_URL" }) })
  })

  static readonly layer = (dataDir: string) => Layer.effect(EmbeddedDatabase, EmbeddedDatabase.make(dataDir))
}
