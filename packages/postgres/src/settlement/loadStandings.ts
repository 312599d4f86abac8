import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { MarketState } from "@agent-marketplace/core/settlement/MarketState"
import type { ReadSet } from "@agent-marketplace/core/settlement/ReadSet"
import type { PayoutPause } from "@agent-marketplace/core/wallets/Withdrawal"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { amount, AmountColumn, date, decodeRows, idColumn, interval } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import {
  payoutColumns,
  payoutPauseOf,
  savedAddressOf,
  SavedAddressRow,
  WithdrawalRulesJson,
  withdrawalRulesOf
} from "../wallets/WithdrawalRulesRow.ts"
import { lockOutgoing, usedTransactions } from "../wallets/PostgresTreasuryStore.ts"
import { openStates } from "../wallets/WalletRow.ts"

const select = `
  SELECT account.id AS account_id,
    (SELECT count(*)::int FROM withdrawals
      WHERE account_id = account.id AND ${openStates}) AS open,
    (SELECT coalesce(sum(amount), 0)::text FROM withdrawals
      WHERE account_id = account.id AND created_at > $2::timestamptz - ${interval(Time.day)}
        AND state NOT IN ('failed', 'cancelled')) AS day,
    (SELECT policy FROM withdrawal_policies WHERE withdrawal_policies.account_id = account.id) AS policy,
    (SELECT json_agg(saved) FROM (
      SELECT id, address, label, created_at FROM withdrawal_addresses WHERE withdrawal_addresses.account_id = account.id
    ) AS saved) AS addresses
  FROM unnest($1::text[]) AS account (id)`

const decodeStandings = decodeRows(
  Schema.Array(
    Schema.Struct({
      account_id: idColumn<AccountId>(),
      open: Schema.Int,
      day: AmountColumn,
      policy: Schema.NullOr(WithdrawalRulesJson),
      addresses: Schema.NullOr(Schema.Array(SavedAddressRow))
    })
  )
)

/** What decides on the withdrawals of accounts whose wallets are locked. */
export const loadStandings = Effect.fnUntraced(function* (
  sql: SqlClient,
  accounts: ReadSet["standings"],
  now: Timestamp
): Effect.fn.Return<MarketState["standings"], SqlError> {
  if (accounts.length === 0) return new Map()
  const rows = decodeStandings(yield* sql.unsafe(select, [arrayOf("text", accounts), date(now)]))
  return new Map(
    rows.map(({ account_id, addresses, day, open, policy }) => [
      account_id,
      {
        open,
        day: amount(day),
        rules: policy === null ? openRules : withdrawalRulesOf(policy),
        addresses: new Map((addresses ?? []).map(savedAddressOf).map((saved) => [saved.id, saved]))
      }
    ])
  )
})

/**
 * The pause of payouts, locked to the transaction's end: a pause waits for the payouts that were decided before it, and is seen by those that
 * are decided after it.
 */
export const lockPayouts = Effect.fnUntraced(function* (
  sql: SqlClient,
  payouts: ReadSet["payouts"]
): Effect.fn.Return<PayoutPause | null, SqlError> {
  if (payouts === "no") return null
  return payoutPauseOf(
    yield* sql.unsafe(`SELECT ${payoutColumns} FROM payouts FOR ${payouts === "read" ? "SHARE" : "UPDATE"}`)
  )
})

/** Locked to the transaction's end: a transaction that is explained at the same time is either explained first, or settles a withdrawal first. */
export const loadUsedTransactions = Effect.fnUntraced(function* (
  sql: SqlClient,
  transactions: ReadSet["transactions"]
): Effect.fn.Return<MarketState["usedTransactions"], SqlError> {
  if (transactions.length === 0) return new Set()
  const txids = [arrayOf("text", transactions)]
  yield* sql.unsafe(lockOutgoing, txids)
  const used = yield* sql.unsafe<{ readonly txid: string }>(usedTransactions, txids)
  return new Set(used.map(({ txid }) => txid))
})
