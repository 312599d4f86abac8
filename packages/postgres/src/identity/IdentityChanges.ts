import { Context, Effect, Layer, PubSub, Stream } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { makeAcknowledgements } from "../Acknowledgements.ts"
import { Database } from "../Database.ts"
import type { Notice } from "../Notifications.ts"
import { Notifications } from "../Notifications.ts"

/** Marks, in the current transaction, whose cached callers must be dropped once it has committed. */
export type Say = (...ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>

export interface IdentityChanges {
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /** Runs a transaction that may announce ids. Returns once every listening process has dropped the cached callers with those ids. */
  readonly announcing: <A, E, R>(transaction: (say: Say) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const makeIdentityChanges: Effect.Effect<IdentityChanges, never, Database | Notifications | Scope.Scope> = Effect.gen(
  function* () {
    const { sql } = yield* Database
    const notifications = yield* Notifications
    const acknowledgements = yield* makeAcknowledgements
    const dropped = yield* PubSub.unbounded<string>()

    const drop = (ids: ReadonlyArray<string>) => {
      for (const id of ids) PubSub.publishUnsafe(dropped, id)
    }
    const receive = (notice: Notice) => {
      if (notice._tag === "Missed") return drop(["*"])
      const [token = "", ...ids] = notice.payload.split(" ")
      drop(ids)
      acknowledgements.acknowledge(token)
    }
    yield* Effect.forkScoped(
      Stream.runForEach(notifications.stream("identity"), (notice) => Effect.sync(() => receive(notice))),
      { startImmediately: true }
    )

    return {
      changes: Stream.fromPubSub(dropped),
      live: notifications.live,
      announcing: (transaction) =>
        acknowledgements.announcing(({ acknowledgedByAll, token }) => {
          let announced: ReadonlyArray<string> = []
          const say: Say = (...ids) =>
            Effect.suspend(() => {
              announced = ids
              return Effect.asVoid(
                sql.unsafe("SELECT pg_notify('identity', $1)::text AS announced", [[token, ...ids].join(" ")])
              )
            })
          return Effect.tap(transaction(say), () => {
            drop(announced)
            return announced.length === 0 ? Effect.void : acknowledgedByAll
          })
        })
    }
  }
)

/** Announcements between processes about accounts, keys and sessions. The payload is a unique token, then ids. */
export class IdentityAnnouncements extends Context.Service<IdentityAnnouncements, IdentityChanges>()(
  "@agent-marketplace/postgres/identity/IdentityChanges/IdentityAnnouncements"
) {
  static readonly layer = Layer.effect(IdentityAnnouncements, makeIdentityChanges)
}
