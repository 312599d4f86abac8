import { Timestamp } from "../clock/Timestamp.ts"
import type { Traceparent } from "../events/Traceparent.ts"
import type { DeliveryId, WebhookId } from "../ids/Ids.ts"
import type { Webhook, WebhookEvent } from "./Webhook.ts"

/**
 * `pending` waits for its next attempt. If `nextAttemptAt` is null, it waits for a recovery, because its subscription is or was disabled.
 * `failed` has used all its attempts.
 */
export type DeliveryStatus = "pending" | "delivered" | "failed"

/** One request to the receiver (DELIVERY-9). */
export interface DeliveryAttempt {
  /** The market's time at its start. */
  readonly at: Timestamp
  /** Null if no status line was received. */
  readonly statusCode: number | null
  readonly durationMs: number
  /** Why the attempt does not count as delivered; null if it does. */
  readonly error: string | null
  /** The first 2,048 characters of the response's body; null if there was none. */
  readonly responseBody: string | null
}

/** One event to be delivered to one subscription. */
export interface Delivery {
  /** `deliveryIdOf` the event and the subscription, sent as `webhook-id` with every attempt (DELIVERY-5). */
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly event: WebhookEvent
  /** When the event happened. */
  readonly eventAt: Timestamp
  /** `{"event":…,"timestamp":…,"data":…}`: the signed text, identical in every attempt. */
  readonly payload: string
  readonly status: DeliveryStatus
  /** The number of attempts in the present run of the schedule. A replay starts a new run. */
  readonly tries: number
  /** Null unless `pending`, and null while it waits for a recovery. */
  readonly nextAttemptAt: Timestamp | null
  /** The trace context of the event. */
  readonly traceparent?: Traceparent
}

/** A delivery with its log, oldest attempt first. The log contains the attempts of all runs. */
export interface LoggedDelivery extends Delivery {
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** A delivery that a worker has claimed, with everything needed to send it. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly webhook: Webhook
  /** Identifies the claim; different for each claim. */
  readonly claim: string
}

/** How long the log is kept, and how long events wait for a recovery (DELIVERY-11). */
export const logLifetime = 30 * Timestamp.day

/** The number of characters of a response that are kept. */
export const keptBody = 2048

/** The id is derived from the event and the subscription, so that an event is delivered to a subscription only once. */
export const deliveryIdOf = (eventId: string, webhookId: WebhookId): DeliveryId =>
  `dlv_${eventId.slice("evt_".length)}${webhookId.slice("whk_".length)}` as DeliveryId
