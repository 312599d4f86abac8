import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, PurchaseId, RenewalId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { LicenseType, Purchase, PurchasedItem } from "./Purchase.ts"
import { isLicenseValid } from "./Purchase.ts"
import type { Renewal } from "./Subscription.ts"

/** The seller's side of a purchase, or of a renewal (SALE-3). */
export interface Sale {
  readonly kind: "sale" | "renewal"
  readonly id: PurchaseId | RenewalId
  readonly buyerId: AccountId
  readonly item: PurchasedItem
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: Purchase["status"]
  readonly licenseType: LicenseType
  readonly soldAt: Timestamp
  /** The license that was sold or renewed. For a renewal it is that of the original purchase. */
  readonly license: Pick<Purchase, "status" | "expiresAt">
}

export const saleOf = (purchase: Purchase): Sale => ({
  kind: "sale",
  id: purchase.id,
  buyerId: purchase.buyerId,
  item: purchase.item,
  amount: purchase.amount,
  fee: purchase.fee,
  status: purchase.status,
  licenseType: purchase.licenseType,
  soldAt: purchase.purchasedAt,
  license: { status: purchase.status, expiresAt: purchase.expiresAt }
})

export const saleOfRenewal = (renewal: Renewal, purchase: Pick<Purchase, "item" | "status" | "expiresAt">): Sale => ({
  kind: "renewal",
  id: renewal.id,
  buyerId: renewal.buyerId,
  item: purchase.item,
  amount: renewal.amount,
  fee: renewal.fee,
  status: renewal.status,
  licenseType: "subscription",
  soldAt: renewal.at,
  license: { status: purchase.status, expiresAt: purchase.expiresAt }
})

/** Whether the sale's license is valid at `now`: neither the sale nor its purchase was refunded, and the license has not expired. */
export const isSaleValid = (sale: Sale, now: Timestamp): boolean =>
  sale.status === "completed" && isLicenseValid(sale.license, now)
