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
import type { SavedAddress, StoredWithdrawalPolicy } from "./WithdrawalPolicy.ts"

/** A wallet as its owner sees it (WALLET-1). */
export interface Wallet extends WalletBalance {
  /** Deposits that were seen but are not final. */
  readonly pending: Usdt
  readonly depositAddress: string | null
  /** Proceeds that are locked, one entry for each UTC day on which some are released, earliest first. */
  readonly escrow: ReadonlyArray<EscrowDay>
}

/** What is released on one day, and the last moment of that day at which something is (ESCROW-3). */
export interface EscrowDay {
  readonly amount: Usdt
  readonly releasedAt: Timestamp
}

/** What an account owes the platform. */
export interface Debt {
  readonly accountId: AccountId
  readonly amount: Usdt
}

/** A ledger line as a wallet's owner sees it (LEDGER-1); only lines that move what can be spent. */
export interface WalletTransaction {
  readonly id: string
  readonly type: TransactionType
  /** Signed: what it added to what can be spent (MONEY-6). */
  readonly amount: bigint
  /** What could be spent after it: the sum of this and all earlier amounts. */
  readonly balanceAfter: Usdt
  readonly reference: string
  /** The agent that bought, on the lines of its purchases and renewals. */
  readonly agentId: AgentId | null
  readonly createdAt: Timestamp
}

/** What a recomputation from the ledger lines finds. */
export interface LedgerAudit {
  readonly balanced: boolean
  readonly wallets: number
  readonly entries: number
  /** One sentence for each wallet or total that is not what its lines say. */
  readonly differences: ReadonlyArray<string>
  /** One sentence for a negative platform account and for each debt: nothing is wrong with the books, yet the platform lacks the money. */
  readonly warnings: ReadonlyArray<string>
}

/** The sums of the ledger: `wallets` + `platform` = `deposits` − `withdrawals` where the books are right. */
export interface LedgerTotals {
  /** What can be spent and what is held, of every wallet. */
  readonly wallets: Usdt
  /** What the service has earned. */
  readonly platform: bigint
  readonly deposits: Usdt
  /** What completed withdrawals paid, without their fees. */
  readonly withdrawals: Usdt
}

/** A deposit address that was given out. */
export interface GivenAddress {
  readonly index: number
  readonly address: string
  readonly account: AccountId
  /** What was credited for it on the network that is asked about. */
  readonly credited: Usdt
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
    /** Appended credits included. None for an unknown account. */
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<Wallet>, StoreUnavailable>
    /** Newest first, in one consistent reading. */
    readonly transactions: (
      account: AccountId,
      page: PageRequest
    ) => Effect.Effect<Page<WalletTransaction>, StoreUnavailable>
    /** All of them, newest first, without holding them in memory at once. */
    readonly exportTransactions: (account: AccountId) => Stream.Stream<WalletTransaction, StoreUnavailable>
    /** The wallet's address; the first call takes the next index (DEPOSIT-2), never used before or after, and gives it the address. */
    readonly assignAddress: <E>(
      account: AccountId,
      derive: (index: number) => Effect.Effect<string, E>
    ) => Effect.Effect<string, E | StoreUnavailable>
    /** The wallets behind those of the addresses that are ours. */
    readonly ownersOf: (
      addresses: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, AccountId>, StoreUnavailable>
    /** Replaces what is known of seen-but-not-final deposits of a network. */
    readonly replacePending: (
      network: string,
      deposits: ReadonlyArray<Deposit>
    ) => Effect.Effect<void, StoreUnavailable>
    /** The last scanned block of a network. */
    readonly cursor: (network: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** What was scanned so far: the networks with a position, and whether any wallet has an address. */
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
    /** The rules of an owner who set none refuse nothing. */
    readonly withdrawalPolicy: (account: AccountId) => Effect.Effect<StoredWithdrawalPolicy, StoreUnavailable>
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
    readonly audit: Effect.Effect<LedgerAudit, StoreUnavailable>
    /** In one consistent reading. */
    readonly totals: Effect.Effect<LedgerTotals, StoreUnavailable>
    /** Every address that was given out, by its index, without holding all in memory at once. */
    readonly givenAddresses: (network: string) => Stream.Stream<GivenAddress, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/WalletStore") {}

/** What an audit reports though the books are right (DEBT-4). `platform` is the platform's balance in 10⁻⁶ USDT. */
export const auditWarnings = (platform: bigint, debts: ReadonlyArray<Debt>): ReadonlyArray<string> => [
  ...(platform < 0n ? [`the platform account is negative: ${Usdt.format(platform)} USDT`] : []),
  ...debts.map(({ accountId, amount }) => `${accountId} owes the platform ${Usdt.format(amount)} USDT for refunds`)
]
