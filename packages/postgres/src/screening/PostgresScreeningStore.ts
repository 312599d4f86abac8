import type { HeldDepositId } from "@agent-marketplace/core/ids/Ids"
import { heldDepositStates } from "@agent-marketplace/core/screening/HeldDeposit"
import { ScreeningStore } from "@agent-marketplace/core/screening/ScreeningStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import { heldDepositColumns } from "./HeldDepositRow.ts"

const page = pageQuery("*", "held_deposits", "state = ANY($3::text[])", "held_at DESC, seq DESC")

/** The condition of the index `held_deposits_undecided` is repeated, so that it is used. */
const unscreened = `
  SELECT * FROM held_deposits
  WHERE state IN ('screening', 'held') AND state = 'screening' AND (screen_after IS NULL OR screen_after <= $1::timestamptz)
  ORDER BY held_at, seq LIMIT $2::int`

/** One row, in one consistent reading. */
const standing = `
  SELECT
    (SELECT count(*)::int FROM held_deposits WHERE state IN ('screening', 'held') AND state = 'held') AS held,
    (SELECT id FROM held_deposits WHERE state IN ('screening', 'held') AND state = 'held'
      ORDER BY held_at, seq LIMIT 1) AS oldest_held,
    count(*)::int AS unscreened, min(failure) AS failure
  FROM (
    SELECT failure FROM held_deposits
    WHERE state IN ('screening', 'held') AND state = 'screening' AND failure IS NOT NULL
    UNION ALL
    SELECT screening_failure FROM withdrawals WHERE state = 'queued' AND screening_failure IS NOT NULL
  ) AS failed`

interface StandingRow {
  readonly held: number
  readonly oldest_held: HeldDepositId | null
  readonly unscreened: number
  readonly failure: string | null
}

export const PostgresScreeningStore: { readonly layer: Layer.Layer<ScreeningStore, never, Database> } = {
  layer: Layer.effect(
    ScreeningStore,
    Effect.map(Database, ({ attempt, read, readList, sql }) => ({
      find: (id) =>
        Effect.map(read<Row>(`SELECT * FROM held_deposits WHERE id = $1::text`, [id]), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), heldDepositColumns.read)
        ),
      list: ({ states }, request) =>
        Effect.map(
          readList<Row & PageRow>(
            page,
            [...pageParameters(request), arrayOf("text", states ?? heldDepositStates)],
            false
          ),
          (rows) => pageOf(rows, heldDepositColumns.read)
        ),
      unscreened: (now, limit) =>
        Effect.map(read<Row & { readonly failures: number }>(unscreened, [date(now), limit]), (rows) =>
          rows.map((row) => ({ deposit: heldDepositColumns.read(row), failures: row.failures }))
        ),
      deferDeposit: (id, until, failure) =>
        Effect.asVoid(
          attempt(sql`
            UPDATE held_deposits SET screen_after = ${date(until)}::timestamptz, failure = ${failure},
              failures = failures + 1
            WHERE id = ${id} AND state = 'screening'`)
        ),
      deferWithdrawal: (id, until, failure) =>
        Effect.asVoid(
          attempt(sql`
            UPDATE withdrawals SET screen_after = ${date(until)}::timestamptz, screening_failure = ${failure}
            WHERE id = ${id} AND state = 'queued'`)
        ),
      withdrawalsScreened: (ids) =>
        Effect.asVoid(
          attempt(sql`
            UPDATE withdrawals SET screen_after = NULL, screening_failure = NULL
            WHERE id = ANY(${arrayOf("text", ids)}::text[]) AND screening_failure IS NOT NULL`)
        ),
      standing: Effect.map(read<StandingRow>(standing), ([row]) => ({
        held: row?.held ?? 0,
        oldestHeld: row?.oldest_held ?? null,
        unscreened: row?.unscreened ?? 0,
        failure: row?.failure ?? null
      }))
    }))
  )
}
