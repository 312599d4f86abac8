import { randomUUID } from "node:crypto"
import { Deferred, Effect, Queue, Stream } from "effect"
import type { Scope } from "effect"
import { Database } from "./Database.ts"
import { countListeners, Notifications } from "./Notifications.ts"

/** How long an announcement waits for the processes that have not said that they heard of it. */
const patience = "2 seconds"

/** An announcement that is about to be made. */
export interface Announcement {
  /** The first word of its payload: what it is acknowledged by. */
  readonly token: string
  /** To be waited for once it is made: PostgreSQL hands an announcement to each process in its own time. Never fails. */
  readonly heardByAll: Effect.Effect<void>
}

export interface Acknowledgements {
  readonly announcing: <A, E, R>(
    announce: (announcement: Announcement) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Says that this process has done what it does about the announcement. Every process that listens must. */
  readonly acknowledge: (token: string) => void
}

interface Waiting {
  readonly done: Deferred.Deferred<void>
  readonly heardBy: Set<string>
  /** Not known before the announcement is made. */
  listeners: number
}

const look = ({ done, heardBy, listeners }: Waiting): void => {
  if (heardBy.size >= listeners) Deferred.doneUnsafe(done, Effect.void)
}

/** For announcements that must take effect in every process before the announcing call returns. */
export const makeAcknowledgements: Effect.Effect<Acknowledgements, never, Database | Notifications | Scope.Scope> =
  Effect.gen(function* () {
    const { read } = yield* Database
    const notifications = yield* Notifications
    const process = randomUUID()
    const waiting = new Map<string, Waiting>()
    const toSay = yield* Queue.unbounded<string>()
    let announcements = 0

    const hear = (payload: string): void => {
      const [token = "", by = ""] = payload.split(" ")
      const own = waiting.get(token)
      if (own === undefined) return
      own.heardBy.add(by)
      look(own)
    }
    yield* Effect.forkScoped(
      Stream.runForEach(notifications.stream("acknowledged"), (notice) =>
        Effect.sync(() => (notice._tag === "Said" ? hear(notice.payload) : undefined))
      ),
      { startImmediately: true }
    )
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.flatMap(Queue.take(toSay), (payload) =>
          Effect.ignore(read("SELECT pg_notify('acknowledged', $1)", [payload]))
        )
      )
    )

    const untilHeard = Effect.fnUntraced(function* (own: Waiting) {
      if (!(yield* notifications.settled)) return
      const [row] = yield* read<{ readonly listeners: number }>(countListeners)
      // This process listens: where none does, its connection is lost and it does not know yet.
      own.listeners = Math.max(1, row?.listeners ?? 0)
      look(own)
      yield* Deferred.await(own.done)
    })

    return {
      announcing: (announce) =>
        Effect.suspend(() => {
          const token = `${process}.${announcements++}`
          const own: Waiting = { done: Deferred.makeUnsafe(), heardBy: new Set(), listeners: Infinity }
          waiting.set(token, own)
          const heardByAll = Effect.ignore(Effect.timeoutOption(untilHeard(own), patience))
          return Effect.ensuring(
            announce({ token, heardByAll }),
            Effect.sync(() => waiting.delete(token))
          )
        }),
      acknowledge: (token) => {
        Queue.offerUnsafe(toSay, `${token} ${process}`)
      }
    }
  })
