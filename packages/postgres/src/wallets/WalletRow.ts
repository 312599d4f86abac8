import type { AccountId, WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { Withdrawal, WithdrawalState } from "@agent-marketplace/core/wallets/Withdrawal"
import type { Amount, Time } from "../Row.ts"
import { amount, nullableTime, time } from "../Row.ts"

export interface BalanceColumns {
  readonly available: Amount
  readonly locked: Amount
  readonly total_deposits: Amount
  readonly total_withdrawals: Amount
  readonly total_spent: Amount
  readonly total_earned: Amount
  readonly debt: Amount
}

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

export interface EscrowRow {
  readonly account_id: string
  readonly reference: string
  readonly amount: Amount
  readonly released_at: Time
}

export const escrowOf = (row: EscrowRow): Escrow => ({
  accountId: row.account_id as AccountId,
  reference: row.reference,
  amount: amount(row.amount),
  releasedAt: time(row.released_at)
})

export interface WithdrawalRow {
  readonly id: string
  readonly account_id: string
  readonly amount: Amount
  readonly fee: Amount
  readonly network: string
  readonly destination_address: string
  readonly state: string
  readonly transaction_id: string | null
  readonly transaction_raw: string | null
  readonly transaction_expires_at: Time | null
  readonly attempts: number
  readonly failure: string | null
  readonly created_at: Time
  readonly completed_at: Time | null
}

export const withdrawalOf = (row: WithdrawalRow): Withdrawal => ({
  id: row.id as WithdrawalId,
  accountId: row.account_id as AccountId,
  amount: amount(row.amount),
  fee: amount(row.fee),
  network: row.network,
  destinationAddress: row.destination_address,
  state: row.state as WithdrawalState,
  transaction:
    row.transaction_id === null || row.transaction_raw === null || row.transaction_expires_at === null
      ? null
      : { txid: row.transaction_id, raw: row.transaction_raw, expiresAt: time(row.transaction_expires_at) },
  attempts: row.attempts,
  failure: row.failure,
  createdAt: time(row.created_at),
  completedAt: nullableTime(row.completed_at)
})
