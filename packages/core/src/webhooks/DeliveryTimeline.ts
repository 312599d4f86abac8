import type { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { ValidationFailed } from "../errors/MarketError.ts"
import type { AgentId, WebhookId } from "../ids/Ids.ts"
import { periodsOf, timelineFilter } from "../purchases/Timeline.ts"
import type { DeliveryStatus } from "./Delivery.ts"

/** The series of the timeline, in this order. */
export const deliveryStatuses = ["delivered", "pending", "failed"] as const satisfies ReadonlyArray<DeliveryStatus>

export interface DeliveryTimelineQuery {
  /** Null for all subscriptions. */
  readonly webhook: WebhookId | null
  readonly from: Timestamp | null
  readonly to: Timestamp | null
}

/** Deliveries of events from `from` on and before `to`. */
export interface DeliveryTimelineFilter {
  readonly webhook: WebhookId | null
  /** With an agent, only deliveries to subscriptions that were created with its key. */
  readonly agent: AgentId | null
  readonly from: Timestamp
  readonly to: Timestamp
}

/** How many deliveries of one UTC day, such as `2025-01-15`, have the status now. */
export interface DeliveryCount {
  readonly status: DeliveryStatus
  readonly period: string
  readonly count: number
}

export interface DeliverySeries {
  readonly status: DeliveryStatus
  readonly count: number
  /** One for each period. */
  readonly counts: ReadonlyArray<number>
}

export interface DeliveryTimeline {
  readonly from: Timestamp
  readonly to: Timestamp
  readonly periods: ReadonlyArray<string>
  /** Every status once. */
  readonly series: ReadonlyArray<DeliverySeries>
}

/** The filter with its default bounds: the last 30 UTC days. Fails above 366 days (DELIVERY-15). */
export const deliveryTimelineFilter = (
  { from, to }: Pick<DeliveryTimelineQuery, "from" | "to">,
  now: Timestamp
): Result.Result<Pick<DeliveryTimelineFilter, "from" | "to">, ValidationFailed> =>
  timelineFilter({ by: null, per: "day", from, to }, now)

/** Every day with every status, so that charts need no gaps filled (DELIVERY-15). */
export const deliveryTimelineOf = (
  { from, to }: Pick<DeliveryTimelineFilter, "from" | "to">,
  found: ReadonlyArray<DeliveryCount>
): DeliveryTimeline => {
  const periods = periodsOf({ per: "day", from, to })
  const series = deliveryStatuses.map((status): DeliverySeries => {
    const own = found.filter((each) => each.status === status)
    const counts = new Map(own.map(({ count, period }) => [period, count]))
    return {
      status,
      count: own.reduce((sum, { count }) => sum + count, 0),
      counts: periods.map((period) => counts.get(period) ?? 0)
    }
  })
  return { from, to, periods, series }
}
