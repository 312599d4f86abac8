import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { DeliveryStatus } from "@agent-marketplace/core/webhooks/Delivery"
import type { DeliveryCount, DeliveryTimelineFilter } from "@agent-marketplace/core/webhooks/DeliveryTimeline"
import { date } from "../Row.ts"

/**
 * The deliveries of an account's subscriptions by UTC day and status, read for each subscription from the index by subscription and time
 * (DELIVERY-15). `$1` is the account, `$2` and `$3` are the bounds, `$4` is the agent or null, `$5` is the subscription or null.
 */
export const countDeliveries = `
  SELECT counted.status, period, sum(count)::int AS count FROM webhooks CROSS JOIN LATERAL (
    SELECT delivery.status, to_char(event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS period, count(*) AS count FROM webhook_deliveries AS delivery
    WHERE webhook_id = webhooks.id AND event_at >= $2::timestamptz AND event_at < $3::timestamptz GROUP BY 1, 2
  ) AS counted
  WHERE account_id = $1::text AND ($4::text IS NULL OR agent_id = $4::text) AND ($5::text IS NULL OR webhooks.id = $5::text)
  GROUP BY 1, 2 ORDER BY period, counted.status`

export interface DeliveryCountRow {
  readonly status: string
  readonly period: string
  readonly count: number
}

export const countParameters = (
  account: AccountId,
  { agent, from, to, webhook }: DeliveryTimelineFilter
): ReadonlyArray<unknown> => [account, date(from), date(to), agent, webhook]

export const deliveryCountOf = ({ count, period, status }: DeliveryCountRow): DeliveryCount => ({
  status: status as DeliveryStatus,
  period,
  count
})
