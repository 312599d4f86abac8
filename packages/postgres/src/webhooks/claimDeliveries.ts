import type { ClaimedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { ClaimRequest } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { date } from "../Row.ts"
import type { DeliveryRow } from "./DeliveryRow.ts"
import { deliveryOf } from "./DeliveryRow.ts"
import type { WebhookRow } from "./WebhookRow.ts"
import { webhookColumns, webhookOf } from "./WebhookRow.ts"

/** The deliveries of the subscription of `of` that are due at $1 and not claimed, the longest due first. */
const due = (of: string) => `webhook_queue AS queue WHERE queue.webhook_id = ${of}.webhook_id
  AND queue.next_attempt_at <= $1::timestamptz
  AND (queue.claimed_until IS NULL OR queue.claimed_until <= clock_timestamp())
  ORDER BY queue.next_attempt_at, queue.delivery_id`

const firstWaiting = (condition: string) => `
  SELECT webhook_id, next_attempt_at FROM webhook_queue
  WHERE next_attempt_at IS NOT NULL ${condition} ORDER BY webhook_id, next_attempt_at LIMIT 1`

/**
 * Visits each subscription instead of scanning the queue, so that the backlog of one does not slow the others. The selection takes no
 * locks: one delivery of each subscription in turn, within the limits of the subscription and of its host; few more are read than
 * could be taken. Then the selected number of each is locked; rows that another transaction has locked are skipped.
 */
const claim = `
  WITH RECURSIVE held AS (
    SELECT webhook_id, count(*) AS held FROM webhook_queue
    WHERE claim IS NOT NULL AND claimed_until > clock_timestamp() GROUP BY webhook_id
  ), held_host AS (
    SELECT host, sum(held) AS held FROM held JOIN webhooks ON webhooks.id = held.webhook_id GROUP BY host
  ), waiting AS (
    (${firstWaiting("")})
    UNION ALL
    SELECT next.* FROM waiting, LATERAL (${firstWaiting("AND webhook_id > waiting.webhook_id")}) AS next
  ), ready AS (
    SELECT webhook_id, webhooks.host, $4::int - coalesce(held_host.held, 0) AS host_room,
      least(
        CASE WHEN failures >= $6::int THEN 1 ELSE $3::int END - coalesce(held.held, 0),
        greatest(1, 4 * $2::int / count(*) OVER ())
      ) AS room
    FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
    LEFT JOIN held USING (webhook_id) LEFT JOIN held_host ON held_host.host = webhooks.host
    WHERE next_attempt_at <= $1::timestamptz AND status = 'active'
      AND (paused_until IS NULL OR paused_until <= $1::timestamptz)
  ), candidate AS (
    SELECT webhook_id, host, host_room, next_attempt_at, turn FROM ready, LATERAL (
      SELECT next_attempt_at, row_number() OVER (ORDER BY next_attempt_at) AS turn
      FROM (SELECT next_attempt_at FROM ${due("ready")} LIMIT greatest(ready.room, 0)) AS first
    ) AS first
  ), place AS (
    SELECT *, row_number() OVER (PARTITION BY host ORDER BY turn, next_attempt_at) AS host_turn FROM candidate
  ), share AS (
    SELECT webhook_id, count(*) AS count FROM (
      SELECT webhook_id FROM place WHERE host_turn <= host_room ORDER BY turn, next_attempt_at LIMIT $2::int
    ) AS chosen GROUP BY webhook_id
  ), taken AS (
    SELECT locked.delivery_id FROM share, LATERAL (
      SELECT delivery_id FROM ${due("share")} LIMIT share.count FOR UPDATE SKIP LOCKED
    ) AS locked
  ), claimed AS (
    UPDATE webhook_queue AS queue SET claim = gen_random_uuid()::text,
      claimed_until = clock_timestamp() + make_interval(secs => $5::float8)
    FROM taken WHERE queue.delivery_id = taken.delivery_id
    RETURNING queue.delivery_id, queue.claim, queue.next_attempt_at
  )
  SELECT ${webhookColumns}, claimed.claim, claimed.next_attempt_at,
    delivery.id AS delivery_id, delivery.event, delivery.event_at, delivery.payload, delivery.tries,
    delivery.traceparent
  FROM claimed JOIN webhook_deliveries AS delivery ON delivery.id = claimed.delivery_id
  JOIN webhooks ON webhooks.id = delivery.webhook_id
  ORDER BY claimed.next_attempt_at, claimed.delivery_id`

type ClaimRow = WebhookRow &
  Omit<DeliveryRow, "id" | "webhook_id" | "status"> & { readonly delivery_id: string; readonly claim: string }

const claimedOf = (rows: ReadonlyArray<ClaimRow>): ReadonlyArray<ClaimedDelivery> => {
  const webhooks = new Map<string, Webhook>()
  return rows.map((row) => {
    const webhook = webhooks.get(row.id) ?? webhookOf(row)
    webhooks.set(row.id, webhook)
    const delivery = deliveryOf({ ...row, id: row.delivery_id, webhook_id: row.id, status: "pending" })
    return { delivery, webhook, claim: row.claim }
  })
}

/** See `WebhookStore.claim`. */
export const claimDeliveries =
  ({ attempt, sql }: Database["Service"]) =>
  ({ leaseSeconds, limit, now, perHost, perWebhook }: ClaimRequest) =>
    Effect.map(
      attempt(
        sql.unsafe<ClaimRow>(claim, [date(now), limit, perWebhook, perHost, leaseSeconds, ReceiverHealth.tripsAt])
      ),
      claimedOf
    )
