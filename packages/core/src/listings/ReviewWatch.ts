import { Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { ListingStore } from "./ListingStore.ts"

/** A listing, or a change of one, has waited for an operator for more than 24 hours. */
export type ReviewWarning = "review_overdue"

const oldest = Metric.gauge("review_oldest_seconds", {
  description: "For how long the listing that has waited longest for a review has waited; 0 where none waits."
})

const lookEvery = "5 seconds"

/** Creators are promised a review within this time (LISTING-14). */
const promised = Timestamp.day

/** Watches how long listings wait for their review: keeps the metric and the warning of readiness (OPERATOR-13). */
export class ReviewWatch extends Context.Service<
  ReviewWatch,
  {
    /** What the last look found. */
    readonly warnings: Effect.Effect<ReadonlyArray<ReviewWarning>>
  }
>()("@agent-marketplace/core/listings/ReviewWatch") {
  static readonly layer = Layer.effect(
    ReviewWatch,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* ListingStore
      let warnings: ReadonlyArray<ReviewWarning> = []
      const look = Effect.gen(function* () {
        const since = yield* store.oldestWaiting
        const waited = Option.isNone(since) ? 0 : Math.max(0, (yield* clock.now) - since.value)
        yield* Metric.update(oldest, waited / 1000)
        warnings = waited > promised ? ["review_overdue"] : []
      })
      // While the database is unavailable the last look stands.
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(look), Schedule.spaced(lookEvery)))
      return { warnings: Effect.sync(() => warnings) }
    })
  )
}
