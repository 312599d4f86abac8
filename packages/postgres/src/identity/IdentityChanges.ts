import { randomUUID } from "node:crypto"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Deferred, Effect, PubSub, Queue, Stream } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Database } from "../Database.ts"
import type { Notice } from "../Notifications.ts"
import { countListeners, Notifications } from "../Notifications.ts"

/** Says, in the transaction that is under way, whose callers must be forgotten once it has committed. */
export type Say = (...ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>

/** How long a change waits for the processes that have not said that they heard of it. */
const patience = "2 seconds"

export interface IdentityChanges {
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /**
   * Runs a transaction that may say something. Answers when every process that listens has forgotten whom it concerns: PostgreSQL
   * hands an announcement to each in its own time.
   */
  readonly announcing: <A, R>(
    transaction: (say: Say) => Effect.Effect<A, StoreUnavailable, R>
  ) => Effect.Effect<A, StoreUnavailable, R>
}

interface Announcement {
  readonly heardByAll: Deferred.Deferred<void>
  readonly heardBy: Set<string>
  /** Not known before the transaction has committed. */
  listeners: number
}

const isHeard = ({ heardBy, heardByAll, listeners }: Announcement): void => {
  if (heardBy.size >= listeners) Deferred.doneUnsafe(heardByAll, Effect.void)
}

/** What the processes tell each other about accounts and keys. An announcement is a token of its own, then ids. */
export const makeIdentityChanges: Effect.Effect<IdentityChanges, never, Database | Notifications | Scope.Scope> =
  Effect.gen(function* () {
    const { read, sql } = yield* Database
    const notifications = yield* Notifications
    const heard = yield* PubSub.unbounded<string>()
    const acknowledgements = yield* Queue.unbounded<string>()
    const waiting = new Map<string, Announcement>()
    const process = randomUUID()
    let announcements = 0

    const forget = (ids: ReadonlyArray<string>) => {
      for (const id of ids) PubSub.publishUnsafe(heard, id)
    }

    const hear = (notice: Notice) => {
      if (notice._tag === "Missed") return forget(["*"])
      const [token = "", ...ids] = notice.payload.split(" ")
      forget(ids)
      Queue.offerUnsafe(acknowledgements, `${token} ${process}`)
    }

    const hearAcknowledgement = (notice: Notice) => {
      if (notice._tag === "Missed") return
      const [token = "", by = ""] = notice.payload.split(" ")
      const own = waiting.get(token)
      if (own === undefined) return
      own.heardBy.add(by)
      isHeard(own)
    }

    const hearing = (channel: "identity" | "acknowledged", on: (notice: Notice) => void) =>
      Effect.forkScoped(
        Stream.runForEach(notifications.stream(channel), (notice) => Effect.sync(() => on(notice))),
        { startImmediately: true }
      )
    yield* hearing("identity", hear)
    yield* hearing("acknowledged", hearAcknowledgement)
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.flatMap(Queue.take(acknowledgements), (each) =>
          Effect.ignore(read("SELECT pg_notify('acknowledged', $1)", [each]))
        )
      )
    )

    const untilHeard = Effect.fnUntraced(
      function* (own: Announcement, ids: ReadonlyArray<string>) {
        if (ids.length === 0) return
        forget(ids)
        if (!(yield* notifications.live)) return
        const [row] = yield* read<{ readonly listeners: number }>(countListeners)
        own.listeners = row?.listeners ?? 0
        isHeard(own)
        yield* Deferred.await(own.heardByAll)
      },
      Effect.timeoutOption(patience),
      // The change is made, whoever may not have heard of it.
      (waited) => Effect.ignore(waited)
    )

    return {
      changes: Stream.fromPubSub(heard),
      live: notifications.live,
      announcing: (transaction) =>
        Effect.suspend(() => {
          const token = `${process}.${announcements++}`
          const own: Announcement = { heardByAll: Deferred.makeUnsafe(), heardBy: new Set(), listeners: Infinity }
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
