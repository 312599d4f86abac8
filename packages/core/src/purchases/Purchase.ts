import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, ItemId, PurchaseId } from "../ids/Ids.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { Usdt } from "../money/Usdt.ts"

/** How long a license lasts, or that it was free (LICENSE-2). */
export type LicenseType = "perpetual" | "subscription" | "free"

/** The purchased item, with the name that it had at the time of purchase. */
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

/** `pending` waits for the owner's approval. A `failed` purchase waited and was not approved (BUY-15, BUY-19). */
export type PurchaseStatus = (typeof purchaseStatuses)[number]

/** Why a purchase that waited for approval was not completed (BUY-19). */
export type FailureReason = "rejected" | "expired" | "not_for_sale" | "frozen"

export interface Purchase {
  readonly id: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  /** The agent with whose key it was bought (BUY-17). */
  readonly agentId: AgentId | null
  /** The `X-Agent-Id` of the request, for the caller's own tracking; it is never checked. */
  readonly trackingId: string | null
  readonly item: PurchasedItem
  /** The buyer's total, including the fee. */
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: PurchaseStatus
  /** Null unless the purchase has failed. */
  readonly failureReason: FailureReason | null
  readonly licenseKey: string | null
  readonly licenseType: LicenseType
  /** When the money was held, later when it was paid. The rolling windows of policies start here. */
  readonly purchasedAt: Timestamp
  /** The end of a subscription's paid period; null if the license does not expire. */
  readonly expiresAt: Timestamp | null
}

/** Whether the license is valid at `now` (LICENSE-3, REFUND-4). */
export const isLicenseValid = (purchase: Pick<Purchase, "status" | "expiresAt">, now: Timestamp): boolean =>
  purchase.status === "completed" && (purchase.expiresAt === null || purchase.expiresAt > now)

/** The agreed pricing model of a purchase. */
export const pricingModelOf = ({ licenseType }: Pick<Purchase, "licenseType">): PricingModel =>
  licenseType === "perpetual" ? "one_time" : licenseType
