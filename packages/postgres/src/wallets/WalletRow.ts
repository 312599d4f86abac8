import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { Withdrawal, WithdrawalState } from "@agent-marketplace/core/wallets/Withdrawal"
import { Schema } from "effect"
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { amount, AmountColumn, ChangeColumn, idColumn } from "../Row.ts"

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

export const escrowColumns = recordColumns<Escrow>({
  accountId: column.id<AccountId>(),
  reference: column.text,
  amount: column.amount,
  releasedAt: column.time
})

/** The condition of the index `withdrawals_open_of`; the same states as `isOpen`. */
export const openStates = "state IN ('in_review', 'queued', 'broadcasting')"

const transactionColumns = recordColumns<{ id: string | null; raw: string | null; expiresAt: Timestamp | null }>(
  { id: column.orNull(column.text), raw: column.orNull(column.text), expiresAt: column.orNull(column.time) },
  "transaction_"
)

const screeningColumns = recordColumns<{ source: string | null; reference: string | null; approved: boolean | null }>(
  {
    source: column.orNull(column.text),
    reference: column.orNull(column.text),
    approved: column.orNull(column.flag)
  },
  "screening_"
)

export const withdrawalColumns = recordColumns<Withdrawal>({
  id: column.id<WithdrawalId>(),
  accountId: column.id<AccountId>(),
  amount: column.amount,
  fee: column.amount,
  network: column.text,
  destinationAddress: column.text,
  state: column.oneOf<WithdrawalState>({
    in_review: true,
    queued: true,
    broadcasting: true,
    completed: true,
    failed: true,
    cancelled: true
  }),
  transaction: {
    columns: transactionColumns.columns,
    read: (row: Row) => {
      const { expiresAt, id, raw } = transactionColumns.read(row)
      return id === null || raw === null || expiresAt === null ? null : { txid: id, raw, expiresAt }
    },
    write: (transaction) =>
      transactionColumns.write({
        id: transaction?.txid ?? null,
        raw: transaction?.raw ?? null,
        expiresAt: transaction?.expiresAt ?? null
      })
  },
  tokenFee: column.orNull(column.amount),
  attempts: column.integer,
  failure: column.orNull(column.text),
  screening: {
    columns: screeningColumns.columns,
    read: (row: Row) => {
      const { approved, reference, source } = screeningColumns.read(row)
      return source === null || reference === null ? null : { source, reference, approved: approved === true }
    },
    write: (screening) =>
      screeningColumns.write({
        source: screening?.source ?? null,
        reference: screening?.reference ?? null,
        approved: screening?.approved ?? null
      })
  },
  createdAt: column.time,
  completedAt: column.orNull(column.time)
})
