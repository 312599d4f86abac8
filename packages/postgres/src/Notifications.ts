import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Context, Deferred, Effect, Exit, Layer, PubSub, Queue, Schedule, Stream } from "effect"
import { Database } from "./Database.ts"
import { isLeased, lease, longAgo, momentNow } from "./Lease.ts"
import type { ListenerRow } from "./Listeners.ts"
import { Listeners, readListeners } from "./Listeners.ts"

export const channels = ["identity", "acknowledged", "events", "clock", "webhooks"] as const

export type NotificationChannel = (typeof channels)[number]

/**
 * `Announced` is an announcement by a transaction of any process, including this one. `Missed` is emitted when the connection is lost and
 * when it is back: announcements in between are lost.
 */
export type Notice = { readonly _tag: "Announced"; readonly payload: string } | { readonly _tag: "Missed" }

interface Received {
  readonly channel: NotificationChannel | "*"
  readonly notice: Notice
}

/** The delay between two attempts to reconnect. */
const pause = 250

/** How often the connection is queried, which renews the lease, in milliseconds. */
const renewal = 500

/** Time for subscribers to handle announcements, and the loss of the connection, before the lease is renewed. */
const effective = "10 millis"

const missed: Received = { channel: "*", notice: { _tag: "Missed" } }

/**
 * Announcements between the processes on one database (LISTEN and NOTIFY). One connection, reopened when it is lost. The layer is
 * built once it listens, or once its first attempt has failed: a process is ready only once it receives announcements.
 */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Everything from the moment of subscription. */
    readonly stream: (channel: NotificationChannel) => Stream.Stream<Notice>
    /**
     * Whether announcements of the primary are being received now. After this process was frozen, false until it has received those that it missed: it
     * holds a lease that is shorter than the time for which announcements wait for it (DATABASE-6).
     */
    readonly live: Effect.Effect<boolean>
    /** Identifies this process in acknowledgements. */
    readonly id: number
    /**
     * The processes that may hold a lease: those that listen now, and those that did until recently. Undefined while disconnected, and for one lease
     * after reconnecting: other processes may have been cut off without noticing.
     */
    readonly listeners: Effect.Effect<ReadonlySet<number> | undefined, StoreUnavailable>
    /**
     * Announces soon, without a payload and outside of any transaction; calls made together result in one announcement. It may be
     * lost. (A NOTIFY inside a transaction makes all commits queue behind one another.)
     */
    readonly hint: (channel: NotificationChannel) => void
  }
>()("@agent-marketplace/postgres/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const database = yield* Database
      const received = yield* PubSub.unbounded<Received>()
      const listeners = new Listeners()
      const { primary } = database
      const state = { live: false, settledAt: 0, renewed: longAgo, changes: 0 }
      /** Whether announcements of the present primary are being received: after a change of the primary, only once the connection has been replaced. */
      const isLive = () =>
        state.live && isLeased(state.renewed) && primary.isCertain() && state.changes === primary.changes()
      const tried = yield* Deferred.make<void>()

      const setUp = Effect.gen(function* () {
        const connection = yield* database.connect
        const pinned = yield* connection.pin
        const queues = yield* Effect.forEach(channels, (channel) =>
          Effect.map(pinned.listen(channel), (queue) => [channel, queue] as const)
        )
        yield* pinned.query(listeners.join, [], false)
        return { pinned, queues }
      })
      const session = Effect.gen(function* () {
        const changes = primary.changes()
        const { pinned, queues } = yield* Effect.timeout(setUp, "10 seconds")
        /**
         * PostgreSQL sends announcements before the results of later queries, so everything announced before this query started has then been received. It
         * also shows that the peer has not disappeared without closing the connection.
         */
        const renew = Effect.suspend(() => {
          const renewed = momentNow()
          return Effect.map(
            Effect.tap(pinned.query(readListeners), () => Effect.sleep(effective)),
            ({ rows }) => {
              listeners.see(rows as ReadonlyArray<unknown> as ReadonlyArray<ListenerRow>)
              state.renewed = renewed
            }
          )
        }).pipe(Effect.timeout("5 seconds"))
        // Published first, so that caches are emptied before the process is live.
        PubSub.publishUnsafe(received, missed)
        yield* renew
        // The next attempt leads to the new primary.
        if (changes !== primary.changes()) return yield* Effect.fail("the primary has changed")
        state.changes = changes
        state.live = true
        if (state.settledAt > 0) state.settledAt = performance.now() + lease
        Deferred.doneUnsafe(tried, Effect.void)
        yield* Effect.addFinalizer((exit) => {
          if (!Exit.hasInterrupts(exit)) return Effect.void
          state.live = false
          return Effect.ignore(Effect.timeoutOption(pinned.query(listeners.leave, [], false), "1 second"))
        })
        const alive = Effect.forever(Effect.delay(renew, renewal))
        const hear = (channel: NotificationChannel, payload: string) => {
          if (channel === "acknowledged") listeners.hear(payload)
          PubSub.publishUnsafe(received, { channel, notice: { _tag: "Announced", payload } })
        }
        const pumps = queues.map(([channel, queue]) =>
          Queue.take(queue).pipe(
            Effect.map(({ payload }) => hear(channel, payload)),
            Effect.forever
          )
        )
        return yield* Effect.raceAllFirst([alive, ...pumps])
      }).pipe(
        Effect.scoped,
        Effect.ensuring(
          Effect.sync(() => {
            Deferred.doneUnsafe(tried, Effect.void)
            if (!state.live) return
            state.live = false
            state.settledAt = Number.POSITIVE_INFINITY
            PubSub.publishUnsafe(received, missed)
          })
        )
      )
      yield* Effect.forkScoped(Effect.retry(session, Schedule.spaced(pause)))
      yield* Effect.timeoutOption(Deferred.await(tried), "5 seconds")

      const hints = yield* Queue.sliding<NotificationChannel>(channels.length * 4)
      const announce = (channel: NotificationChannel) =>
        Effect.ignore(database.read("SELECT pg_notify($1, '')", [channel]))
      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(Queue.takeAll(hints), (all) => Effect.forEach(new Set(all), announce)))
      )

      return {
        stream: (channel) =>
          Stream.fromPubSub(received).pipe(
            Stream.filter((each) => each.channel === channel || each.channel === "*"),
            Stream.map(({ notice }) => notice)
          ),
        live: Effect.sync(isLive),
        id: listeners.id,
        listeners: Effect.suspend(() =>
          isLive() && performance.now() >= state.settledAt
            ? Effect.map(database.read<ListenerRow>(readListeners), (rows) => {
                listeners.see(rows)
                return listeners.all
              })
            : Effect.succeed(undefined)
        ),
        hint: (channel) => {
          Queue.offerUnsafe(hints, channel)
        }
      }
    })
  )
}
