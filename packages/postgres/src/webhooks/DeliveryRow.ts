import { Traceparent } from "@agent-marketplace/core/events/Traceparent"
import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import type { Delivery, DeliveryAttempt, DeliveryStatus } from "@agent-marketplace/core/webhooks/Delivery"
import type { WebhookEvent } from "@agent-marketplace/core/webhooks/Webhook"
import type { Time } from "../Row.ts"
import { nullableTime, time } from "../Row.ts"

export interface DeliveryRow {
  readonly id: string
  readonly webhook_id: string
  readonly event: string
  readonly event_at: Time
  readonly payload: string
  readonly status: string
  readonly tries: number
  readonly traceparent: string | null
  /** A column of the queue. */
  readonly next_attempt_at: Time | null
}

export interface AttemptRow {
  readonly delivery_id: string
  readonly at: Time
  readonly status_code: number | null
  readonly duration_ms: number
  readonly error: string | null
  readonly response_body: string | null
}

export const deliveryColumns = ["id", "webhook_id", "event", "event_at", "payload", "status", "tries", "traceparent"]
  .map((name) => `delivery.${name}`)
  .join(", ")

export const deliveryOf = (row: DeliveryRow): Delivery =>
  Traceparent.on(
    {
      id: row.id as DeliveryId,
      webhookId: row.webhook_id as WebhookId,
      event: row.event as WebhookEvent,
      eventAt: time(row.event_at),
      payload: row.payload,
      status: row.status as DeliveryStatus,
      tries: row.tries,
      nextAttemptAt: nullableTime(row.next_attempt_at)
    },
    row.traceparent ?? undefined
  )

export const attemptOf = (row: AttemptRow): DeliveryAttempt => ({
  at: time(row.at),
  statusCode: row.status_code,
  durationMs: row.duration_ms,
  error: row.error,
  responseBody: row.response_body
})
