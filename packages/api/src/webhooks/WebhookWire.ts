import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { LoggedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import type { DeliveryTimeline as CoreDeliveryTimeline } from "@agent-marketplace/core/webhooks/DeliveryTimeline"
import type { Webhook as CoreWebhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { Delivery, DeliveryTimeline, Webhook } from "./WebhookSchemas.ts"

/** Without the secret (WEBHOOK-1). */
export const toWebhook = (webhook: CoreWebhook): typeof Webhook.Type => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  status: webhook.status,
  createdAt: Timestamp.toIso(webhook.createdAt)
})

export const toDelivery = (delivery: LoggedDelivery): typeof Delivery.Type => ({
  id: delivery.id,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, durationMs, error, responseBody, statusCode }) => ({
    at: Timestamp.toIso(at),
    statusCode,
    durationMs,
    error,
    responseBody
  })),
  nextAttemptAt: delivery.nextAttemptAt === null ? null : Timestamp.toIso(delivery.nextAttemptAt)
})

export const toDeliveryTimeline = ({
  from,
  periods,
  series,
  to
}: CoreDeliveryTimeline): typeof DeliveryTimeline.Type => ({
  from: Timestamp.toIso(from),
  to: Timestamp.toIso(to),
  periods,
  series
})
