import { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, InsufficientBalance, NotFound } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import type { Refund } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import { emptyBalance } from "../wallets/Ledger.ts"
import type { Purchase } from "./Purchase.ts"
import { purchaseEvent } from "./SaleRule.ts"
import { subscriptionEvent } from "./SubscriptionRules.ts"

/** Until when after a purchase its seller may refund it (REFUND-1). */
export const refundWindow = 14 * Timestamp.day

/** Ends at once; told only where the owner's own cancellation was not told before (SUBSCRIPTION-7). */
const endSubscription = (state: MarketState, purchase: Purchase): ReadonlyArray<Change> =>
  [...state.subscriptions.values()]
    .filter((subscription) => subscription.purchaseId === purchase.id && subscription.status !== "cancelled")
    .flatMap((subscription): ReadonlyArray<Change> => {
      const ended = { ...subscription, status: "cancelled" as const, nextAttemptAt: null }
      return [
        { _tag: "Subscription", subscription: ended },
        ...(subscription.cancelAtPeriodEnd
          ? []
          : [{ _tag: "Event" as const, event: subscriptionEvent("subscription.cancelled", ended, state.now) }])
      ]
    })

/** The seller returns its net and the platform its fee; the operator's refund never fails for the seller's lack of money (REFUND-3, REFUND-4, REFUND-7, REFUND-8). */
export const refundRule: Rule<Refund> = (state, command) => {
  const frozen = command.by === "seller" ? frozenOf(state, command.sellerId) : undefined
  if (frozen !== undefined) return refuse(frozen)
  const purchase = state.purchases.get(command.purchaseId)
  if (
    purchase === undefined ||
    purchase.sellerId !== command.sellerId ||
    purchase.status === "rejected" ||
    purchase.status === "expired"
  ) {
    return refuse(new NotFound({ resource: "PURCHASE" }))
  }
  if (purchase.status !== "completed") return refuse(new Conflict({ state: purchase.status }))
  if (state.now - purchase.purchasedAt > refundWindow) {
    return refuse(
      new Conflict({ state: purchase.status, reason: "the 14 days in which a purchase can be refunded are over" })
    )
  }
  const { amount, buyerId, fee, sellerId } = purchase
  const { available } = state.wallets.get(sellerId) ?? emptyBalance
  const net = Usdt.of(amount - fee)
  const missing = available >= net ? Usdt.zero : Usdt.of(net - available)
  if (missing > 0n && command.by === "seller") return refuse(new InsufficientBalance({ required: net, available }))
  const refunded: Purchase = { ...purchase, status: "refunded" }
  return accept({ _tag: "Refunded", purchase: refunded }, [
    ...Postings.refund(buyerId, sellerId, { amount, reference: purchase.id, at: state.now }, fee, missing),
    { _tag: "Purchase", purchase: refunded },
    { _tag: "Entitlement", buyerId, itemId: purchase.item.id, entitlement: null },
    { _tag: "Sold", itemId: purchase.item.id, by: -1 },
    ...endSubscription(state, purchase),
    { _tag: "Event", event: purchaseEvent("purchase.refunded", refunded, state.now) }
  ])
}
