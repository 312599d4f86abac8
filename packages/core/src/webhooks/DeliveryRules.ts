import type { LoggedEvent } from "../events/EventLog.ts"
import type { Delivery } from "./Delivery.ts"
import { deliveryIdOf } from "./Delivery.ts"
import { Envelope } from "./Envelope.ts"
import { ReceiverHealth } from "./ReceiverHealth.ts"
import { RetrySchedule } from "./RetrySchedule.ts"
import type { Webhook } from "./Webhook.ts"
import { listensTo } from "./Webhook.ts"
import type { AttemptRule, DeliveryState, FanOut, MadeAttempt } from "./WebhookStore.ts"

/** The receiver is gone for good. */
const gone = 410

/**
 * One delivery for each subscription that listens to the event; an agent's subscription gets only what that agent did (WEBHOOK-5). What happens while a subscription is disabled waits for a
 * recovery (WEBHOOK-14).
 */
export const fanOut: FanOut = (event: LoggedEvent, webhooks: ReadonlyArray<Webhook>): ReadonlyArray<Delivery> => {
  const { accounts, agentId, at, data, id, type } = event
  if (type === "agent.registered") return []
  return webhooks
    .filter(
      (webhook) =>
        accounts.includes(webhook.accountId) &&
        (webhook.agentId === null || webhook.agentId === agentId) &&
        listensTo(webhook, type)
    )
    .map((webhook) => ({
      id: deliveryIdOf(id, webhook.id),
      webhookId: webhook.id,
      event: type,
      eventAt: at,
      payload: Envelope.payload({ type, at, data }),
      status: "pending",
      tries: 0,
      nextAttemptAt: webhook.status === "active" ? at : null
    }))
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
 * After an attempt (DELIVERY-6, DELIVERY-7, WEBHOOK-12, WEBHOOK-13): delivered; or tried again on the schedule, or failed at its end. 410, and 5 days of nothing but failures,
 * disable the subscription. An attempt of a claim that had ended changes a delivery only by succeeding.
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
  const ends = attempt.statusCode === gone || ReceiverHealth.isGivenUp(health, attempt.at)
  const after: Webhook = { ...webhook, health, status: ends ? "disabled" : webhook.status }
  const moves = holds && delivery.status === "pending"
  return { holds, webhook: after, delivery: moves ? afterFailure({ ...state, webhook: after }, made) : delivery }
}
