import type { AccountId, WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { Withdrawal, WithdrawalState } from "@agent-marketplace/core/wallets/Withdrawal"
import { Schema } from "effect"
import { amount, AmountColumn, ChangeColumn, idColumn, nullableTime, oneOf, time, TimeColumn } from "../Row.ts"

const balanceColumnsOf = <Column extends Schema.Top>(column: Column) => ({
  available: column,
  locked: column,
  total_deposits: column,
  total_withdrawals: column,
  total_spent: column,
  total_earned: column,
  debt: column
})

/** A wallet's row: no balance is ever negative. */
export const WalletColumns = Schema.Struct({ account_id: idColumn<AccountId>(), ...balanceColumnsOf(AmountColumn) })

/** What appended credits change a wallet's balances by. */
export const CreditColumns = Schema.Struct({ account_id: idColumn<AccountId>(), ...balanceColumnsOf(ChangeColumn) })

export type BalanceColumns = Omit<typeof WalletColumns.Type, "account_id">

export const balanceColumnNames = [
  "available",
  "locked",
  "total_deposits",
  "total_withdrawals",
  "total_spent",
  "total_earned",
  "debt"
] as const

export const balanceOf = (row: BalanceColumns): WalletBalance => ({
  available: amount(row.available),
  locked: amount(row.locked),
  totalDeposits: amount(row.total_deposits),
  totalWithdrawals: amount(row.total_withdrawals),
  totalSpent: amount(row.total_spent),
  totalEarned: amount(row.total_earned),
  debt: amount(row.debt)
})

export const balanceColumns = (balance: WalletBalance) => ({
  available: balance.available,
  locked: balance.locked,
  total_deposits: balance.totalDeposits,
  total_withdrawals: balance.totalWithdrawals,
  total_spent: balance.totalSpent,
  total_earned: balance.totalEarned,
  debt: balance.debt
})

export const EscrowRow = Schema.Struct({
  account_id: Schema.String,
  reference: Schema.String,
  amount: AmountColumn,
  released_at: TimeColumn
})

export type EscrowRow = typeof EscrowRow.Type

export const escrowOf = (row: EscrowRow): Escrow => ({
  accountId: row.account_id as AccountId,
  reference: row.reference,
  amount: amount(row.amount),
  releasedAt: time(row.released_at)
})

/** The condition of the index `withdrawals_open_of`; the same states as `isOpen`. */
export const openStates = "state IN ('in_review', 'queued', 'broadcasting')"

export const WithdrawalRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  amount: AmountColumn,
  fee: AmountColumn,
  network: Schema.String,
  destination_address: Schema.String,
  state: oneOf<WithdrawalState>({
    in_review: true,
    queued: true,
    broadcasting: true,
    completed: true,
    failed: true,
    cancelled: true
  }),
  transaction_id: Schema.NullOr(Schema.String),
  transaction_raw: Schema.NullOr(Schema.String),
  transaction_expires_at: Schema.NullOr(TimeColumn),
  token_fee: Schema.NullOr(AmountColumn),
  attempts: Schema.Int,
  failure: Schema.NullOr(Schema.String),
  created_at: TimeColumn,
  completed_at: Schema.NullOr(TimeColumn)
})

export type WithdrawalRow = typeof WithdrawalRow.Type

export const withdrawalOf = (row: WithdrawalRow): Withdrawal => ({
  id: row.id as WithdrawalId,
  accountId: row.account_id as AccountId,
  amount: amount(row.amount),
  fee: amount(row.fee),
  network: row.network,
  destinationAddress: row.destination_address,
  state: row.state,
  transaction:
    row.transaction_id === null || row.transaction_raw === null || row.transaction_expires_at === null
      ? null
      : { txid: row.transaction_id, raw: row.transaction_raw, expiresAt: time(row.transaction_expires_at) },
  tokenFee: row.token_fee === null ? null : amount(row.token_fee),
  attempts: row.attempts,
  failure: row.failure,
  createdAt: time(row.created_at),
  completedAt: nullableTime(row.completed_at)
})
