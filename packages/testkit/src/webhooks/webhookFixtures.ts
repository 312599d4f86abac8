import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import { fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { ClaimRequest, MadeAttempt } from "@agent-marketplace/core/webhooks/WebhookStore"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { fund } from "../fixtures/settle.ts"
import { usdt } from "../fixtures/usdt.ts"

/** A stored subscription of the account to all events, at a unique host. */
export const subscribed = Effect.fnUntraced(function* (
  account: { readonly id: AccountId },
  fields: Partial<Webhook> = {}
) {
  const clock = yield* MarketClock
  const store = yield* WebhookStore
  const webhook: Webhook = {
    id: freshId("whk"),
    accountId: account.id,
    agentId: null,
    url: `https://${freshText()}.example.com/hook`,
    events: ["*"],
    status: "active",
    secret: `v1.${freshText()}`,
    previous: null,
    health: ReceiverHealth.healthy,
    createdAt: yield* clock.now,
    ...fields
  }
  yield* store.create(webhook)
  return webhook
})

/** Creates the given number of events for the account: deposits of 1, 2, 3 … USDT. */
export const happen = Effect.fnUntraced(function* (account: { readonly id: AccountId }, times = 1) {
  for (let n = 1; n <= times; n++) yield* fund(account, usdt(n))
})

const everything = { limit: 100 }

/** The newest hundred deliveries of a subscription, the oldest event first. */
export const deliveriesOf = Effect.fnUntraced(function* (webhook: Pick<Webhook, "id">) {
  const store = yield* WebhookStore
  return (yield* store.listDeliveries(webhook.id, everything)).items.toReversed()
})

/** Fans out until the subscription has the given number of deliveries. An event becomes visible once no older transaction is open. */
export const dispatchedTo = Effect.fnUntraced(function* (webhook: Pick<Webhook, "id">, count: number) {
  const store = yield* WebhookStore
  yield* eventually(
    `${count} deliveries`,
    Effect.gen(function* () {
      while ((yield* store.dispatch(50, fanOut)) === 50);
      return (yield* store.listDeliveries(webhook.id, everything)).items.length >= count
    })
  )
  return yield* deliveriesOf(webhook)
})

/** Claims all due deliveries and returns those of these subscriptions. */
export const claimOf = Effect.fnUntraced(function* (
  webhooks: ReadonlyArray<Pick<Webhook, "id">>,
  request: Partial<ClaimRequest> = {}
) {
  const clock = yield* MarketClock
  const store = yield* WebhookStore
  const claimed = yield* store.claim({
    // The time in a process may be a few milliseconds behind the market's.
    now: (yield* clock.now) + 1000,
    limit: 1000,
    perWebhook: 100,
    perHost: 100,
    leaseSeconds: 60,
    ...request
  })
  return claimed.filter(({ webhook }) => webhooks.some(({ id }) => id === webhook.id))
})

/** An attempt of the given claim with the given response status. */
export const answered = (claimed: ClaimedDelivery, statusCode: number, at: number): MadeAttempt => ({
  deliveryId: claimed.delivery.id,
  claim: claimed.claim,
  attempt: {
    at,
    statusCode,
    durationMs: 12,
    error: statusCode < 300 ? null : `HTTP ${statusCode}`,
    responseBody: `said ${statusCode}`
  },
  retryAfter: null
})
