import { changedFields } from "@agent-marketplace/core/admin/OperatorAction"
import type { OutgoingTransfer, Treasury, TreasuryWallet } from "@agent-marketplace/core/wallets/TreasuryStore"
import { areLimitsOrdered, limitsState, TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { Effect, Layer } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import { Database } from "../Database.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, time } from "../Row.ts"
import { arrayOf, rowset } from "../Rowset.ts"

interface TreasuryRow {
  readonly token: string | null
  readonly hot: string | null
  readonly cold: string | null
  readonly hot_ceiling: Amount | null
  readonly top_up_below: Amount | null
}

interface OutgoingRow {
  readonly network: string
  readonly txid: string
  readonly log_index: number
  readonly recipient: string
  readonly amount: Amount
  readonly block: bigint
  readonly at: Time
}

const nullableAmount = (value: Amount | null) => (value === null ? null : amount(value))

const treasuryOf = (row: TreasuryRow): Treasury => ({
  token: row.token,
  hot: row.hot,
  cold: row.cold,
  hotCeiling: nullableAmount(row.hot_ceiling),
  topUpBelow: nullableAmount(row.top_up_below)
})

/** The table has one row. */
const onlyTreasury = ([row]: ReadonlyArray<TreasuryRow>): Effect.Effect<Treasury> =>
  row === undefined ? Effect.die(new Error("the table of the treasury is empty")) : Effect.succeed(treasuryOf(row))

/** Reads and locks the treasury until the transaction of the database ends. */
export const lockedTreasury = (sql: Database["Service"]["sql"]) =>
  Effect.flatMap(sql<TreasuryRow>`SELECT * FROM treasury FOR UPDATE`, onlyTreasury)

const outgoingOf = (row: OutgoingRow): OutgoingTransfer => ({
  network: row.network,
  txid: row.txid,
  logIndex: row.log_index,
  to: row.recipient,
  amount: amount(row.amount),
  block: Number(row.block),
  at: time(row.at)
})

const transferSet = rowset({
  network: "text",
  txid: "text",
  log_index: "int4",
  recipient: "text",
  amount: "int8",
  block: "int8",
  at: "timestamptz"
})

const isPaid = (txid: string) => `EXISTS (SELECT FROM withdrawals WHERE withdrawals.transaction_id = ${txid})`

/** The condition of transfers that are neither known nor explained. */
export const unknownOutgoing = `resolved_at IS NULL AND NOT ${isPaid("outgoing_transfers.txid")}`

const record = `
  INSERT INTO outgoing_transfers (${transferSet.names}) SELECT ${transferSet.names} FROM ${transferSet.from(1, "sent")}
  WHERE NOT ${isPaid("sent.txid")} ON CONFLICT DO NOTHING`

const known = `
  SELECT txid FROM unnest($2::text[]) AS asked (txid) WHERE ${isPaid("asked.txid")}
    OR EXISTS (SELECT FROM outgoing_transfers WHERE network = $1::text AND outgoing_transfers.txid = asked.txid AND resolved_at IS NOT NULL)`

/**
 * Locks the recorded transfers of transactions until the transaction of the database ends. The statements after it see what the previous holder
 * of the lock wrote.
 */
export const lockOutgoing = `SELECT 1 FROM outgoing_transfers WHERE txid = ANY($1::text[]) ORDER BY network, txid, log_index FOR UPDATE`

/** Those of the transactions that a withdrawal has, or that the operator has explained. */
export const usedTransactions = `
  SELECT transaction_id AS txid FROM withdrawals WHERE transaction_id = ANY($1::text[])
  UNION SELECT txid FROM outgoing_transfers WHERE txid = ANY($1::text[]) AND resolved_at IS NOT NULL`

const explainUnknown = `
  UPDATE outgoing_transfers SET resolved_at = clock_timestamp(), explanation = $2::text
  WHERE txid = $1::text AND ${unknownOutgoing} RETURNING 1`

const columns: Readonly<Record<TreasuryWallet, string>> = { hot: "hot", cold: "cold" }

/** Changes nothing if the new wallet has become the other one meanwhile. */
const replaceWallet = (wallet: TreasuryWallet) => `
  UPDATE treasury SET ${columns[wallet]} = $2::text
  WHERE ${columns[wallet]} IS NOT DISTINCT FROM $1::text
    AND ($2::text IS NULL OR ${columns[wallet === "hot" ? "cold" : "hot"]} IS DISTINCT FROM $2::text)
  RETURNING 1`

export const PostgresTreasuryStore: { readonly layer: Layer.Layer<TreasuryStore, never, Database> } = {
  layer: Layer.effect(
    TreasuryStore,
    Effect.map(Database, ({ attempt, read, sql, transaction }) => ({
      treasury: Effect.flatMap(read<TreasuryRow>("SELECT * FROM treasury"), onlyTreasury),
      claim: ({ hot = null, token = null }) =>
        Effect.flatMap(
          attempt(sql<TreasuryRow>`
            UPDATE treasury SET token = coalesce(token, ${token}::text), hot = coalesce(hot, ${hot}::text) RETURNING *`),
          onlyTreasury
        ),
      setWallet: (wallet, { from, to }, action) =>
        transaction(
          Effect.gen(function* () {
            const changed = yield* sql.unsafe(replaceWallet(wallet), [from, to])
            if (changed.length === 0) return false
            yield* appendActions(sql, [{ ...action, ...changedFields({ [wallet]: from }, { [wallet]: to }) }])
            return true
          })
        ),
      setLimits: (limits, action) =>
        transaction(
          Effect.gen(function* () {
            const now = yield* lockedTreasury(sql)
            const next = { ...now, ...limits }
            if (!areLimitsOrdered(next)) return false
            yield* sql`UPDATE treasury SET hot_ceiling = ${next.hotCeiling}::bigint, top_up_below = ${next.topUpBelow}::bigint`
            yield* appendActions(sql, [{ ...action, ...changedFields(limitsState(now), limitsState(next)) }])
            return true
          })
        ),
      recordOutgoing: (network, transfers) =>
        Effect.asVoid(
          attempt(
            sql.unsafe(
              record,
              transferSet.parameters(
                transfers.map((transfer) => ({
                  network,
                  txid: transfer.txid,
                  log_index: transfer.logIndex,
                  recipient: transfer.to,
                  amount: transfer.amount,
                  block: BigInt(transfer.block),
                  at: date(transfer.at)
                }))
              )
            )
          )
        ),
      knownTransactions: (network, txids) =>
        Effect.map(
          attempt(sql.unsafe<{ readonly txid: string }>(known, [network, arrayOf("text", txids)])),
          (rows) => new Set(rows.map(({ txid }) => txid))
        ),
      unknownTransfers: Effect.map(
        read<OutgoingRow>(
          `SELECT * FROM outgoing_transfers WHERE ${unknownOutgoing} ORDER BY block, txid, log_index LIMIT 1000`
        ),
        (rows) => rows.map(outgoingOf)
      ),
      explain: (txid, explanation, action) =>
        transaction(
          Effect.gen(function* () {
            yield* sql.unsafe(lockOutgoing, [arrayOf("text", [txid])])
            const explained = yield* sql.unsafe(explainUnknown, [txid, explanation])
            if (explained.length === 0) return false
            yield* appendActions(sql, [{ ...action, before: null, after: { explanation } }])
            return true
          })
        )
    }))
  )
}
