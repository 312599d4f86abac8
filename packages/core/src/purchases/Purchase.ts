import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, ItemId, PurchaseId } from "../ids/Ids.ts"
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

/**
 * One sale (BUY-15). `pending` waits for the owner; `rejected` and `expired` are what becomes of it without his
 * consent, and are shown to nobody.
 */
export type PurchaseStatus = "pending" | "completed" | "refunded" | "rejected" | "expired"

export interface Purchase {
  readonly id: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  /** The agent whose key bought (BUY-17). */
  readonly agentId: AgentId | null
  readonly item: PurchasedItem
  /** What the buyer pays, the fee inside. */
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: PurchaseStatus
  readonly licenseKey: string | null
  readonly licenseType: LicenseType
  /** When the money was held, then when it was taken; the rolling windows count from here. */
  readonly purchasedAt: Timestamp
  /** The end of the paid period of a subscription; null for ever. */
  readonly expiresAt: Timestamp | null
}

/** Whether the license counts now (`isValid` of BUY-15). */
export const isLicenseValid = (purchase: Purchase, now: Timestamp): boolean =>
  purchase.status === "completed" && (purchase.expiresAt === null || purchase.expiresAt > now)
