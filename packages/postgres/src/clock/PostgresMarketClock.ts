import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import { makeAcknowledgements } from "../Acknowledgements.ts"
import { Database } from "../Database.ts"
import type { Moment } from "../Lease.ts"
import { isInterrupted, isLeased, longAgo, momentNow } from "../Lease.ts"
import type { Notice } from "../Notifications.ts"
import { Notifications } from "../Notifications.ts"

/** SQL for the market's time now, not at the start of the transaction: a bigint of milliseconds. */
export const marketMillis = `(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + offset_seconds * 1000 FROM market_clock)`

/** The offset of the store's clock from this process's monotonic time, and the possible error of that offset; milliseconds. */
interface Reading {
  readonly offset: number
  readonly error: number
}

/** How far two clocks may drift apart between two readings. */
const drift = 0.5

/** A slow reading is imprecise: it is ignored if it is compatible with the previous one. */
const better = (before: Reading, next: Reading): Reading => {
  const aged = { offset: before.offset, error: before.error + drift }
  const agree = Math.abs(next.offset - aged.offset) <= next.error + aged.error
  return agree && aged.error < next.error ? aged : next
}

/** How long a caller waits for the time, as for any other read. */
const patience = "5 seconds"

const unknown = new StoreUnavailable({ cause: "the market's time is not known" })

const readTime = `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS millis, offset_seconds::float8 AS moved FROM market_clock`

/** After a failed reading, calls fail immediately for this long, in milliseconds, so that an unavailable database does not delay each of them. */
const failureLasts = 250

interface State {
  reading: Reading
  /** How far the market's time has been moved; seconds. */
  moved: number
  /** When the last successful reading began. */
  readAt: Moment
  /** When this process last received the announcement of a move, or noticed that it may have missed one; monotonic. */
  noticedAt: number
  /** When the last attempt failed, if none has succeeded since; monotonic. */
  failedAt: number
  /** The latest time that was returned: none is earlier than one before. */
  last: number
}

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
      const state: State = {
        reading: { offset: 0, error: Number.POSITIVE_INFINITY },
        moved: 0,
        readAt: longAgo,
        noticedAt: 0,
        failedAt: Number.NEGATIVE_INFINITY,
        last: 0
      }

      const read = Effect.gen(function* () {
        const began = momentNow()
        const before = began.monotonic
        const [row] = yield* database.read<{ readonly millis: number; readonly moved: number }>(readTime)
        const after = performance.now()
        if (row === undefined) return yield* Effect.die("the market has no clock")
        state.readAt = began
        state.failedAt = Number.NEGATIVE_INFINITY
        state.moved = row.moved
        state.reading = better(state.reading, {
          offset: row.millis - (before + after) / 2,
          error: (after - before) / 2
        })
      })
      const measured = Effect.sync(() => {
        const present = performance.now() + state.reading.offset + state.moved * Timestamp.second
        state.last = Math.max(state.last, Math.floor(present))
        return state.last
      })
      const attempt = read.pipe(
        Effect.timeoutOrElse({ duration: "4 seconds", orElse: () => Effect.fail(unknown) }),
        Effect.tapError(() => Effect.sync(() => void (state.failedAt = performance.now())))
      )
      const sync = Effect.ignore(oneAtATime.withPermit(attempt))
      /** The time from a reading that began after the call and is younger than a lease. Concurrent callers share it. */
      const readSince: StoreEffect<Timestamp> = Effect.suspend(() => {
        const called = performance.now()
        const next = Effect.suspend(() => {
          if (state.readAt.monotonic >= called) return Effect.void
          return performance.now() - state.failedAt < failureLasts ? Effect.fail(unknown) : attempt
        })
        return Effect.andThen(
          oneAtATime.withPermit(next),
          Effect.suspend(() => (isLeased(state.readAt) ? measured : readSince))
        )
      })
      const readAgain = Effect.timeoutOrElse(readSince, { duration: patience, orElse: () => Effect.fail(unknown) })
      const isCurrent = () => state.readAt.monotonic > state.noticedAt && !isInterrupted(state.readAt)
      /** A process that was frozen or has lost its connection may have missed that the time was moved (DATABASE-6). */
      const now = Effect.flatMap(notifications.live, (live) => (live && isCurrent() ? measured : readAgain))

      /** Exact, whatever the error of the readings before and after. */
      const jump = (seconds: number) => {
        state.moved += seconds
        state.last += seconds * Timestamp.second
      }

      const scope = yield* Effect.scope
      /** Reads in the background, so that later announcements are noticed immediately. */
      const receive = (notice: Notice) =>
        Effect.suspend(() => {
          state.noticedAt = performance.now()
          const known = Effect.map(sync, () =>
            notice._tag === "Announced" ? acknowledgements.acknowledge(notice.payload) : undefined
          )
          return Effect.forkIn(known, scope)
        })
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
            Effect.map(move(seconds, token, action), () => jump(seconds)),
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
