import type { SpendingPolicy, SpentWindows } from "../approvals/SpendingPolicy.ts"
import type { Approval } from "../approvals/Approval.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Freeze } from "../identity/Freeze.ts"
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
import type { PricingModel } from "../listings/Listing.ts"
import type { Currency } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Purchase, PurchasedItem } from "../purchases/Purchase.ts"
import type { Renewal, Subscription } from "../purchases/Subscription.ts"
import type { Escrow } from "../wallets/Escrow.ts"
import type { WalletBalance } from "../wallets/Ledger.ts"
import type { PayoutPause, Withdrawal } from "../wallets/Withdrawal.ts"
import type { WithdrawalStanding } from "../wallets/WithdrawalStanding.ts"
import type { CommandResult } from "./CommandResult.ts"

/** An item as a sale sees it. */
export interface SaleItem extends PurchasedItem {
  readonly sellerId: AccountId
  /** In `currency`. */
  readonly price: Usdt
  readonly currency: Currency
  readonly pricingModel: PricingModel
  /** Approved, public and not deleted, and its seller is not frozen (LISTING-23, BUY-20). */
  readonly onSale: boolean
  /** Whether the seller owes the platform something. */
  readonly sellerOwes: boolean
}

/** A spender's rules and what they have spent. */
export interface Budget {
  readonly policy: SpendingPolicy
  readonly spent: SpentWindows
}

/** Why an account cannot buy an item again. */
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

/** What a store has loaded, under lock, of what a batch reads (`ReadSet`). What is absent does not exist. */
export interface MarketState {
  /** The store's time at the start of the transaction. */
  readonly now: Timestamp
  readonly wallets: ReadonlyMap<AccountId, WalletBalance>
  readonly budgets: ReadonlyMap<AccountId | AgentId, Budget>
  /** The accounts and agents, among those of the batch, that are frozen. */
  readonly frozen: ReadonlyMap<AccountId | AgentId, Freeze>
  readonly items: ReadonlyMap<ItemId, SaleItem>
  readonly entitlements: ReadonlyMap<string, Entitlement>
  readonly purchases: ReadonlyMap<PurchaseId, Purchase>
  readonly approvals: ReadonlyMap<ApprovalId, Approval>
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>
  readonly renewals: ReadonlyMap<RenewalId, Renewal>
  /** Locked proceeds by their reference. */
  readonly escrow: ReadonlyMap<string, Escrow>
  readonly withdrawals: ReadonlyMap<WithdrawalId, Withdrawal>
  /** Of the accounts that withdraw or change their rules for withdrawals. */
  readonly standings: ReadonlyMap<AccountId, WithdrawalStanding>
  /** Null where payouts go on, or where the batch does not start or stop any. */
  readonly payoutPause: PayoutPause | null
  /** The deposits, by {@link depositKey}, that were credited before. */
  readonly credited: ReadonlySet<string>
  readonly cursors: ReadonlyMap<string, number>
  readonly results: ReadonlyMap<string, IdempotentResult>
}
