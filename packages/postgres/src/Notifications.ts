import { PgConnection } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, PubSub, Queue, Schedule, Stream } from "effect"
import { advisoryLockClasses } from "./AdvisoryLocks.ts"
import { Database } from "./Database.ts"

export const channels = ["identity", "acknowledged", "events", "clock", "webhooks"] as const

/** How many processes listen on this database. A killed one is none as soon as PostgreSQL knows. */
export const countListeners = `SELECT count(*)::int AS listeners FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${advisoryLockClasses.listeners} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

export type NotificationChannel = (typeof channels)[number]

/**
 * `Said` is what a transaction of some process announced, ours included. `Missed` comes when the connection was lost and when it
 * is back: announcements in between are gone.
 */
export type Notice = { readonly _tag: "Said"; readonly payload: string } | { readonly _tag: "Missed" }

interface Heard {
  readonly channel: NotificationChannel | "*"
  readonly notice: Notice
}

/** Between two attempts to listen again. */
const pause = 250

/**
 * Milliseconds for which a connection that is back is looked upon with care: whatever took it may have taken those of the other
 * processes, and by then they have tried again.
 */
const settling = 2 * pause

const missed: Heard = { channel: "*", notice: { _tag: "Missed" } }

/**
 * What the processes on one database tell each other (LISTEN and NOTIFY). One connection, opened anew when it is lost. The layer is
 * built once it listens, or has failed to for the first time: whoever is ready is heard of by those who make announcements.
 */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Everything from the moment of subscription on. */
    readonly stream: (channel: NotificationChannel) => Stream.Stream<Notice>
    /** Whether announcements are being heard at this moment. */
    readonly live: Effect.Effect<boolean>
    /**
     * Whether every process can be thought to hear. Where the connection is lost, or was a moment ago, false, and told after at most
     * a second: once it is back and the others, which look anew at everything when theirs are, have had time for that.
     */
    readonly settled: Effect.Effect<boolean>
    /**
     * Announces soon, without a payload and outside of any transaction; calls that come together make one announcement. It may be
     * lost. (A NOTIFY inside of a transaction makes all commits queue up behind one another.)
     */
    readonly hint: (channel: NotificationChannel) => void
  }
>()("@agent-marketplace/postgres/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const database = yield* Database
      const heard = yield* PubSub.unbounded<Heard>()
      const state = { live: false, settledAt: 0 }
      const isSettled = Effect.sync(() => state.live && performance.now() >= state.settledAt)
      const tried = yield* Deferred.make<void>()

      const session = Effect.gen(function* () {
        const connection = yield* PgConnection.make(database.connection)
        const pinned = yield* connection.pin
        const queues = yield* Effect.forEach(channels, (channel) =>
          Effect.map(pinned.listen(channel), (queue) => [channel, queue] as const)
        )
        yield* pinned.query(`SELECT pg_advisory_lock_shared(${advisoryLockClasses.listeners}, 0)`)
        state.live = true
        if (state.settledAt > 0) state.settledAt = performance.now() + settling
        Deferred.doneUnsafe(tried, Effect.void)
        PubSub.publishUnsafe(heard, missed)
        // A connection whose other end is gone without a word is noticed by asking.
        const alive = pinned
          .query("SELECT 1")
          .pipe(Effect.timeout("5 seconds"), Effect.delay("5 seconds"), Effect.forever)
        const pumps = queues.map(([channel, queue]) =>
          Queue.take(queue).pipe(
            Effect.map(({ payload }) => PubSub.publishUnsafe(heard, { channel, notice: { _tag: "Said", payload } })),
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
            PubSub.publishUnsafe(heard, missed)
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
          Stream.fromPubSub(heard).pipe(
            Stream.filter((each) => each.channel === channel || each.channel === "*"),
            Stream.map(({ notice }) => notice)
          ),
        live: Effect.sync(() => state.live),
        settled: Effect.flatMap(isSettled, (settled) =>
          settled
            ? Effect.succeed(true)
            : isSettled.pipe(
                Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("20 millis") }),
                Effect.timeoutOption("1 second"),
                Effect.as(false)
              )
        ),
        hint: (channel) => {
          Queue.offerUnsafe(hints, channel)
        }
      }
    })
  )
}
