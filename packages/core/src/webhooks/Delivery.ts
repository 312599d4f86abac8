import { Timestamp } from "../clock/Timestamp.ts"
import type { DeliveryId, WebhookId } from "../ids/Ids.ts"
import type { Webhook, WebhookEvent } from "./Webhook.ts"

/**
 * `pending` waits for its next attempt, or, where `nextAttemptAt` is null, for a recovery: its subscription is or was
 * disabled. `failed` has used up its attempts.
 */
export type DeliveryStatus = "pending" | "delivered" | "failed"

/** One request to the receiver (DELIVERY-9). */
export interface DeliveryAttempt {
  /** The market's time at its start. */
  readonly at: Timestamp
  /** Null where no status line came. */
  readonly statusCode: number | null
  readonly durationMs: number
  /** Why it does not count as delivered; null where it does. */
  readonly error: string | null
  /** The first 2,048 characters of the answer's body; null where none came. */
  readonly responseBody: string | null
}

/** One event on its way to one subscription. */
export interface Delivery {
  /** `deliveryIdOf` the event and the subscription; the `webhook-id` of every attempt (DELIVERY-5). */
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly event: WebhookEvent
  /** When the event happened. */
  readonly eventAt: Timestamp
  /** `{"event":…,"timestamp":…,"data":…}`: the text that is signed, the same bytes on every attempt. */
  readonly payload: string
  readonly status: DeliveryStatus
  /** Attempts on the present run of the schedule; a replay begins a new run. */
  readonly tries: number
  /** Null unless `pending`, and where it waits for a recovery. */
  readonly nextAttemptAt: Timestamp | null
}

/** A delivery with its log, the oldest attempt first; it holds the attempts of all runs. */
export interface LoggedDelivery extends Delivery {
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** A delivery that a worker holds, with everything that sending it takes. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly webhook: Webhook
  /** Proves that the holder still holds it; different for each claim. */
  readonly claim: string
}

/** The log is kept for so long, and so are events that wait for a recovery (DELIVERY-11). */
export const logLifetime = 30 * Timestamp.day

/** How many characters of an answer are kept. */
export const keptBody = 2048

/** One delivery per event and subscription: the id follows from the two, so that no event is ever fanned out twice. */
export const deliveryIdOf = (eventId: string, webhookId: WebhookId): DeliveryId =>
  `dlv_${eventId.slice("evt_".length)}${webhookId.slice("whk_".length)}` as DeliveryId
