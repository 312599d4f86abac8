import { Result } from "effect"
import type { Approval } from "../approvals/Approval.ts"
import { approvalLifetime } from "../approvals/Approval.ts"
import { limitsNeared, needsOwnerApproval, withinBudgets } from "../approvals/Budgets.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import {
  AlreadyPurchased,
  Conflict,
  InsufficientBalance,
  NotFound,
  OwnListing,
  PriceChanged
} from "../errors/MarketError.ts"
import type { EventData, EventType, MarketEvent } from "../events/MarketEvent.ts"
import { causedBy } from "../events/MarketEvent.ts"
import type { AccountId, ItemId, SubscriptionId } from "../ids/Ids.ts"
import { platformFee } from "../money/Fee.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { lockProceeds } from "../wallets/EscrowRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MarketState, SaleItem } from "../settlement/MarketState.ts"
import { entitlementKey } from "../settlement/MarketState.ts"
import type { Buy, Proceeds, SaleIds } from "../settlement/Command.ts"
import type { Decision, Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import { emptyBalance } from "../wallets/Ledger.ts"
import type { Purchase, PurchasedItem } from "./Purchase.ts"
import { pricingModelOf } from "./Purchase.ts"
import { periodLength } from "./Subscription.ts"

/** The failure for an item that does not exist or is not for sale. */
const itemNotFound = (id: ItemId): NotFound => new NotFound({ resource: id.startsWith("soul_") ? "SOUL" : "LISTING" })

/** An event about a purchase, for webhooks (EVENT-1) and the feed. */
export const purchaseEvent = (
  type: EventType,
  purchase: Purchase,
  at: Timestamp,
  more: EventData = {},
  accounts: ReadonlyArray<AccountId> = [purchase.buyerId, purchase.sellerId]
): MarketEvent => ({
  type,
  at,
  subject: purchase.id,
  accounts,
  ...causedBy(purchase.agentId),
  data: {
    purchaseId: purchase.id,
    listingId: purchase.item.id,
    buyerId: purchase.buyerId,
    sellerId: purchase.sellerId,
    amount: Usdt.format(purchase.amount),
    fee: Usdt.format(purchase.fee),
    currency: "USDT",
    name: purchase.item.name,
    ...more
  }
})

const startSubscription = (purchase: Purchase, id: SubscriptionId, now: Timestamp): Change => ({
  _tag: "Subscription",
  subscription: {
    id,
    purchaseId: purchase.id,
    buyerId: purchase.buyerId,
    sellerId: purchase.sellerId,
    agentId: purchase.agentId,
    item: purchase.item,
    price: purchase.amount,
    status: "active",
    currentPeriodStart: now,
    currentPeriodEnd: now + periodLength,
    cancelAtPeriodEnd: false,
    refusedSince: null,
    nextAttemptAt: now + periodLength
  }
})

/** Completes a sale, immediately or on approval: money, escrow, license, subscription and event (BUY-13, SALE-2). */
export const completeSale = (
  state: MarketState,
  pending: Purchase,
  ids: SaleIds & Proceeds
): { readonly purchase: Purchase; readonly changes: ReadonlyArray<Change> } => {
  const { now } = state
  const subscribed = pending.licenseType === "subscription"
  const purchase: Purchase = {
    ...pending,
    status: "completed",
    licenseKey: ids.licenseKey,
    purchasedAt: now,
    expiresAt: subscribed ? now + periodLength : null
  }
  const posting = { amount: purchase.amount, reference: purchase.id, at: now }
  return {
    purchase,
    changes: [
      ...Postings.sale(purchase.buyerId, purchase.sellerId, posting, purchase.fee),
      ...lockProceeds(
        state,
        {
          sellerId: purchase.sellerId,
          reference: purchase.id,
          amount: Usdt.of(purchase.amount - purchase.fee),
          owes: state.items.get(purchase.item.id)?.sellerOwes === true
        },
        ids
      ),
      { _tag: "Purchase", purchase },
      {
        _tag: "Entitlement",
        buyerId: purchase.buyerId,
        itemId: purchase.item.id,
        entitlement: { purchaseId: purchase.id, state: "owned" }
      },
      { _tag: "Sold", itemId: purchase.item.id, by: 1 },
      ...(subscribed ? [startSubscription(purchase, ids.subscriptionId, now)] : []),
      { _tag: "Event", event: purchaseEvent("purchase.completed", purchase, now, { licenseKey: ids.licenseKey }) }
    ]
  }
}

/** The item's present price in USDT and its pricing model, if they differ from what the buyer agreed to (BUY-4, BUY-5, BUY-6). */
const priceChange = (command: Buy, { currency, price, pricingModel }: SaleItem): PriceChanged | undefined => {
  const now = command.toUsdt(price, currency)
  const tooHigh = command.maxPrice !== null && now > command.maxPrice
  const otherModel = command.pricingModel !== null && command.pricingModel !== pricingModel
  return tooHigh || otherModel ? new PriceChanged({ price: now, pricingModel }) : undefined
}

/** The checks of BUY-3 before the policy: for sale, agreed terms, not an own item, not owned, not pending (BUY-3, BUY-7, BUY-8, BUY-9). */
const availableTo = (state: MarketState, command: Buy): Result.Result<SaleItem, Decision> => {
  const item = state.items.get(command.itemId)
  if (item === undefined || !item.onSale) return Result.fail(refuse(itemNotFound(command.itemId)))
  const changed = priceChange(command, item)
  if (changed !== undefined) return Result.fail(refuse(changed))
  if (item.sellerId === command.buyerId) return Result.fail(refuse(new OwnListing()))
  const entitlement = state.entitlements.get(entitlementKey(command.buyerId, command.itemId))
  if (entitlement === undefined) return Result.succeed(item)
  const { purchaseId } = entitlement
  return Result.fail(
    refuse(
      entitlement.state === "owned"
        ? new AlreadyPurchased({ purchaseId })
        : new Conflict({ state: "pending_approval", purchaseId })
    )
  )
}

const snapshot = ({ category, creator, description, id, kind, name, slug }: SaleItem): PurchasedItem => ({
  id,
  kind,
  name,
  slug,
  description,
  category,
  creator
})

const draft = (state: MarketState, command: Buy, item: SaleItem): Purchase => {
  const amount = command.toUsdt(item.price, item.currency)
  return {
    id: command.purchaseId,
    buyerId: command.buyerId,
    sellerId: item.sellerId,
    agentId: command.agentId,
    trackingId: command.trackingId,
    item: snapshot(item),
    amount,
    fee: platformFee(amount, command.feeBps),
    status: "pending",
    failureReason: null,
    licenseKey: null,
    licenseType: amount === 0n ? "free" : item.pricingModel === "subscription" ? "subscription" : "perpetual",
    purchasedAt: state.now,
    expiresAt: null
  }
}

/** Holds the price and waits for the owner (BUY-11, BUY-12). */
const waitForOwner = (purchase: Purchase, command: Buy, now: Timestamp, neared: ReadonlyArray<Change>): Decision => {
  const approval: Approval = {
    id: command.approvalId,
    purchaseId: purchase.id,
    accountId: purchase.buyerId,
    agentId: purchase.agentId,
    item: purchase.item,
    amount: purchase.amount,
    pricingModel: pricingModelOf(purchase),
    status: "pending",
    requestedAt: now,
    expiresAt: now + approvalLifetime,
    decidedAt: null
  }
  return accept({ _tag: "Bought", purchase }, [
    ...Postings.hold(purchase.buyerId, { amount: purchase.amount, reference: purchase.id, at: now }),
    { _tag: "Purchase", purchase },
    { _tag: "Approval", approval },
    {
      _tag: "Entitlement",
      buyerId: purchase.buyerId,
      itemId: purchase.item.id,
      entitlement: { purchaseId: purchase.id, state: "pending_approval" }
    },
    {
      _tag: "Event",
      event: purchaseEvent("purchase.pending_approval", purchase, now, { approvalId: approval.id }, [purchase.buyerId])
    },
    ...neared
  ])
}

/** A purchase, with the checks in the order of BUY-3, in one step (BUY-13). */
export const saleRule: Rule<Buy> = (state, command) => {
  const frozen = frozenOf(state, command.buyerId, command.agentId)
  if (frozen !== undefined) return refuse(frozen)
  const available = availableTo(state, command)
  if (Result.isFailure(available)) return available.failure
  const purchase = draft(state, command, available.success)
  const { amount, sellerId, item } = purchase
  const spender = { owner: command.buyerId, agent: command.agentId }
  const allowed = withinBudgets(state, spender, { amount, category: item.category, sellerId })
  if (Result.isFailure(allowed)) return refuse(allowed.failure)
  const balance = (state.wallets.get(command.buyerId) ?? emptyBalance).available
  if (balance < amount) return refuse(new InsufficientBalance({ required: amount, available: balance }))
  const neared = limitsNeared(state, spender, amount)
  if (needsOwnerApproval(state, command.buyerId, command.agentId, amount))
    return waitForOwner(purchase, command, state.now, neared)
  const sale = completeSale(state, purchase, command)
  return accept({ _tag: "Bought", purchase: sale.purchase }, [...sale.changes, ...neared])
}
