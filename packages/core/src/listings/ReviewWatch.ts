import { Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { AppealStore } from "../moderation/AppealStore.ts"
import { ReportStore } from "../moderation/ReportStore.ts"
import { waitsSince } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { ListingStore } from "./ListingStore.ts"

/** What has waited for an operator for more than 24 hours: a listing, a change of one or a release; a report; an appeal. */
export const reviewWarnings = ["review_overdue", "reports_overdue", "appeals_overdue"] as const
export type ReviewWarning = (typeof reviewWarnings)[number]

const gauge = (name: string, what: string) =>
  Metric.gauge(name, { description: `The waiting time of ${what}; 0 if none waits.` })

const gauges: Readonly<Record<ReviewWarning, ReturnType<typeof gauge>>> = {
  review_overdue: gauge("review_oldest_seconds", "the listing or release that has waited longest for a review"),
  reports_overdue: gauge("reports_oldest_seconds", "the open report that has waited longest"),
  appeals_overdue: gauge("appeals_oldest_seconds", "the open appeal that has waited longest")
}

const checkInterval = "5 seconds"

/** The response to a new listing states that a review typically takes at most this long (LISTING-14). Reports and appeals are held to the same. */
const reviewTarget = Timestamp.day

const oldestOne = { page: 1, limit: 1 }

/** Monitors how long listings, releases, reports and appeals wait for an operator, for the metrics and the readiness warnings (OPERATOR-13, QUEUE-2). */
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
      const reports = yield* ReportStore
      const appeals = yield* AppealStore
      let warnings: ReadonlyArray<ReviewWarning> = []
      /** Since when the oldest of each kind waits. */
      const waiting = Effect.gen(function* () {
        const listing = yield* listings.oldestWaiting
        const release = yield* releases.waiting("in_review", oldestOne)
        const report = yield* reports.list("open", oldestOne)
        const appeal = yield* appeals.list("open", oldestOne)
        return {
          review_overdue: [...Option.toArray(listing), ...release.items.map(waitsSince)],
          reports_overdue: report.items.map(({ createdAt }) => createdAt),
          appeals_overdue: appeal.items.map(({ createdAt }) => createdAt)
        }
      })
      const check = Effect.gen(function* () {
        const since = yield* waiting
        const now = yield* clock.now
        const overdue: Array<ReviewWarning> = []
        for (const warning of reviewWarnings) {
          const waited = Math.max(0, ...since[warning].map((time) => now - time))
          yield* Metric.update(gauges[warning], waited / 1000)
          if (waited > reviewTarget) overdue.push(warning)
        }
        warnings = overdue
      })
      // While the database is unavailable, the result of the last check is kept.
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(check), Schedule.spaced(checkInterval)))
      return { warnings: Effect.sync(() => warnings) }
    })
  )
}
