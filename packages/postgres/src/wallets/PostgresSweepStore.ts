import type { ForeignAssetId } from "@agent-marketplace/core/ids/Ids"
import { sweepDestination } from "@agent-marketplace/core/wallets/sweepDestination"
import type { HotBalance, SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, time } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import { lockedTreasury } from "./PostgresTreasuryStore.ts"

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
  ...(row.kind !== "sweep" || row.destination === null ? {} : { destination: row.destination }),
  ...(row.foreign_asset === null || row.destination === null
    ? {}
    : { returns: { id: row.foreign_asset as ForeignAssetId, destination: row.destination } })
})

/** Locks the asset of a return until the transaction ends; no row if it is not to be returned to that destination. */
const lockReturned = `SELECT 1 FROM foreign_assets WHERE id = $1::text AND state = 'returning' AND destination = $2::text FOR UPDATE`

const startReturn = `UPDATE foreign_assets SET transaction_id = $2::text, transaction_amount = $3::numeric WHERE id = $1::text`

/** Sweeps on their way to the hot wallet, and those that were when its balance was read. */
const underWay = `
  SELECT coalesce(sum(amount), 0)::bigint AS amount FROM sweeps
  WHERE kind = 'sweep' AND (destination IS NULL OR destination = $1::text)
    AND (ended IS NULL OR (ended = 'done' AND transaction_id = ANY($2::text[])))`

/** Whether the sweep goes where the treasury requires. No other sweep with this check starts until the transaction of the database ends. */
const goesRight = Effect.fnUntraced(function* (
  sql: SqlClient,
  { destination, kind }: SweepTransfer,
  { counted, held }: HotBalance
) {
  if (kind !== "sweep") return true
  const treasury = yield* lockedTreasury(sql)
  const [found] = yield* sql.unsafe<{ readonly amount: Amount }>(underWay, [
    treasury.hot,
    arrayOf("text", [...counted])
  ])
  return destination === sweepDestination(treasury, held + amount(found?.amount ?? 0))
})

/** Nothing is written before the last reason to refuse the transfer has been checked. */
const start = Effect.fnUntraced(function* (sql: SqlClient, transfer: SweepTransfer, hot: HotBalance | undefined) {
  if (hot !== undefined && !(yield* goesRight(sql, transfer, hot))) return false
  const { address, amount: moved, kind, returns, transaction } = transfer
  const { expiresAt, raw, txid } = transaction
  if (returns !== undefined) {
    const locked = yield* sql.unsafe(lockReturned, [returns.id, returns.destination])
    if (locked.length === 0) return false
  }
  const [asset, destination] = [returns?.id ?? null, returns?.destination ?? transfer.destination ?? null]
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

const end = Effect.fnUntraced(function* (sql: SqlClient, txid: string, as: SweepEnd, reason: string) {
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
      start: (transfer, hot) => transaction(start(sql, transfer, hot)),
      open: Effect.map(read<SweepRow>(`SELECT ${columns} FROM sweeps WHERE ended IS NULL ORDER BY seq`), (rows) =>
        rows.map(transferOf)
      ),
      end: (txid, as, reason = "no reason was reported") => transaction(end(sql, txid, as, reason)),
      destinations: Effect.map(
        read<{ readonly destination: string }>(
          `SELECT DISTINCT destination FROM sweeps WHERE kind = 'sweep' AND destination IS NOT NULL`
        ),
        (rows) => rows.map(({ destination }) => destination)
      ),
      swept: Effect.map(
        read<{ readonly address: string; readonly swept: Amount }>(
          `SELECT address, sum(amount)::bigint AS swept FROM sweeps WHERE kind = 'sweep' AND ended = 'done' GROUP BY address`
        ),
        (rows) => new Map(rows.map(({ address, swept }) => [address, amount(swept)]))
      )
    }))
  )
}
