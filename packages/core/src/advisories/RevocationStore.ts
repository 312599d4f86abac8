import type { Option } from "effect"
import { Context } from "effect"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, ApprovalId, ItemId, PurchaseId, RenewalId, RevocationId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Revocation, RevocationDraft, RevocationStep } from "./Revocation.ts"

/** An approval that waits for a revoked item. */
export interface WaitingApproval {
  readonly approvalId: ApprovalId
  readonly accountId: AccountId
  readonly purchaseId: PurchaseId
}

/** A purchase or a renewal to refund. */
export interface RefundTarget {
  readonly purchaseId: PurchaseId
  /** The renewal; null for the purchase itself. */
  readonly renewalId: RenewalId | null
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  /** The seller's part of the price. */
  readonly net: Usdt
}

/** A page of a step's work, and the position after it; null at the end of the step. */
export interface WorkPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: string | null
}

/** The next state of a revocation's work. */
export interface RevocationMove {
  readonly step: RevocationStep
  readonly position: string | null
  /** Kept if it is already set. */
  readonly until?: Timestamp
  readonly finishedAt?: Timestamp
  /** Logged with the end. */
  readonly action?: OperatorAction
}

/**
 * Revocations and their remaining work. The settlement adds to their totals in the transaction of each refund.
 *
 * Contract: a page lists the approvals that still wait, or the purchases that are not yet refunded, between its position and `next`. Its time is
 * bounded, however many purchases the seller has. `move` does nothing once the revocation is done.
 */
export class RevocationStore extends Context.Service<
  RevocationStore,
  {
    /** Records a revocation without changing the item: an item that is already revoked is refunded for more days (REVOKE-9). */
    readonly add: (draft: RevocationDraft, action: OperatorAction) => StoreEffect<void>
    readonly find: (id: RevocationId) => StoreEffect<Option.Option<Revocation>>
    /** Newest first. */
    readonly list: (
      filter: { readonly itemId?: ItemId | undefined },
      page: PageRequest
    ) => StoreEffect<Page<Revocation>>
    /** The oldest one that is not done. */
    readonly running: StoreEffect<Option.Option<Revocation>>
    readonly waiting: (revocation: Revocation, limit: number) => StoreEffect<WorkPage<WaitingApproval>>
    readonly purchases: (revocation: Revocation, limit: number) => StoreEffect<WorkPage<RefundTarget>>
    readonly renewals: (revocation: Revocation, limit: number) => StoreEffect<WorkPage<RefundTarget>>
    readonly move: (id: RevocationId, move: RevocationMove) => StoreEffect<void>
  }
>()("@agent-marketplace/core/advisories/RevocationStore") {}
