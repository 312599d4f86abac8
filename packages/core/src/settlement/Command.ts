import type { ScanPosition } from "../wallets/ScanPosition.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { Traceparent } from "../events/Traceparent.ts"
import type {
  AccountId,
  AddressId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  ItemId,
  PurchaseId,
  RenewalId,
  RevocationId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { Currency } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { ScreeningEvidence } from "../screening/ScreeningEvidence.ts"
import type { Deposit } from "../wallets/Deposit.ts"
import type { WithdrawalTransaction } from "../wallets/Withdrawal.ts"
import type { WithdrawalRulesPatch } from "../wallets/WithdrawalRules.ts"
import type { Idempotency } from "./Idempotency.ts"

interface Repeatable {
  readonly idempotency?: Idempotency | undefined
}

/** The terms for a seller's proceeds. */
export interface Proceeds {
  /** How long they are locked, in milliseconds; 0 does not lock them. */
  readonly holdProceeds: number
}

/** The costs of a sale in addition to the price. */
export interface Terms extends Proceeds {
  /** The platform's share in basis points, 0 to 10,000. */
  readonly feeBps: number
  readonly toUsdt: (price: Usdt, currency: Currency) => Usdt
}

/** The new identifiers of a sale, generated in advance so that the rule stays pure. */
export interface SaleIds {
  readonly licenseKey: string
  readonly subscriptionId: SubscriptionId
}

export interface Buy extends Repeatable, SaleIds, Terms {
  readonly _tag: "Buy"
  readonly purchaseId: PurchaseId
  readonly approvalId: ApprovalId
  readonly buyerId: AccountId
  readonly agentId: AgentId | null
  readonly trackingId: string | null
  readonly itemId: ItemId
  /** The maximum price and the pricing model that the buyer agreed to; null if the buyer named none (BUY-4, BUY-5). */
  readonly maxPrice: Usdt | null
  readonly pricingModel: PricingModel | null
}

export interface Decide extends Repeatable, SaleIds, Proceeds {
  readonly _tag: "Decide"
  readonly approvalId: ApprovalId
  /** The owner who decides. */
  readonly accountId: AccountId
  readonly agentId: AgentId | null
  readonly purchaseId: PurchaseId
  readonly itemId: ItemId
  readonly decision: "approve" | "reject"
}

/** Ends an approval that was not decided in time. */
export interface Expire {
  readonly _tag: "Expire"
  readonly approvalId: ApprovalId
  readonly accountId: AccountId
  readonly purchaseId: PurchaseId
}

/** Rejects every pending approval of an account, or of one of its agents, that was frozen or retired. */
export interface RejectWaiting {
  readonly _tag: "RejectWaiting"
  readonly accountId: AccountId
  /** Null means those of every agent and of the owner's own keys. */
  readonly agentId: AgentId | null
  readonly reason: "frozen" | "rejected"
}

/** Ends an approval that waits for an item that was revoked (REVOKE-6). */
export interface EndApproval {
  readonly _tag: "EndApproval"
  readonly approvalId: ApprovalId
  readonly accountId: AccountId
  readonly purchaseId: PurchaseId
  readonly revocationId: RevocationId
}

export interface Refund extends Repeatable {
  readonly _tag: "Refund"
  readonly purchaseId: PurchaseId
  /** The renewal to refund; null refunds the purchase itself. */
  readonly renewalId: RenewalId | null
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  readonly itemId: ItemId
  /** The amount that the seller returns: the price without the fee. */
  readonly net: Usdt
  /** For "admin", the platform covers what the seller lacks. */
  readonly by: "seller" | "admin"
  readonly reason: string | null
  /** The maximum debt of the seller after the refund; null for a refund that the operator forces. */
  readonly coverLimit: Usdt | null
  /** The entry of the operator's refund in the log of actions (OPERATOR-14). */
  readonly action?: ActionDraft | undefined
  /** The revocation that refunds it, which counts it: the time for refunds was checked when the item was revoked (REVOKE-4). */
  readonly revocationId?: RevocationId | undefined
}

/** Handles a due subscription: renews, postpones or ends it. */
export interface Renew extends Proceeds {
  readonly _tag: "Renew"
  readonly subscriptionId: SubscriptionId
  readonly renewalId: RenewalId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly agentId: AgentId | null
  readonly itemId: ItemId
  readonly feeBps: number
}

export interface CancelSubscription {
  readonly _tag: "CancelSubscription"
  readonly subscriptionId: SubscriptionId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
}

/** Undoes a cancellation before the period ends. */
export interface ResumeSubscription {
  readonly _tag: "ResumeSubscription"
  readonly subscriptionId: SubscriptionId
  readonly buyerId: AccountId
}

/** Releases locked proceeds that are due. */
export interface ReleaseEscrow {
  readonly _tag: "ReleaseEscrow"
  readonly accountId: AccountId
  /** The sales and renewals of the proceeds to release. */
  readonly references: ReadonlyArray<string>
}

export interface CreditDeposit {
  readonly _tag: "CreditDeposit"
  readonly deposit: Deposit
  /** Records it without crediting it (SCREENING-3). Without evidence, screening has not decided yet. */
  readonly hold?: {
    readonly id: HeldDepositId
    readonly sender: string
    readonly evidence: ScreeningEvidence | null
  }
  /** The operator's action, logged if this records the deposit (DEPOSIT-8). */
  readonly action?: ActionDraft
}

/** `held` and `cleared` are decided by screening, `released` and `rejected` by the operator. */
export type DepositDecision =
  | { readonly to: "held"; readonly evidence: ScreeningEvidence }
  | { readonly to: "cleared" }
  | { readonly to: "released" | "rejected"; readonly action: ActionDraft }

/** Decides about a deposit that is recorded without being credited. */
export interface DecideDeposit {
  readonly _tag: "DecideDeposit"
  readonly depositId: HeldDepositId
  readonly accountId: AccountId
  readonly decision: DepositDecision
}

/** Every block of the network up to this one has been scanned. The position only moves forward. */
export interface AdvanceCursor {
  readonly _tag: "AdvanceCursor"
  readonly network: string
  readonly position: ScanPosition
}

export interface Withdraw extends Repeatable {
  readonly _tag: "Withdraw"
  readonly withdrawalId: WithdrawalId
  readonly accountId: AccountId
  readonly amount: Usdt
  readonly fee: Usdt
  readonly network: string
  readonly destinationAddress: string
  /** When the quote ends that holds the fee; null where there is none (WITHDRAWAL-12). */
  readonly quoteExpiresAt: Timestamp | null
  /** A larger amount waits for the operator; null where none does (WITHDRAWAL-13). */
  readonly reviewAbove: Usdt | null
  /** Whether screening flagged the destination (SCREENING-7). */
  readonly flagged?: boolean
}

/** A state transition of a withdrawal. */
export type WithdrawalStep =
  | { readonly to: "cancelled" }
  /** The operator's decisions. */
  | { readonly to: "approved"; readonly action: ActionDraft }
  | { readonly to: "rejected"; readonly reason: string; readonly action: ActionDraft }
  | { readonly to: "held"; readonly action: ActionDraft }
  /** Screening flagged the destination before the payment (SCREENING-8). */
  | { readonly to: "flagged"; readonly evidence: ScreeningEvidence }
  /** Requires proof that the transaction paid it. */
  | {
      readonly to: "settled"
      readonly transaction: WithdrawalTransaction
      readonly tokenFee: Usdt | null
      readonly action: ActionDraft
    }
  | { readonly to: "broadcasting"; readonly transaction: WithdrawalTransaction }
  /** A signer refused the stored transaction, which may still be signed later. */
  | { readonly to: "refused"; readonly txid: string; readonly reason: string }
  /** Requires proof that the stored transaction can never be included. */
  | { readonly to: "queued"; readonly abandoned: string }
  | { readonly to: "completed"; readonly txid: string; readonly tokenFee?: Usdt | null }
  /** With the failed transaction, or null if none was built. Money is never returned while a transaction may still pay. */
  | { readonly to: "failed"; readonly reason: string; readonly txid: string | null }

export interface MoveWithdrawal extends Repeatable {
  readonly _tag: "MoveWithdrawal"
  readonly withdrawalId: WithdrawalId
  readonly accountId: AccountId
  readonly step: WithdrawalStep
}

/** Changes an owner's rules for withdrawals. */
export interface ChangeWithdrawalRules {
  readonly _tag: "ChangeWithdrawalRules"
  readonly accountId: AccountId
  readonly patch: WithdrawalRulesPatch
}

/** Adds an address to an owner's address book. */
export interface SaveAddress {
  readonly _tag: "SaveAddress"
  readonly accountId: AccountId
  readonly id: AddressId
  readonly address: string
  readonly label: string | null
}

export interface RemoveAddress {
  readonly _tag: "RemoveAddress"
  readonly accountId: AccountId
  readonly id: AddressId
}

/** Stops or starts all payouts (OPERATOR-22). */
export interface SetPayouts {
  readonly _tag: "SetPayouts"
  readonly paused: boolean
  readonly reason: string | null
  readonly action: ActionDraft
}

interface Traced {
  /** The trace context that the events of the command carry (SYSTEM-23). */
  readonly traceparent?: Traceparent
}

/** Every change that moves money or decides about it, as input of the settlement. */
export type Command = (
  | Buy
  | Decide
  | Expire
  | RejectWaiting
  | EndApproval
  | Refund
  | Renew
  | CancelSubscription
  | ResumeSubscription
  | ReleaseEscrow
  | CreditDeposit
  | DecideDeposit
  | AdvanceCursor
  | Withdraw
  | MoveWithdrawal
  | ChangeWithdrawalRules
  | SaveAddress
  | RemoveAddress
  | SetPayouts
) &
  Traced

export const idempotencyOf = (command: Command): Idempotency | undefined =>
  "idempotency" in command ? command.idempotency : undefined
