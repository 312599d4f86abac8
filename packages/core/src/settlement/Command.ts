import type {
  AccountId,
  AgentId,
  ApprovalId,
  ItemId,
  PurchaseId,
  RenewalId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import type { Currency } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Deposit } from "../wallets/Deposit.ts"
import type { WithdrawalTransaction } from "../wallets/Withdrawal.ts"
import type { Idempotency } from "./Idempotency.ts"

interface Repeatable {
  readonly idempotency?: Idempotency | undefined
}

/** What a sale costs beside the price. */
export interface Terms {
  /** The platform's share in basis points, 0 to 10,000. */
  readonly feeBps: number
  readonly toUsdt: (price: Usdt, currency: Currency) => Usdt
}

/** Fresh identifiers that a sale needs, made before the rule so that the rule stays pure. */
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
  readonly itemId: ItemId
}

export interface Decide extends Repeatable, SaleIds {
  readonly _tag: "Decide"
  readonly approvalId: ApprovalId
  /** The owner who decides. */
  readonly accountId: AccountId
  readonly agentId: AgentId | null
  readonly purchaseId: PurchaseId
  readonly itemId: ItemId
  readonly decision: "approve" | "reject"
}

/** Ends an approval that nobody decided. */
export interface Expire {
  readonly _tag: "Expire"
  readonly approvalId: ApprovalId
  readonly accountId: AccountId
  readonly purchaseId: PurchaseId
}

/** Rejects every approval that waits for an account, or for one of its agents: the account or the agent was frozen or retired. */
export interface RejectWaiting {
  readonly _tag: "RejectWaiting"
  readonly accountId: AccountId
  /** Null: those of every agent and of the owner's own keys. */
  readonly agentId: AgentId | null
  readonly reason: "frozen" | "rejected"
}

export interface Refund extends Repeatable {
  readonly _tag: "Refund"
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  /** The operator's refund is covered by the platform where the seller's money does not suffice. */
  readonly by: "seller" | "admin"
}

/** Looks at a subscription whose time has come: renews, postpones or ends it. */
export interface Renew {
  readonly _tag: "Renew"
  readonly subscriptionId: SubscriptionId
  readonly renewalId: RenewalId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly agentId: AgentId | null
  readonly feeBps: number
}

export interface CancelSubscription {
  readonly _tag: "CancelSubscription"
  readonly subscriptionId: SubscriptionId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
}

export interface CreditDeposit {
  readonly _tag: "CreditDeposit"
  readonly deposit: Deposit
}

/** Every block of the network up to this one has been looked at; only ever moves forward. */
export interface AdvanceCursor {
  readonly _tag: "AdvanceCursor"
  readonly network: string
  readonly block: number
}

export interface Withdraw extends Repeatable {
  readonly _tag: "Withdraw"
  readonly withdrawalId: WithdrawalId
  readonly accountId: AccountId
  readonly amount: Usdt
  readonly fee: Usdt
  readonly network: string
  readonly destinationAddress: string
}

/** A step in a withdrawal's life. */
export type WithdrawalStep =
  | { readonly to: "cancelled" }
  | { readonly to: "broadcasting"; readonly transaction: WithdrawalTransaction }
  /** Only with proof that the stored transaction can never be included. */
  | { readonly to: "queued"; readonly abandoned: string }
  | { readonly to: "completed"; readonly txid: string }
  /** With the transaction that failed, or null where none was begun: money never comes back beside one that may pay. */
  | { readonly to: "failed"; readonly reason: string; readonly txid: string | null }

export interface MoveWithdrawal extends Repeatable {
  readonly _tag: "MoveWithdrawal"
  readonly withdrawalId: WithdrawalId
  readonly accountId: AccountId
  readonly step: WithdrawalStep
}

/** Everything that moves money, in the form in which the settlement takes it. */
export type Command =
  | Buy
  | Decide
  | Expire
  | RejectWaiting
  | Refund
  | Renew
  | CancelSubscription
  | CreditDeposit
  | AdvanceCursor
  | Withdraw
  | MoveWithdrawal

export const idempotencyOf = (command: Command): Idempotency | undefined =>
  "idempotency" in command ? command.idempotency : undefined
