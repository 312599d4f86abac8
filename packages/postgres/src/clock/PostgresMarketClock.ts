import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import { makeAcknowledgements } from "../Acknowledgements.ts"
import { Database } from "../Database.ts"
import type { Moment } from "../Lease.ts"
import { isLeased, longAgo, momentNow } from "../Lease.ts"
import type { Notice } from "../Notifications.ts"
import { Notifications } from "../Notifications.ts"

/** SQL for the market's time now, not at the start of the transaction: a bigint of milliseconds. */
export const marketMillis = `(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + offset_seconds * 1000 FROM market_clock)`

/** The offset from this process's monotonic time, and the possible error of that offset; milliseconds. */
interface Reading {
  readonly offset: number
  readonly error: number
}

/** How far two clocks may drift apart between two readings. */
const drift = 0.5

/** A slow reading is imprecise: it is ignored if it is compatible with the previous one. */
const better = (before: Reading | undefined, next: Reading): Reading => {
  if (before === undefined) return next
  const aged = { offset: before.offset, error: before.error + drift }
  const agree = Math.abs(next.offset - aged.offset) <= next.error + aged.error
  return agree && aged.error < next.error ? aged : next
}

/** How long a caller waits for the time, as for any other read. */
const patience = "5 seconds"

const unknown = new StoreUnavailable({ cause: "the market's time is not known" })

const readTime = `SELECT ${marketMillis}::float8 AS millis`

export const PostgresMarketClock: {
  /** Fails while the database is unavailable, because the market's time is the database's. */
  readonly layer: Layer.Layer<MarketClock, StoreUnavailable, Database | Notifications>
} = {
  layer: Layer.effect(
    MarketClock,
    Effect.gen(function* () {
      const database = yield* Database
      const notifications = yield* Notifications
      const acknowledgements = yield* makeAcknowledgements
      // One at a time: an older reading must never replace a newer one.
      const oneAtATime = yield* Semaphore.make(1)
      const state: { reading: Reading | undefined; readAt: Moment; last: number } = {
        reading: undefined,
        readAt: longAgo,
        last: 0
      }

      const read = Effect.gen(function* () {
        const began = momentNow()
        const before = began.monotonic
        const [row] = yield* database.read<{ readonly millis: number }>(readTime)
        const after = performance.now()
        if (row === undefined) return yield* Effect.die("the market has no clock")
        state.readAt = began
        state.reading = better(state.reading, {
          offset: row.millis - (before + after) / 2,
          error: (after - before) / 2
        })
      })
      const sync = Effect.ignore(oneAtATime.withPermit(read))
      const measured = Effect.sync(() => {
        const offset = state.reading?.offset ?? 0
        state.last = Math.max(state.last, Math.floor(performance.now() + offset))
        return state.last
      })
      /** A reading that took longer than the lease is not used. */
      const measuredIfRecent = Effect.suspend(() => (isLeased(state.readAt) ? measured : Effect.fail(unknown)))
      /** Concurrent callers share one attempt, and its result for 250 ms, so that an unavailable database does not delay each of them. */
      const readAgain = yield* oneAtATime
        .withPermit(read)
        .pipe(
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(unknown) }),
          Effect.cachedWithTTL("250 millis")
        )
      /** A process that was frozen or has lost its connection may have missed that the time was moved (DATABASE-6). */
      const now = Effect.flatMap(notifications.live, (live) =>
        live ? measured : Effect.andThen(readAgain, measuredIfRecent)
      )

      /** Exact, whatever the error of the readings before and after. */
      const jump = (millis: number) => {
        if (state.reading !== undefined) state.reading = { ...state.reading, offset: state.reading.offset + millis }
        state.last += millis
      }

      const receive = (notice: Notice) =>
        Effect.map(sync, () => (notice._tag === "Announced" ? acknowledgements.acknowledge(notice.payload) : undefined))
      // Subscribed before the first reading, so that no announcement is missed between the two.
      yield* Effect.forkScoped(Stream.runForEach(notifications.stream("clock"), receive), { startImmediately: true })
      yield* oneAtATime.withPermit(read)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(sync, "1 second")))

      const { sql } = database
      const log = (action: ActionDraft, seconds: number) =>
        appendActions(sql, [{ ...action, before: null, after: { advanceSeconds: seconds } }])
      const move = (seconds: number, token: string, action: ActionDraft | undefined) =>
        database.transaction(
          Effect.andThen(
            sql`
              WITH moved AS (UPDATE market_clock SET offset_seconds = offset_seconds + ${seconds}::bigint RETURNING 1)
              SELECT pg_notify('clock', ${token}) FROM moved`,
            action === undefined ? Effect.void : log(action, seconds)
          )
        )
      const advance = (seconds: number, token: string, action: ActionDraft | undefined) =>
        oneAtATime.withPermit(
          Effect.andThen(
            Effect.map(move(seconds, token, action), () => jump(seconds * Timestamp.second)),
            read
          )
        )
      return {
        now,
        lastKnown: measured,
        advance: Effect.fn("PostgresMarketClock.advance")(function* (seconds, action) {
          yield* acknowledgements.announcing(({ acknowledgedByAll, token }) =>
            Effect.andThen(advance(seconds, token, action), acknowledgedByAll)
          )
          return yield* now
        })
      }
    })
  )
}
