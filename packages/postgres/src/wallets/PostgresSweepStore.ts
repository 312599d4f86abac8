import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, time } from "../Row.ts"

interface SweepRow {
  readonly kind: SweepTransfer["kind"]
  readonly address: string
  readonly amount: Amount
  readonly transaction_id: string
  readonly transaction_raw: string
  readonly transaction_expires_at: Time
}

const transferOf = (row: SweepRow): SweepTransfer => ({
  kind: row.kind,
  address: row.address,
  amount: amount(row.amount),
  transaction: {
    txid: row.transaction_id,
    raw: row.transaction_raw,
    expiresAt: time(row.transaction_expires_at)
  }
})

export const PostgresSweepStore: { readonly layer: Layer.Layer<SweepStore, never, Database> } = {
  layer: Layer.effect(
    SweepStore,
    Effect.map(Database, ({ attempt, read, sql }) => ({
      start: ({ address, amount: moved, kind, transaction: { expiresAt, raw, txid } }) =>
        Effect.map(
          attempt(sql`
            INSERT INTO sweeps (transaction_id, kind, address, amount, transaction_raw, transaction_expires_at)
            VALUES (${txid}, ${kind}, ${address}, ${moved}::bigint, ${raw}, ${date(expiresAt)}::timestamptz)
            ON CONFLICT (address) WHERE ended IS NULL DO NOTHING RETURNING seq`),
          (rows) => rows.length === 1
        ),
      open: Effect.map(read<SweepRow>(`SELECT * FROM sweeps WHERE ended IS NULL ORDER BY seq`), (rows) =>
        rows.map(transferOf)
      ),
      end: (txid, as) =>
        Effect.asVoid(
          attempt(sql`
            UPDATE sweeps SET ended = ${as}, ended_at = clock_timestamp()
            WHERE transaction_id = ${txid} AND ended IS NULL`)
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
