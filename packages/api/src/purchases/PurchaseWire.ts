import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase as CorePurchase, PurchasedItem } from "@agent-marketplace/core/purchases/Purchase"
import { isLicenseValid } from "@agent-marketplace/core/purchases/Purchase"
import type { LicenseCheck as CoreLicenseCheck } from "@agent-marketplace/core/purchases/Purchases"
import type { Subscription as CoreSubscription } from "@agent-marketplace/core/purchases/Subscription"
import type { BuyResult, LicenseCheck, Purchase, PurchasedSkill, Sale, Subscription } from "./PurchaseSchemas.ts"

type Shown = "pending" | "completed" | "refunded"

/** Rejected and expired purchases are shown to nobody; where one is asked for all the same it never was completed. */
const shown = (status: CorePurchase["status"]): Shown =>
  status === "completed" || status === "refunded" ? status : "pending"

export const toPurchasedSkill = (item: PurchasedItem): typeof PurchasedSkill.Type => ({
  id: item.id,
  name: item.name,
  slug: item.slug,
  description: item.description,
  category: item.category,
  creator: item.creator
})

/** The seller's side (SALE-3, SALE-4). `now` in milliseconds since the epoch. */
export const toSale = (purchase: CorePurchase, now: Timestamp): typeof Sale.Type => ({
  id: purchase.id,
  skill: toPurchasedSkill(purchase.item),
  amount: Usdt.toNumber(purchase.amount),
  fee: Usdt.toNumber(purchase.fee),
  currency: "USDT",
  status: shown(purchase.status),
  licenseType: purchase.licenseType,
  isValid: isLicenseValid(purchase, now),
  purchasedAt: Timestamp.toIso(purchase.purchasedAt)
})

/** The response body of BUY-15. `now` in milliseconds since the epoch. */
export const toPurchase = (purchase: CorePurchase, now: Timestamp): typeof Purchase.Type => ({
  ...toSale(purchase, now),
  licenseKey: purchase.licenseKey
})

/** The response body of a buy (BUY-1). */
export const toBuyResult = (purchase: CorePurchase): typeof BuyResult.Type => ({
  purchaseId: purchase.id,
  skillId: purchase.item.id,
  licenseKey: purchase.licenseKey,
  ...(purchase.status === "pending"
    ? { status: "pending_approval", message: "The purchase waits for the owner's approval." }
    : { status: "completed", message: "The license is issued." })
})

/** The response body of LICENSE-3. */
export const toLicenseCheck = ({ purchase, valid }: CoreLicenseCheck): typeof LicenseCheck.Type => ({
  valid,
  purchaseId: purchase?.id ?? null,
  skillId: purchase?.item.id ?? null,
  licenseType: purchase?.licenseType ?? null,
  status: purchase === null ? null : shown(purchase.status),
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
