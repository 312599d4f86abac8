import { randomUUID } from "node:crypto"
import { Deferred, Effect, Queue, Stream } from "effect"
import type { Scope } from "effect"
import { Database } from "./Database.ts"
import { leaves } from "./Listeners.ts"
import { Notifications } from "./Notifications.ts"

/** How long an announcement waits for the processes that have not yet acknowledged it: longer than a lease. */
const patience = "2 seconds"

/** An announcement that is about to be made. */
export interface Announcement {
  /** The first word of its payload. Acknowledgements refer to it. */
  readonly token: string
  /** Waits for the acknowledgements. Run it after the announcement is made, because PostgreSQL delivers asynchronously. Never fails. */
  readonly acknowledgedByAll: Effect.Effect<void>
}

export interface Acknowledgements {
  readonly announcing: <A, E, R>(
    announce: (announcement: Announcement) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Acknowledges that this process has handled the announcement. Every process that listens must call it. */
  readonly acknowledge: (token: string) => void
}

interface Waiting {
  readonly done: Deferred.Deferred<void>
  readonly acknowledgedBy: Set<number>
  /** Unknown before the announcement is made. */
  listeners: ReadonlySet<number> | undefined
}

const completeIfAcknowledged = ({ done, acknowledgedBy, listeners }: Waiting): void => {
  if (listeners !== undefined && [...listeners].every((id) => acknowledgedBy.has(id)))
    Deferred.doneUnsafe(done, Effect.void)
}

/** For announcements that must take effect in every process before the announcing call returns. */
export const makeAcknowledgements: Effect.Effect<Acknowledgements, never, Database | Notifications | Scope.Scope> =
  Effect.gen(function* () {
    const { read } = yield* Database
    const notifications = yield* Notifications
    const process = randomUUID()
    const waiting = new Map<string, Waiting>()
    const outgoing = yield* Queue.unbounded<string>()
    let announcements = 0

    const receive = (payload: string): void => {
      const [first, by] = payload.split(" ")
      for (const [token, own] of waiting) {
        // A process that leaves acknowledges everything.
        if (first !== token && first !== leaves) continue
        own.acknowledgedBy.add(Number(by))
        completeIfAcknowledged(own)
      }
    }
    yield* Effect.forkScoped(
      Stream.runForEach(notifications.stream("acknowledged"), (notice) =>
        Effect.sync(() => (notice._tag === "Announced" ? receive(notice.payload) : undefined))
      ),
      { startImmediately: true }
    )
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.flatMap(Queue.take(outgoing), (payload) =>
          Effect.ignore(read("SELECT pg_notify('acknowledged', $1)", [payload]))
        )
      )
    )

    const untilAcknowledged = Effect.fnUntraced(function* (own: Waiting) {
      own.listeners = yield* notifications.listeners
      completeIfAcknowledged(own)
      yield* Deferred.await(own.done)
    })
    /** If the listeners are unknown, waits the full time: by then every lease from before the announcement has ended. */
    const wait = (own: Waiting) =>
      Effect.asVoid(
        Effect.timeoutOption(
          Effect.catch(untilAcknowledged(own), () => Effect.never),
          patience
        )
      )

    return {
      announcing: (announce) =>
        Effect.suspend(() => {
          const token = `${process}.${announcements++}`
          const own: Waiting = { done: Deferred.makeUnsafe(), acknowledgedBy: new Set(), listeners: undefined }
          waiting.set(token, own)
          return Effect.ensuring(
            announce({ token, acknowledgedByAll: wait(own) }),
            Effect.sync(() => waiting.delete(token))
          )
        }),
      acknowledge: (token) => {
        Queue.offerUnsafe(outgoing, `${token} ${notifications.id}`)
      }
    }
  })
