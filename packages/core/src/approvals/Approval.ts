import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, ApprovalId, PurchaseId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { PurchasedItem } from "../purchases/Purchase.ts"

export type ApprovalStatus = "pending" | "approved" | "rejected" | "expired"

/** A purchase that waits for its owner's approval while its price is held (APPROVAL-1, BUY-12). */
export interface Approval {
  readonly id: ApprovalId
  readonly purchaseId: PurchaseId
  readonly accountId: AccountId
  readonly agentId: AgentId | null
  readonly item: PurchasedItem
  /** The agreed price and pricing model. The approved purchase is made on these terms (APPROVAL-3). */
  readonly amount: Usdt
  readonly pricingModel: PricingModel
  readonly status: ApprovalStatus
  readonly requestedAt: Timestamp
  readonly expiresAt: Timestamp
  readonly decidedAt: Timestamp | null
}

export const approvalLifetime = 7 * Timestamp.day
