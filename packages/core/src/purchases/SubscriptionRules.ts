import { Result } from "effect"
import { limitsNeared, withinBudgets } from "../approvals/Budgets.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { EventType, MarketEvent } from "../events/MarketEvent.ts"
import { causedBy } from "../events/MarketEvent.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { platformFee } from "../money/Fee.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { lockProceeds } from "../wallets/EscrowRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import type { CancelSubscription, Renew, ResumeSubscription } from "../settlement/Command.ts"
import type { Decision, Rule } from "../settlement/Rule.ts"
import { accept, done, refuse } from "../settlement/Rule.ts"
import { emptyBalance } from "../wallets/Ledger.ts"
import type { Subscription } from "./Subscription.ts"
import { periodLength, renewalRetryPeriod, renewalRetry } from "./Subscription.ts"

/** An event about a subscription. The `fee` of a renewal is used only by the feed, the `name` only by notifications. */
export const subscriptionEvent = (
  type: EventType,
  subscription: Subscription,
  at: Timestamp,
  fee: Usdt = Usdt.zero
): MarketEvent => ({
  type,
  at,
  subject: subscription.id,
  accounts: [subscription.buyerId, subscription.sellerId],
  ...causedBy(subscription.agentId),
  data: {
    subscriptionId: subscription.id,
    purchaseId: subscription.purchaseId,
    listingId: subscription.item.id,
    buyerId: subscription.buyerId,
    sellerId: subscription.sellerId,
    amount: Usdt.format(subscription.price),
    fee: Usdt.format(fee),
    currency: "USDT",
    currentPeriodEnd: new Date(subscription.currentPeriodEnd).toISOString(),
    name: subscription.item.name
  }
})

/** Ends a subscription; the item can then be bought again (SUBSCRIPTION-7, EVENT-7). */
const ended = (subscription: Subscription): ReadonlyArray<Change> => [
  { _tag: "Subscription", subscription: { ...subscription, status: "cancelled", nextAttemptAt: null } },
  { _tag: "Entitlement", buyerId: subscription.buyerId, itemId: subscription.item.id, entitlement: null }
]

/** The owner's cancellation. The license stays valid to the end of the period; if that has passed, the subscription ends immediately. */
export const cancelSubscriptionRule: Rule<CancelSubscription> = (state, command) => {
  const frozen = frozenOf(state, command.buyerId)
  if (frozen !== undefined) return refuse(frozen)
  const subscription = state.subscriptions.get(command.subscriptionId)
  if (subscription === undefined || subscription.buyerId !== command.buyerId) {
    return refuse(new NotFound({ resource: "SUBSCRIPTION" }))
  }
  if (subscription.status === "cancelled" || subscription.cancelAtPeriodEnd) {
    return refuse(new Conflict({ state: "cancelled" }))
  }
  const cancelled: Subscription = { ...subscription, cancelAtPeriodEnd: true }
  const over = cancelled.currentPeriodEnd <= state.now
  const now: Subscription = over ? { ...cancelled, status: "cancelled", nextAttemptAt: null } : cancelled
  return accept({ _tag: "Subscription", subscription: now }, [
    ...(over ? ended(cancelled) : [{ _tag: "Subscription" as const, subscription: cancelled }]),
    { _tag: "Event", event: subscriptionEvent("subscription.cancelled", now, state.now) }
  ])
}

/** Undoes a cancellation before the period ends (SUBSCRIPTION-4). */
export const resumeSubscriptionRule: Rule<ResumeSubscription> = (state, command) => {
  const frozen = frozenOf(state, command.buyerId)
  if (frozen !== undefined) return refuse(frozen)
  const subscription = state.subscriptions.get(command.subscriptionId)
  if (subscription === undefined || subscription.buyerId !== command.buyerId) {
    return refuse(new NotFound({ resource: "SUBSCRIPTION" }))
  }
  if (subscription.status === "cancelled" || subscription.currentPeriodEnd <= state.now) {
    return refuse(new Conflict({ state: "cancelled" }))
  }
  if (!subscription.cancelAtPeriodEnd) return refuse(new Conflict({ state: subscription.status }))
  const resumed: Subscription = { ...subscription, cancelAtPeriodEnd: false }
  return accept({ _tag: "Subscription", subscription: resumed }, [{ _tag: "Subscription", subscription: resumed }])
}

const renewed = (state: MarketState, command: Renew, subscription: Subscription): Decision => {
  const onTime = subscription.status === "active" && subscription.currentPeriodEnd + periodLength > state.now
  const start = onTime ? subscription.currentPeriodEnd : state.now
  const end = start + periodLength
  const fee = platformFee(subscription.price, command.feeBps)
  const next: Subscription = {
    ...subscription,
    status: "active",
    currentPeriodStart: start,
    currentPeriodEnd: end,
    refusedSince: null,
    nextAttemptAt: end
  }
  const { agentId, buyerId, price: amount, sellerId } = subscription
  const purchase = state.purchases.get(subscription.purchaseId)
  return accept({ _tag: "Done" }, [
    ...Postings.sale(buyerId, sellerId, { amount, reference: command.renewalId, at: state.now }, fee),
    ...lockProceeds(
      state,
      {
        sellerId,
        reference: command.renewalId,
        amount: Usdt.of(amount - fee),
        owes: state.items.get(subscription.item.id)?.sellerOwes === true
      },
      command
    ),
    {
      _tag: "Renewal",
      renewal: {
        id: command.renewalId,
        subscriptionId: subscription.id,
        purchaseId: subscription.purchaseId,
        buyerId,
        sellerId,
        agentId,
        amount,
        fee,
        status: "completed",
        at: state.now
      }
    },
    { _tag: "Subscription", subscription: next },
    ...(purchase === undefined ? [] : [{ _tag: "Purchase" as const, purchase: { ...purchase, expiresAt: end } }]),
    { _tag: "Event", event: subscriptionEvent("subscription.renewed", next, state.now, fee) },
    ...limitsNeared(state, { owner: buyerId, agent: agentId }, amount)
  ])
}

const refused = (state: MarketState, subscription: Subscription): Decision => {
  const since = subscription.refusedSince ?? state.now
  if (state.now - since >= renewalRetryPeriod) {
    return accept({ _tag: "Done" }, [
      ...ended({ ...subscription, refusedSince: since }),
      { _tag: "Event", event: subscriptionEvent("subscription.cancelled", subscription, state.now) }
    ])
  }
  const next = Math.min(state.now + renewalRetry, since + renewalRetryPeriod)
  return accept({ _tag: "Done" }, [
    {
      _tag: "Subscription",
      subscription: { ...subscription, status: "past_due", refusedSince: since, nextAttemptAt: next }
    }
  ])
}

/**
 * Handles a subscription at the end of its period: renews it, postpones it while the balance, the policy or a freeze refuses, or ends it
 * (AGENT-10, SUBSCRIPTION-2, SUBSCRIPTION-5, SUBSCRIPTION-6).
 */
export const renewRule: Rule<Renew> = (state, command) => {
  const subscription = state.subscriptions.get(command.subscriptionId)
  if (subscription === undefined || subscription.nextAttemptAt === null || subscription.nextAttemptAt > state.now)
    return done
  if (subscription.cancelAtPeriodEnd) return accept({ _tag: "Done" }, ended(subscription))
  if (state.items.get(subscription.item.id)?.onSale !== true) {
    return accept({ _tag: "Done" }, [
      ...ended(subscription),
      { _tag: "Event", event: subscriptionEvent("subscription.cancelled", subscription, state.now) }
    ])
  }
  const { agentId, buyerId, item, price: amount, sellerId } = subscription
  const allowed = withinBudgets(
    state,
    { owner: buyerId, agent: agentId },
    { amount, category: item.category, sellerId }
  )
  const { available } = state.wallets.get(buyerId) ?? emptyBalance
  return frozenOf(state, buyerId, agentId) === undefined && Result.isSuccess(allowed) && available >= amount
    ? renewed(state, command, subscription)
    : refused(state, subscription)
}
