import type { ScanPosition } from "../wallets/ScanPosition.ts"
import type { SpendingPolicy, SpentWindows } from "../approvals/SpendingPolicy.ts"
import type { Approval } from "../approvals/Approval.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Freeze } from "../identity/Freeze.ts"
import type {
  AccountId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  ItemId,
  PurchaseId,
  RenewalId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { Currency } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Purchase, PurchasedItem } from "../purchases/Purchase.ts"
import type { Renewal, Subscription } from "../purchases/Subscription.ts"
import type { HeldDeposit } from "../screening/HeldDeposit.ts"
import type { Escrow } from "../wallets/Escrow.ts"
import type { WalletBalance } from "../wallets/Ledger.ts"
import type { PayoutPause, Withdrawal } from "../wallets/Withdrawal.ts"
import type { WithdrawalStanding } from "../wallets/WithdrawalStanding.ts"
import type { CommandResult } from "./CommandResult.ts"

/** The fields of an item that a sale uses. */
export interface SaleItem extends PurchasedItem {
  readonly sellerId: AccountId
  /** In `currency`. */
  readonly price: Usdt
  readonly currency: Currency
  readonly pricingModel: PricingModel
  /** Approved, public and not deleted, and its seller is not frozen (LISTING-23, BUY-20). */
  readonly onSale: boolean
  /** Whether the seller is in debt to the platform. */
  readonly sellerOwes: boolean
}

/** A spender's policy and the amounts spent in its windows. */
export interface Budget {
  readonly policy: SpendingPolicy
  readonly spent: SpentWindows
}

/** Why an account cannot buy an item again: it owns the item, or a purchase is pending. */
export interface Entitlement {
  readonly purchaseId: PurchaseId
  readonly state: "pending_approval" | "owned"
}

/** The result that was returned for an Idempotency-Key. */
export interface IdempotentResult {
  readonly fingerprint: string
  readonly result: CommandResult
}

export const entitlementKey = (buyer: AccountId, item: ItemId): string => `${buyer} ${item}`
export const resultKey = (account: AccountId | "admin", key: string): string => `${account} ${key}`
export const depositKey = (network: string, txid: string, logIndex: number): string => `${network} ${txid} ${logIndex}`

/** The records of a `ReadSet` that a store has loaded under lock. An absent record does not exist. */
export interface MarketState {
  /** The store's time at the start of the transaction. */
  readonly now: Timestamp
  readonly wallets: ReadonlyMap<AccountId, WalletBalance>
  readonly budgets: ReadonlyMap<AccountId | AgentId, Budget>
  /** The frozen ones among the accounts and agents of the batch. */
  readonly frozen: ReadonlyMap<AccountId | AgentId, Freeze>
  readonly items: ReadonlyMap<ItemId, SaleItem>
  readonly entitlements: ReadonlyMap<string, Entitlement>
  readonly purchases: ReadonlyMap<PurchaseId, Purchase>
  readonly approvals: ReadonlyMap<ApprovalId, Approval>
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>
  readonly renewals: ReadonlyMap<RenewalId, Renewal>
  /** Locked proceeds by reference. */
  readonly escrow: ReadonlyMap<string, Escrow>
  readonly withdrawals: ReadonlyMap<WithdrawalId, Withdrawal>
  /** The withdrawal rules and totals of accounts that withdraw or change their rules. */
  readonly standings: ReadonlyMap<AccountId, WithdrawalStanding>
  /** Null if payouts are not paused, or if the batch neither pauses nor resumes them. */
  readonly payoutPause: PayoutPause | null
  readonly heldDeposits: ReadonlyMap<HeldDepositId, HeldDeposit>
  /** The {@link depositKey}s of deposits that are already recorded, whether credited or held. */
  readonly credited: ReadonlySet<string>
  /** Those of the read set's transactions that a withdrawal has, or that the operator has explained. */
  readonly usedTransactions: ReadonlySet<string>
  readonly cursors: ReadonlyMap<string, ScanPosition>
  readonly results: ReadonlyMap<string, IdempotentResult>
}
