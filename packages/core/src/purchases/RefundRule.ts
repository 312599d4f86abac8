import { noProgress } from "../advisories/Revocation.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, InsufficientBalance, NotFound } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import type { Refund } from "../settlement/Command.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import { entitlementKey } from "../settlement/MarketState.ts"
import { Postings } from "../settlement/Postings.ts"
import type { Decision, Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import { unlockForRefund } from "../wallets/EscrowRule.ts"
import { emptyBalance } from "../wallets/Ledger.ts"
import type { Purchase } from "./Purchase.ts"
import type { Sale } from "./Sale.ts"
import { saleOf, saleOfRenewal } from "./Sale.ts"
import { purchaseEvent } from "./SaleRule.ts"
import type { Renewal } from "./Subscription.ts"
import { subscriptionEvent } from "./SubscriptionRules.ts"

/** The time after a purchase or a renewal within which its seller and the operator may refund it (REFUND-1, REFUND-2). */
const refundWindows = { seller: 14 * Timestamp.day, admin: 180 * Timestamp.day } as const

/** Ends the subscription immediately. The event is omitted if the owner's own cancellation has already emitted it (SUBSCRIPTION-7). */
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

/** Removes the entitlement to the item, unless the item was bought again since. */
const endEntitlement = (state: MarketState, { buyerId, id, item }: Purchase): ReadonlyArray<Change> =>
  state.entitlements.get(entitlementKey(buyerId, item.id))?.purchaseId === id
    ? [{ _tag: "Entitlement", buyerId, itemId: item.id, entitlement: null }]
    : []

/** The money of a refund: what each party receives and owes, or why the refund is refused. */
const moneyOf = (
  state: MarketState,
  command: Refund,
  { amount, fee, id, sellerId }: Pick<Purchase, "amount" | "fee" | "sellerId"> & { readonly id: string }
): ReadonlyArray<Change> | Decision => {
  const net = Usdt.of(amount - fee)
  const { available, debt } = state.wallets.get(sellerId) ?? emptyBalance
  const { changes, unlocked } = unlockForRefund(state, sellerId, id, net)
  const held = available + unlocked
  const missing = held >= net ? Usdt.zero : Usdt.of(net - held)
  if (missing > 0n && command.by === "seller") {
    return refuse(new InsufficientBalance({ required: net, available: Usdt.of(held) }))
  }
  if (missing > 0n && command.coverLimit !== null && debt + missing > command.coverLimit) {
    const owed = Usdt.withCurrency(Usdt.of(debt + missing))
    return refuse(new Conflict({ state: "cover_limit", reason: `the seller would owe ${owed}` }))
  }
  const posting = { amount, reference: id, at: state.now }
  return [...changes, ...Postings.refund(command.buyerId, sellerId, posting, fee, missing)]
}

interface Target {
  readonly id: string
  readonly sellerId: AccountId
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: string
  readonly at: Timestamp
}

const targetOf = (purchase: Purchase, renewal: Renewal | undefined): Target =>
  renewal === undefined ? { ...purchase, at: purchase.purchasedAt } : { ...renewal, at: renewal.at }

/** The refunded purchase or renewal, and everything that ends with it. */
const endOf = (
  state: MarketState,
  purchase: Purchase,
  renewal: Renewal | undefined
): { readonly sale: Sale; readonly changes: ReadonlyArray<Change> } => {
  const ends = [...endEntitlement(state, purchase), ...endSubscription(state, purchase)]
  if (renewal === undefined) {
    const refunded: Purchase = { ...purchase, status: "refunded" }
    return {
      sale: saleOf(refunded),
      changes: [{ _tag: "Purchase", purchase: refunded }, ...ends, { _tag: "Sold", itemId: purchase.item.id, by: -1 }]
    }
  }
  const refunded: Renewal = { ...renewal, status: "refunded" }
  const ended: Purchase = { ...purchase, expiresAt: Math.min(purchase.expiresAt ?? state.now, state.now) }
  return {
    sale: saleOfRenewal(refunded, ended),
    changes: [{ _tag: "Renewal", renewal: refunded }, { _tag: "Purchase", purchase: ended }, ...ends]
  }
}

/** The entry of the operator's log, written with the refund. */
const actionOf = ({ action, coverLimit, reason }: Refund, before: string): ReadonlyArray<Change> =>
  action === undefined
    ? []
    : [
        {
          _tag: "Action",
          action: {
            ...action,
            before: { status: before },
            after: { status: "refunded", reason, force: coverLimit === null }
          }
        }
      ]

/** Counts the refund for the revocation that caused it (REVOKE-5). */
const progressOf = ({ revocationId }: Refund, amount: Usdt, money: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  if (revocationId === undefined) return []
  const lent = money.reduce((sum, change) => {
    return change._tag === "Line" && change.line.type === "debt" ? sum + change.line.amount : sum
  }, 0n)
  const progress = { ...noProgress, refunded: 1, amount, covered: Usdt.of(lent) }
  return [{ _tag: "RevocationProgress", revocationId, progress }]
}

/**
 * Refunds a purchase or a renewal (REFUND-3, REFUND-5): the seller returns its net and the platform its fee. The seller's money is taken from this
 * sale's escrow, then from other escrow, then from the available balance. For the operator, the platform lends what is missing, up to a
 * limit (REFUND-8, REFUND-9) (REFUND-4, REFUND-7).
 */
export const refundRule: Rule<Refund> = (state, command) => {
  const frozen = command.by === "seller" ? frozenOf(state, command.sellerId) : undefined
  if (frozen !== undefined) return refuse(frozen)
  const purchase = state.purchases.get(command.purchaseId)
  const renewal = command.renewalId === null ? undefined : state.renewals.get(command.renewalId)
  if (
    purchase === undefined ||
    purchase.sellerId !== command.sellerId ||
    (command.renewalId !== null && renewal?.purchaseId !== purchase.id)
  ) {
    return refuse(new NotFound({ resource: "PURCHASE" }))
  }
  const target = targetOf(purchase, renewal)
  if (target.status !== "completed") return refuse(new Conflict({ state: target.status }))
  const window = refundWindows[command.by]
  if (command.revocationId === undefined && state.now - target.at > window) {
    const reason = `the ${window / Timestamp.day} days in which it can be refunded are over`
    return refuse(new Conflict({ state: target.status, reason }))
  }
  const money = moneyOf(state, command, target)
  if ("outcome" in money) return money
  const { changes, sale } = endOf(state, purchase, renewal)
  const event = purchaseEvent("purchase.refunded", { ...purchase, amount: target.amount }, state.now, {
    renewalId: command.renewalId,
    reason: command.reason
  })
  return accept({ _tag: "Refunded", sale }, [
    ...money,
    ...changes,
    ...progressOf(command, target.amount, money),
    { _tag: "Event", event: { ...event, subject: target.id } },
    ...actionOf(command, target.status)
  ])
}
