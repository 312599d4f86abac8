import type { ForeignAssetId } from "@agent-marketplace/core/ids/Ids"
import type { SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, time } from "../Row.ts"

interface SweepRow {
  readonly kind: SweepTransfer["kind"]
  readonly address: string
  readonly amount: string
  readonly transaction_id: string
  readonly transaction_raw: string
  readonly transaction_expires_at: Time
  readonly foreign_asset: string | null
  readonly destination: string | null
}

const columns = `kind, address, amount::text AS amount, transaction_id, transaction_raw, transaction_expires_at, foreign_asset, destination`

const transferOf = (row: SweepRow): SweepTransfer => ({
  kind: row.kind,
  address: row.address,
  amount: BigInt(row.amount),
  transaction: {
    txid: row.transaction_id,
    raw: row.transaction_raw,
    expiresAt: time(row.transaction_expires_at)
  },
  ...(row.foreign_asset === null || row.destination === null
    ? {}
    : { returns: { id: row.foreign_asset as ForeignAssetId, destination: row.destination } })
})

/** Locks what a return returns until the transaction ends; nothing if it is not to be returned to that destination. */
const lockReturned = `SELECT 1 FROM foreign_assets WHERE id = $1::text AND state = 'returning' AND destination = $2::text FOR UPDATE`

const startReturn = `UPDATE foreign_assets SET transaction_id = $2::text, transaction_amount = $3::numeric WHERE id = $1::text`

/** Nothing is written before the last reason to refuse the transfer has been checked. */
const start = Effect.fnUntraced(function* (sql: PgClient.PgClient, transfer: SweepTransfer) {
  const { address, amount: moved, kind, returns, transaction } = transfer
  const { expiresAt, raw, txid } = transaction
  if (returns !== undefined) {
    const locked = yield* sql.unsafe(lockReturned, [returns.id, returns.destination])
    if (locked.length === 0) return false
  }
  const [asset, destination] = [returns?.id ?? null, returns?.destination ?? null]
  const started = yield* sql`
    INSERT INTO sweeps (transaction_id, kind, address, amount, transaction_raw, transaction_expires_at, foreign_asset, destination)
    VALUES (${txid}, ${kind}, ${address}, ${String(moved)}::numeric, ${raw}, ${date(expiresAt)}::timestamptz, ${asset}, ${destination})
    ON CONFLICT (address) WHERE ended IS NULL DO NOTHING RETURNING seq`
  if (started.length === 0) return false
  if (returns !== undefined) yield* sql.unsafe(startReturn, [returns.id, txid, String(moved)])
  return true
})

const endOpen = `
  UPDATE sweeps SET ended = $2::text, ended_at = clock_timestamp()
  WHERE transaction_id = $1::text AND ended IS NULL RETURNING foreign_asset`

const endsOfReturns: Readonly<Record<SweepEnd, string>> = {
  done: `state = 'returned'`,
  failed: `state = 'failed', failure = $2::text`,
  dead: `transaction_id = NULL, transaction_amount = NULL`
}

const end = Effect.fnUntraced(function* (sql: PgClient.PgClient, txid: string, as: SweepEnd, reason: string) {
  const [ended] = yield* sql.unsafe<Pick<SweepRow, "foreign_asset">>(endOpen, [txid, as])
  const asset = ended?.foreign_asset ?? null
  if (asset === null) return
  const parameters = as === "failed" ? [asset, reason] : [asset]
  yield* sql.unsafe(`UPDATE foreign_assets SET ${endsOfReturns[as]} WHERE id = $1::text`, parameters)
})

export const PostgresSweepStore: { readonly layer: Layer.Layer<SweepStore, never, Database> } = {
  layer: Layer.effect(
    SweepStore,
    Effect.map(Database, ({ read, sql, transaction }) => ({
      start: (transfer) => transaction(start(sql, transfer)),
      open: Effect.map(read<SweepRow>(`SELECT ${columns} FROM sweeps WHERE ended IS NULL ORDER BY seq`), (rows) =>
        rows.map(transferOf)
      ),
      end: (txid, as, reason = "no reason was reported") => transaction(end(sql, txid, as, reason)),
      swept: Effect.map(
        read<{ readonly address: string; readonly swept: Amount }>(
          `SELECT address, sum(amount)::bigint AS swept FROM sweeps WHERE kind = 'sweep' AND ended = 'done' GROUP BY address`
        ),
        (rows) => new Map(rows.map(({ address, swept }) => [address, amount(swept)]))
      )
    }))
  )
}
