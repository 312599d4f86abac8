import { categoryIcon } from "@agent-marketplace/core/catalogue/Categories"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Timeline as CoreTimeline } from "@agent-marketplace/core/purchases/Timeline"
import type { Spent } from "@agent-marketplace/core/purchases/SpendingReport"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase as CorePurchase, PurchasedItem } from "@agent-marketplace/core/purchases/Purchase"
import type { Sale as CoreSale } from "@agent-marketplace/core/purchases/Sale"
import { isSaleValid } from "@agent-marketplace/core/purchases/Sale"
import { isLicenseValid } from "@agent-marketplace/core/purchases/Purchase"
import type { LicenseCheck as CoreLicenseCheck } from "@agent-marketplace/core/purchases/Purchases"
import type { Subscription as CoreSubscription } from "@agent-marketplace/core/purchases/Subscription"
import type {
  BuyResult,
  LicenseCheck,
  Purchase,
  PurchasedSkill,
  Sale,
  Spending,
  Timeline,
  Subscription
} from "./PurchaseSchemas.ts"

export const toPurchasedSkill = (item: PurchasedItem): typeof PurchasedSkill.Type => ({
  id: item.id,
  name: item.name,
  slug: item.slug,
  description: item.description,
  category: item.category,
  categoryIcon: categoryIcon(item.category),
  creator: item.creator
})

/** The seller's side of a purchase or renewal, without the buyer's name and agent (SALE-3, SALE-4). `now` in milliseconds since the epoch. */
export const toSale = (sale: CoreSale, now: Timestamp): typeof Sale.Type => ({
  id: sale.id,
  kind: sale.kind,
  skill: toPurchasedSkill(sale.item),
  buyerId: sale.buyerId,
  amount: Usdt.toNumber(sale.amount),
  fee: Usdt.toNumber(sale.fee),
  net: Usdt.toNumber(sale.amount - sale.fee),
  currency: "USDT",
  status: sale.status,
  licenseType: sale.licenseType,
  isValid: isSaleValid(sale, now),
  purchasedAt: Timestamp.toIso(sale.soldAt)
})

/** A purchase as its buyer sees it (BUY-15, BUY-17, BUY-19). `now` in milliseconds since the epoch. */
export const toPurchase = (purchase: CorePurchase, now: Timestamp): typeof Purchase.Type => ({
  id: purchase.id,
  skill: toPurchasedSkill(purchase.item),
  amount: Usdt.toNumber(purchase.amount),
  fee: Usdt.toNumber(purchase.fee),
  currency: "USDT",
  status: purchase.status,
  failureReason: purchase.failureReason,
  licenseKey: purchase.licenseKey,
  licenseType: purchase.licenseType,
  isValid: isLicenseValid(purchase, now),
  agentId: purchase.agentId,
  trackingId: purchase.trackingId,
  purchasedAt: Timestamp.toIso(purchase.purchasedAt)
})

const perPeriod = ({ amount }: CorePurchase): string => `${Usdt.withCurrency(amount)} every 30 days`

/** What happens next, with price, period and next renewal of a subscription (SUBSCRIPTION-8). */
const messageOf = (purchase: CorePurchase): string => {
  const subscribed = purchase.licenseType === "subscription"
  switch (purchase.status) {
    case "pending":
      return subscribed
        ? `The purchase waits for the owner's approval. It costs ${perPeriod(purchase)}, from the approval on.`
        : "The purchase waits for the owner's approval."
    case "failed":
      return `The purchase was not approved: ${purchase.failureReason}.`
    case "completed":
    case "refunded":
      return subscribed && purchase.expiresAt !== null
        ? `The license is issued. It costs ${perPeriod(purchase)}; the next renewal is on ${Timestamp.toIso(purchase.expiresAt)}.`
        : "The license is issued."
  }
}

/** The result of a buy (BUY-1, IDEMPOTENCY-7). */
export const toBuyResult = (purchase: CorePurchase): typeof BuyResult.Type => ({
  purchaseId: purchase.id,
  skillId: purchase.item.id,
  licenseKey: purchase.licenseKey,
  status: purchase.status === "pending" ? "pending_approval" : purchase.status === "failed" ? "failed" : "completed",
  ...(purchase.status === "failed" && purchase.failureReason !== null ? { failureReason: purchase.failureReason } : {}),
  message: messageOf(purchase)
})

/** The response body of LICENSE-3. */
export const toLicenseCheck = ({ purchase, valid }: CoreLicenseCheck): typeof LicenseCheck.Type => ({
  valid,
  purchaseId: purchase?.id ?? null,
  skillId: purchase?.item.id ?? null,
  licenseType: purchase?.licenseType ?? null,
  status: purchase?.status ?? null,
  purchasedAt: purchase === null ? null : Timestamp.toIso(purchase.purchasedAt),
  expiresAt: typeof purchase?.expiresAt === "number" ? Timestamp.toIso(purchase.expiresAt) : null
})

/** The response body of SUBSCRIPTION-9. */
export const toSubscription = (subscription: CoreSubscription): typeof Subscription.Type => ({
  id: subscription.id,
  skill: { id: subscription.item.id, name: subscription.item.name, slug: subscription.item.slug },
  price: Usdt.toNumber(subscription.price),
  currency: "USDT",
  status: subscription.status,
  currentPeriodStart: Timestamp.toIso(subscription.currentPeriodStart),
  currentPeriodEnd: Timestamp.toIso(subscription.currentPeriodEnd),
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd
})

export const toSpending = ({ amount, count, key, name }: Spent): typeof Spending.Type => ({
  key,
  name,
  amount: Usdt.toNumber(amount),
  count
})

export const toTimeline = ({ from, per, periods, series, to }: CoreTimeline): typeof Timeline.Type => ({
  per,
  from: Timestamp.toIso(from),
  to: Timestamp.toIso(to),
  periods,
  series: series.map(({ amount, amounts, count, key, name }) => ({
    key,
    name,
    amount: Usdt.toNumber(amount),
    count,
    amounts: amounts.map(Usdt.toNumber)
  }))
})
