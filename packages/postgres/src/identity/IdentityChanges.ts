import { Effect, PubSub, Stream } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { makeAcknowledgements } from "../Acknowledgements.ts"
import { Database } from "../Database.ts"
import type { Notice } from "../Notifications.ts"
import { Notifications } from "../Notifications.ts"

/** Says, in the transaction that is under way, whose callers must be forgotten once it has committed. */
export type Say = (...ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>

export interface IdentityChanges {
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /** Runs a transaction that may announce ids. Returns once every listening process has dropped the callers with those ids. */
  readonly announcing: <A, E, R>(transaction: (say: Say) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** What the processes tell each other about accounts and keys. An announcement is a token of its own, then ids. */
export const makeIdentityChanges: Effect.Effect<IdentityChanges, never, Database | Notifications | Scope.Scope> =
  Effect.gen(function* () {
    const { sql } = yield* Database
    const notifications = yield* Notifications
    const acknowledgements = yield* makeAcknowledgements
    const heard = yield* PubSub.unbounded<string>()

    const forget = (ids: ReadonlyArray<string>) => {
      for (const id of ids) PubSub.publishUnsafe(heard, id)
    }
    const hear = (notice: Notice) => {
      if (notice._tag === "Missed") return forget(["*"])
      const [token = "", ...ids] = notice.payload.split(" ")
      forget(ids)
      acknowledgements.acknowledge(token)
    }
    yield* Effect.forkScoped(
      Stream.runForEach(notifications.stream("identity"), (notice) => Effect.sync(() => hear(notice))),
      { startImmediately: true }
    )

    return {
      changes: Stream.fromPubSub(heard),
      live: notifications.live,
      announcing: (transaction) =>
        acknowledgements.announcing(({ heardByAll, token }) => {
          let said: ReadonlyArray<string> = []
          const say: Say = (...ids) =>
            Effect.suspend(() => {
              said = ids
              return Effect.asVoid(
                sql.unsafe("SELECT pg_notify('identity', $1)::text AS said", [[token, ...ids].join(" ")])
              )
            })
          return Effect.tap(transaction(say), () => {
            forget(said)
            return said.length === 0 ? Effect.void : heardByAll
          })
        })
    }
  })
