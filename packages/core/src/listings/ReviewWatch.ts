import { Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { waitsSince } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { ListingStore } from "./ListingStore.ts"

/** A listing, a change of one, or a release has waited for an operator for more than 24 hours. */
export type ReviewWarning = "review_overdue"

const oldest = Metric.gauge("review_oldest_seconds", {
  description: "The waiting time of the listing or release that has waited longest for a review; 0 if none waits."
})

const checkInterval = "5 seconds"

/** The response to a new listing states that a review typically takes at most this long (LISTING-14). */
const reviewTarget = Timestamp.day

/** Monitors how long listings and releases wait for review, for the metric and the readiness warning (OPERATOR-13). */
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
      const listings = yield* ListingStore
      const releases = yield* ReleaseStore
      let warnings: ReadonlyArray<ReviewWarning> = []
      const check = Effect.gen(function* () {
        const listing = yield* listings.oldestWaiting
        const { items } = yield* releases.waiting("in_review", { page: 1, limit: 1 })
        const since = [...Option.toArray(listing), ...items.map(waitsSince)]
        const now = yield* clock.now
        const waited = Math.max(0, ...since.map((time) => now - time))
        yield* Metric.update(oldest, waited / 1000)
        warnings = waited > reviewTarget ? ["review_overdue"] : []
      })
      // While the database is unavailable, the result of the last check is kept.
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(check), Schedule.spaced(checkInterval)))
      return { warnings: Effect.sync(() => warnings) }
    })
  )
}
