import type { Effect, Option, Stream } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId, WithdrawalId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Deposit } from "./Deposit.ts"
import type { Escrow } from "./Escrow.ts"
import type { TransactionType, WalletBalance } from "./Ledger.ts"
import type { PayoutPause, Withdrawal, WithdrawalState } from "./Withdrawal.ts"
import { Usdt } from "../money/Usdt.ts"
import type { ScanPosition } from "./ScanPosition.ts"
import type { SavedAddress, StoredWithdrawalRules } from "./WithdrawalRules.ts"

/** A wallet as its owner sees it (WALLET-1). */
export interface Wallet extends WalletBalance {
  /** Deposits that were observed but are not final, or that are held. */
  readonly pending: Usdt
  readonly depositAddress: string | null
  /** Locked proceeds, one entry for each UTC day on which some are released, earliest first. */
  readonly escrow: ReadonlyArray<EscrowDay>
}

/** The proceeds released on one day, and the time of that day's last release (ESCROW-3). */
export interface EscrowDay {
  readonly amount: Usdt
  readonly releasedAt: Timestamp
}

/** An account's debt to the platform. */
export interface Debt {
  readonly accountId: AccountId
  readonly amount: Usdt
}

/** A ledger line as the wallet's owner sees it (LEDGER-1). Only lines that change the available balance. */
export interface WalletTransaction {
  readonly id: string
  readonly type: TransactionType
  /** Signed: the change of the available balance (MONEY-6). */
  readonly amount: bigint
  /** The available balance after the line: the sum of this and all earlier amounts. */
  readonly balanceAfter: Usdt
  readonly reference: string
  /** The buying agent, on the lines of its purchases and renewals. */
  readonly agentId: AgentId | null
  readonly createdAt: Timestamp
}

/** The result of recomputing balances from the ledger lines. */
export interface LedgerAudit {
  readonly balanced: boolean
  readonly wallets: number
  /** Every line, and those that this audit read. */
  readonly entries: number
  readonly entriesRead: number
  /** The time of the checkpoint from which the audit continued; null if it read every line. */
  readonly since: Timestamp | null
  /** One sentence for each wallet or total that differs from its lines. */
  readonly differences: ReadonlyArray<string>
  /** One sentence for a negative platform account and for each debt. The books are correct, but the platform lacks that money. */
  readonly warnings: ReadonlyArray<string>
}

/** The sums of the ledger. In correct books, `wallets` + `platform` + `held` + `unattributed` = `deposits` − `withdrawals`. */
export interface LedgerTotals {
  /** The available and held money of every wallet. */
  readonly wallets: Usdt
  /** What the service has earned. */
  readonly platform: bigint
  /** Deposits that are not decided yet, and those that the operator rejected (SCREENING-6). */
  readonly held: Usdt
  readonly unattributed: Usdt
  /** Every deposit that was recorded, credited or not. */
  readonly deposits: Usdt
  /** The amounts that completed withdrawals paid, without their fees. */
  readonly withdrawals: Usdt
}

/** An issued deposit address. */
export interface IssuedAddress {
  readonly index: number
  readonly address: string
  readonly account: AccountId
  /** The deposits recorded for it on the requested network, credited or held. */
  readonly credited: Usdt
}

/** A withdrawal that may be started, and how often its payment was refused. */
export interface PayableWithdrawal {
  readonly withdrawal: Withdrawal
  readonly refusals: number
  /** Whether screening failed to decide about it (SCREENING-4). */
  readonly unscreened: boolean
}

/** The payouts that wait, and those of a period. */
export interface PayoutLoad {
  /** Queued withdrawals, and the sum of their amounts. */
  readonly queued: number
  readonly needed: Usdt
  /** Withdrawals that were completed in the period. */
  readonly completed: number
}

export interface RefusedPayout {
  readonly id: WithdrawalId
  readonly reason: string
}

export interface Scanned {
  readonly networks: ReadonlyArray<string>
  readonly addresses: boolean
}

/**
 * Reads on wallets, and the deposit addresses. Money itself only moves through the SettlementStore.
 */
export class WalletStore extends Context.Service<
  WalletStore,
  {
    /** Includes appended credits. None for an unknown account. */
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<Wallet>, StoreUnavailable>
    /** Newest first, in one consistent reading. */
    readonly transactions: (
      account: AccountId,
      page: PageRequest
    ) => Effect.Effect<Page<WalletTransaction>, StoreUnavailable>
    /** All of them, newest first, without holding all of them in memory. */
    readonly exportTransactions: (account: AccountId) => Stream.Stream<WalletTransaction, StoreUnavailable>
    /** The wallet's address. The first call gives the wallet the next unused index (DEPOSIT-2) and its address. */
    readonly assignAddress: <E>(
      account: AccountId,
      derive: (index: number) => Effect.Effect<string, E>
    ) => Effect.Effect<string, E | StoreUnavailable>
    /** The owners of those addresses that are deposit addresses of this service. */
    readonly ownersOf: (
      addresses: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, AccountId>, StoreUnavailable>
    /** Replaces the recorded deposits of a network that are not final. */
    readonly replacePending: (
      network: string,
      deposits: ReadonlyArray<Deposit>
    ) => Effect.Effect<void, StoreUnavailable>
    /** The last scanned block of a network. */
    readonly cursor: (network: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** The same with the block's id, and how far all sources of the chain agree. */
    readonly scanPosition: (network: string) => Effect.Effect<Option.Option<ScanPosition>, StoreUnavailable>
    /** The scan state: the networks with a position, and whether any wallet has an address. */
    readonly scanned: Effect.Effect<Scanned, StoreUnavailable>
    /** Of this account; null: of whichever. */
    readonly findWithdrawal: (
      id: WithdrawalId,
      account: AccountId | null
    ) => Effect.Effect<Option.Option<Withdrawal>, StoreUnavailable>
    /** Newest first. */
    readonly listWithdrawals: (
      account: AccountId,
      page: PageRequest
    ) => Effect.Effect<Page<Withdrawal>, StoreUnavailable>
    /** Oldest first, of every account. */
    readonly withdrawalsIn: (
      state: Extract<WithdrawalState, "queued" | "broadcasting">,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Withdrawal>, StoreUnavailable>
    /**
     * Queued withdrawals of accounts that are not frozen, in the order in which they are started: one of each account, then a second one of each,
     * and so on, where the ones that are being paid count too. Within a turn the one that waits longest comes first; a deferred one waits since its
     * deferral ended (WITHDRAWAL-22).
     */
    readonly payableWithdrawals: (
      now: Timestamp,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PayableWithdrawal>, StoreUnavailable>
    /** All queued withdrawals, and those that were completed at `since` or later. */
    readonly payoutLoad: (since: Timestamp) => Effect.Effect<PayoutLoad, StoreUnavailable>
    /** Queued withdrawals whose payment was refused, with the last reason; oldest first. */
    readonly refusedPayouts: (limit: number) => Effect.Effect<ReadonlyArray<RefusedPayout>, StoreUnavailable>
    /** Makes queued withdrawals wait until that time. A reason counts as a refusal of their payment. */
    readonly deferPayouts: (
      ids: ReadonlyArray<WithdrawalId>,
      until: Timestamp,
      refusal: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** The rules of an owner who set none refuse nothing. */
    readonly withdrawalRules: (account: AccountId) => Effect.Effect<StoredWithdrawalRules, StoreUnavailable>
    /** The address book, newest first. */
    readonly savedAddresses: (
      account: AccountId,
      page: PageRequest
    ) => Effect.Effect<Page<SavedAddress>, StoreUnavailable>
    /** Null while payouts go on. */
    readonly payoutPause: Effect.Effect<PayoutPause | null, StoreUnavailable>
    /** Locked proceeds that are due at `now`, earliest first. */
    readonly dueEscrow: (now: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<Escrow>, StoreUnavailable>
    /** Every account in debt. */
    readonly debts: Effect.Effect<ReadonlyArray<Debt>, StoreUnavailable>
    /** Reads every line. A line that changed since it was audited is a difference, even if its wallet was changed with it. */
    readonly audit: Effect.Effect<LedgerAudit, StoreUnavailable>
    /**
     * Compares every wallet with the sums of the last checkpoint and the lines after it. Without a difference, every line that is
     * committed when it starts is part of the next checkpoint.
     */
    readonly auditSinceCheckpoint: (now: Timestamp) => Effect.Effect<LedgerAudit, StoreUnavailable>
    /** In one consistent reading. */
    readonly totals: Effect.Effect<LedgerTotals, StoreUnavailable>
    /** Streams every issued address, in the order of their indexes. */
    readonly issuedAddresses: (network: string) => Stream.Stream<IssuedAddress, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/WalletStore") {}

/** What an audit reports though the books are right (DEBT-4). `platform` is the platform's balance in 10⁻⁶ USDT. */
export const auditWarnings = (platform: bigint, debts: ReadonlyArray<Debt>): ReadonlyArray<string> => [
  ...(platform < 0n ? [`the platform account is negative: ${Usdt.format(platform)} USDT`] : []),
  ...debts.map(({ accountId, amount }) => `${accountId} owes the platform ${Usdt.format(amount)} USDT for refunds`)
]
