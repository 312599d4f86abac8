import { Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { ListingStore } from "./ListingStore.ts"

/** A listing, or a change of one, has waited for an operator for more than 24 hours. */
export type ReviewWarning = "review_overdue"

const oldest = Metric.gauge("review_oldest_seconds", {
  description: "The waiting time of the listing that has waited longest for a review; 0 if none waits."
})

const checkInterval = "5 seconds"

/** The response to a new listing states that a review typically takes at most this long (LISTING-14). */
const reviewTarget = Timestamp.day

/** Monitors how long listings wait for review, for the metric and the readiness warning (OPERATOR-13). */
export class ReviewWatch extends Context.Service<
  ReviewWatch,
  {
    /** The warnings of the last check. */
    readonly warnings: Effect.Effect<ReadonlyArray<ReviewWarning>>
  }
>()("@agent-marketplace/core/listings/ReviewWatch") {
  static readonly layer = Layer.effect(
    ReviewWatch,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* ListingStore
      let warnings: ReadonlyArray<ReviewWarning> = []
      const check = Effect.gen(function* () {
        const since = yield* store.oldestWaiting
        const waited = Option.isNone(since) ? 0 : Math.max(0, (yield* clock.now) - since.value)
        yield* Metric.update(oldest, waited / 1000)
        warnings = waited > reviewTarget ? ["review_overdue"] : []
      })
      // While the database is unavailable, the result of the last check is kept.
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(check), Schedule.spaced(checkInterval)))
      return { warnings: Effect.sync(() => warnings) }
    })
  )
}
