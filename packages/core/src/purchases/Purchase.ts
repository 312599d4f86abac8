import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, ItemId, PurchaseId } from "../ids/Ids.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { Usdt } from "../money/Usdt.ts"

/** How long a license lasts, or that it cost nothing (LICENSE-2). */
export type LicenseType = "perpetual" | "subscription" | "free"

/** What was bought, as it was called on the day. */
export interface PurchasedItem {
  readonly id: ItemId
  readonly kind: "soul" | "listing"
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly category: string
  readonly creator: string
}

export const purchaseStatuses = ["completed", "pending", "refunded", "failed"] as const

/** `pending` waits for the owner's approval; `failed` is a purchase that waited and was not approved (BUY-15, BUY-19). */
export type PurchaseStatus = (typeof purchaseStatuses)[number]

/** Why a purchase that waited for approval was not completed (BUY-19). */
export type FailureReason = "rejected" | "expired" | "not_for_sale" | "frozen"

export interface Purchase {
  readonly id: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  /** The agent whose key bought (BUY-17). */
  readonly agentId: AgentId | null
  /** What the caller sent as `X-Agent-Id`: kept for its own records, and never checked. */
  readonly trackingId: string | null
  readonly item: PurchasedItem
  /** What the buyer pays, including the fee. */
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: PurchaseStatus
  /** Null unless the purchase has failed. */
  readonly failureReason: FailureReason | null
  readonly licenseKey: string | null
  readonly licenseType: LicenseType
  /** When the money was held, then when it was paid; the rolling windows of policies count from here. */
  readonly purchasedAt: Timestamp
  /** The end of the paid period of a subscription; null where the license does not end. */
  readonly expiresAt: Timestamp | null
}

/** Whether the license is valid at `now` (LICENSE-3, REFUND-4). */
export const isLicenseValid = (purchase: Pick<Purchase, "status" | "expiresAt">, now: Timestamp): boolean =>
  purchase.status === "completed" && (purchase.expiresAt === null || purchase.expiresAt > now)

/** The pricing model of a purchase, as it was agreed. */
export const pricingModelOf = ({ licenseType }: Pick<Purchase, "licenseType">): PricingModel =>
  licenseType === "perpetual" ? "one_time" : licenseType
