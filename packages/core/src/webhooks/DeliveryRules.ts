import type { LoggedEvent } from "../events/EventLog.ts"
import { isSent } from "../events/MarketEvent.ts"
import { Traceparent } from "../events/Traceparent.ts"
import type { Delivery } from "./Delivery.ts"
import { deliveryIdOf } from "./Delivery.ts"
import { Envelope } from "./Envelope.ts"
import { ReceiverHealth } from "./ReceiverHealth.ts"
import { RetrySchedule } from "./RetrySchedule.ts"
import type { Webhook } from "./Webhook.ts"
import { listensTo } from "./Webhook.ts"
import type { AttemptRule, DeliveryState, FanOut, MadeAttempt } from "./WebhookStore.ts"

/** HTTP 410: the receiver is permanently gone. */
const gone = 410

/**
 * Creates one delivery for each subscription to the event. An agent's subscription receives only events that the agent caused (WEBHOOK-5).
 * Events that happen while a subscription is disabled wait for a recovery (WEBHOOK-14).
 */
export const fanOut: FanOut = (event: LoggedEvent, webhooks: ReadonlyArray<Webhook>): ReadonlyArray<Delivery> => {
  const { accounts, agentId, at, data, id, traceparent, type } = event
  if (!isSent(type)) return []
  return webhooks
    .filter(
      (webhook) =>
        accounts.includes(webhook.accountId) &&
        (webhook.agentId === null || webhook.agentId === agentId) &&
        listensTo(webhook, type)
    )
    .map((webhook) =>
      Traceparent.on(
        {
          id: deliveryIdOf(id, webhook.id),
          webhookId: webhook.id,
          event: type,
          eventAt: at,
          payload: Envelope.payload({ type, at, data }),
          status: "pending",
          tries: 0,
          nextAttemptAt: webhook.status === "active" ? at : null
        },
        traceparent
      )
    )
}

const afterFailure = ({ delivery, webhook }: DeliveryState, { attempt, retryAfter }: MadeAttempt): Delivery => {
  const tries = delivery.tries + 1
  const end = attempt.at + attempt.durationMs
  const wait = RetrySchedule.delay(delivery.id, tries, retryAfter, end)
  if (wait === undefined || attempt.statusCode === gone) {
    return { ...delivery, status: "failed", tries, nextAttemptAt: null }
  }
  return { ...delivery, tries, nextAttemptAt: webhook.status === "active" ? end + wait : null }
}

/**
 * Applies the result of an attempt (DELIVERY-6, DELIVERY-7, WEBHOOK-12, WEBHOOK-13): delivered, or retried on the schedule, or failed at its
 * end. A 410, or failures without a success for 5 days, disable the subscription. An attempt whose claim has expired changes a delivery only
 * if it succeeded.
 */
export const attemptRule: AttemptRule = (state, made) => {
  const { delivery, holds, webhook } = state
  const { attempt } = made
  if (attempt.error === null) {
    const health = ReceiverHealth.succeeded(webhook.health)
    return {
      holds,
      webhook: health === webhook.health ? webhook : { ...webhook, health },
      delivery: { ...delivery, status: "delivered", tries: delivery.tries + 1, nextAttemptAt: null }
    }
  }
  const health = ReceiverHealth.failed(webhook.health, attempt.at)
  const ends = attempt.statusCode === gone || ReceiverHealth.hasFailedTooLong(health, attempt.at)
  const after: Webhook = { ...webhook, health, status: ends ? "disabled" : webhook.status }
  const moves = holds && delivery.status === "pending"
  return { holds, webhook: after, delivery: moves ? afterFailure({ ...state, webhook: after }, made) : delivery }
}
