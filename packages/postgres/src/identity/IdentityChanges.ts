import { randomUUID } from "node:crypto"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Deferred, Effect, Option, PubSub, Stream } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Database } from "../Database.ts"
import type { Notice } from "../Notifications.ts"
import { Notifications } from "../Notifications.ts"

/** Says, in the transaction that is under way, whose callers must be forgotten once it has committed. */
export type Say = (...ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>

/** How long a change waits for its own announcement to come back before this process takes it as heard. */
const patience = "2 seconds"

export interface IdentityChanges {
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /**
   * Runs a transaction that may say something. Answers when the announcement has come back to this process: PostgreSQL has
   * then handed it to every process that listens.
   */
  readonly announcing: <A, R>(
    transaction: (say: Say) => Effect.Effect<A, StoreUnavailable, R>
  ) => Effect.Effect<A, StoreUnavailable, R>
}

interface Announcement {
  readonly heard: Deferred.Deferred<void>
  /** From here on everything is forgotten with it where announcements are missed. */
  committed: boolean
}

/** What the processes tell each other about accounts and keys. An announcement is a token of its own, then ids. */
export const makeIdentityChanges: Effect.Effect<IdentityChanges, never, Database | Notifications | Scope.Scope> =
  Effect.gen(function* () {
    const { sql } = yield* Database
    const notifications = yield* Notifications
    const heard = yield* PubSub.unbounded<string>()
    const waiting = new Map<string, Announcement>()
    const process = randomUUID()
    let announcements = 0

    const hear = (notice: Notice) => {
      if (notice._tag === "Missed") {
        PubSub.publishUnsafe(heard, "*")
        for (const { committed, heard } of waiting.values()) if (committed) Deferred.doneUnsafe(heard, Effect.void)
        return
      }
      const [token = "", ...ids] = notice.payload.split(" ")
      for (const id of ids) PubSub.publishUnsafe(heard, id)
      const own = waiting.get(token)
      if (own !== undefined) Deferred.doneUnsafe(own.heard, Effect.void)
    }
    yield* Effect.forkScoped(
      Stream.runForEach(notifications.stream("identity"), (notice) => Effect.sync(() => hear(notice))),
      { startImmediately: true }
    )

    const untilHeard = Effect.fnUntraced(function* (own: Announcement, ids: ReadonlyArray<string>) {
      if (ids.length === 0) return
      own.committed = true
      const came = (yield* notifications.live)
        ? yield* Effect.timeoutOption(Deferred.await(own.heard), patience)
        : Option.none()
      if (Option.isNone(came)) for (const id of ids) PubSub.publishUnsafe(heard, id)
    })

    return {
      changes: Stream.fromPubSub(heard),
      live: notifications.live,
      announcing: (transaction) =>
        Effect.suspend(() => {
          const token = `${process}.${announcements++}`
          const own: Announcement = { heard: Deferred.makeUnsafe<void>(), committed: false }
          let said: ReadonlyArray<string> = []
          waiting.set(token, own)
          const say: Say = (...ids) =>
            Effect.suspend(() => {
              said = ids
              return Effect.asVoid(
                sql.unsafe("SELECT pg_notify('identity', $1)::text AS said", [[token, ...ids].join(" ")])
              )
            })
          return transaction(say).pipe(
            Effect.tap(() => untilHeard(own, said)),
            Effect.ensuring(Effect.sync(() => waiting.delete(token)))
          )
        })
    }
  })
