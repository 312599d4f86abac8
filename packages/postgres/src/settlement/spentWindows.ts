import { windows } from "@agent-marketplace/core/approvals/SpendingWindows"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { AmountColumn, date, decodeRows, idColumn, interval } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"

/** The sums that a spender has spent in the windows up to now. */
export const SpentRow = Schema.Struct({
  subject_id: idColumn<AccountId | AgentId>(),
  /** How many payments were read to compute the sums. */
  examined: Schema.Int,
  day: AmountColumn,
  week: AmountColumn,
  month: AmountColumn
})

export type SpentRow = typeof SpentRow.Type

const decodeSpent = decodeRows(Schema.Array(SpentRow))

/** For a spender with more payments than this, sums are stored and later counts continue from them. */
const many = 128

/** The rolling windows in days. */
const windowDays = Object.entries(windows).map(([name, length]) => [name, length / Timestamp.day] as const)

const shortest = interval(Math.min(...Object.values(windows)))

/** Payments of the policy's spender, an account or an agent, after one moment and up to another. */
const payments = (after: string, until?: string): string => {
  const within = (at: string) => `${at} > ${after}${until === undefined ? "" : ` AND ${at} <= ${until}`}`
  return ["buyer_id", "agent_id"]
    .flatMap((spender) => [
      `SELECT amount, purchased_at AS at FROM purchases WHERE ${spender} = policies.subject_id AND ${within("purchased_at")}
        AND status IN ('pending', 'completed')`,
      `SELECT amount, at FROM renewals WHERE ${spender} = policies.subject_id AND ${within("at")} AND status = 'completed'`
    ])
    .join("\nUNION ALL ")
}

const sumSince = (moment: string, days: number): string =>
  `coalesce(sum(amount) FILTER (WHERE at > ${moment} - interval '${days} days'), 0)`

/** The stored sums to continue from, if they fit the windows of the present policy. */
export const keptSums = (
  now: string
): string => `LEFT JOIN spent_windows AS stored ON stored.subject_id = policies.subject_id
  AND stored.window_days = policies.window_days AND stored.until > ${now} - ${shortest} AND stored.until <= ${now}`

/** As {@link SpentRow}, over `policies` and {@link keptSums}: every payment in the windows, or none for a spender with stored sums. */
export const countedSpending = (now: string): string => `SELECT count(*)::int AS examined,
    ${windowDays.map(([name, days]) => `${sumSince(now, days)}::text AS ${name}`).join(",\n    ")}
  FROM (${payments(`CASE WHEN stored.until IS NULL THEN ${now} - make_interval(days => policies.window_days) END`)}) AS payment`

/** The sums of the windows up to a moment: the stored sums, plus later payments, minus those that have left the windows since. */
const continued = (moment: string, until?: string): string => `SELECT count(*)::int AS examined,
    ${windowDays
      .map(
        ([name, days]) => `(coalesce(stored.${name}, 0) + ${sumSince(moment, days)}
      - coalesce(sum(amount) FILTER (WHERE gone = ${days}), 0))::bigint AS ${name}`
      )
      .join(",\n    ")}
  FROM (
    SELECT amount, at, 0 AS gone FROM (
      ${payments(`coalesce(stored.until, ${moment} - make_interval(days => policies.window_days))`, until)}
    ) AS came
    ${windowDays
      .map(
        ([, days]) => `UNION ALL SELECT amount, NULL, ${days} FROM (
      ${payments(`stored.until - interval '${days} days'`, `${moment} - interval '${days} days'`)}
    ) AS gone WHERE policies.window_days >= ${days}`
      )
      .join("\n    ")}
  ) AS payment`

const readOn = `
  SELECT policies.subject_id, spent.examined, spent.day::text, spent.week::text, spent.month::text
  FROM policies ${keptSums("$2::timestamptz")} CROSS JOIN LATERAL (${continued("$2::timestamptz")}) AS spent
  WHERE policies.subject_id = ANY($1::text[])`

/** The policies of spenders, and what each has spent in the windows up to a moment. */
export const budgetsNow = `
  SELECT policies.policy, policies.subject_id, spent.examined, spent.day::text, spent.week::text, spent.month::text
  FROM policies ${keptSums("$2::timestamptz")} CROSS JOIN LATERAL (${continued("$2::timestamptz")}) AS spent
  WHERE policies.subject_id = ANY($1::text[])`

/**
 * One minute ago: no transaction waits that long for a wallet with an earlier timestamp, so no open transaction can still commit an older
 * payment. At most once a minute.
 */
const settled = "($2::timestamptz - interval '1 minute')"

const keep = `
  INSERT INTO spent_windows (subject_id, window_days, until, day, week, month)
  SELECT policies.subject_id, policies.window_days, ${settled}, spent.day, spent.week, spent.month
  FROM policies ${keptSums(settled)} CROSS JOIN LATERAL (${continued(settled, settled)}) AS spent
  WHERE policies.subject_id = ANY($1::text[]) AND (stored.until IS NULL OR stored.until < ${settled} - interval '1 minute')
  ON CONFLICT (subject_id) DO UPDATE SET window_days = EXCLUDED.window_days, until = EXCLUDED.until, day = EXCLUDED.day,
    week = EXCLUDED.week, month = EXCLUDED.month`

/** Appended to CTEs `purchase` and `renewal` that return the spenders whose payments they changed: their sums are computed again. */
export const forgetSpent = `forgotten AS (
    DELETE FROM spent_windows WHERE subject_id IN (
      SELECT buyer_id FROM purchase UNION ALL SELECT agent_id FROM purchase
      UNION ALL SELECT buyer_id FROM renewal UNION ALL SELECT agent_id FROM renewal
    )
  )`

/**
 * The sums of those spenders among `counted` whose sums are stored; also stores sums for spenders with many payments. Runs while the
 * spenders' wallets are locked: nobody else spends or stores sums for them meanwhile.
 */
export const spentOn = Effect.fnUntraced(function* (
  sql: SqlClient,
  now: Timestamp,
  counted: ReadonlyArray<SpentRow & { readonly stored: boolean }>
) {
  const subjects = (rows: ReadonlyArray<SpentRow>) =>
    arrayOf(
      "text",
      rows.map(({ subject_id }) => subject_id)
    )
  const known = counted.filter(({ stored }) => stored)
  const spent = known.length === 0 ? [] : decodeSpent(yield* sql.unsafe(readOn, [subjects(known), date(now)]))
  const large = [...counted, ...spent].filter(({ examined }) => examined >= many)
  if (large.length > 0) yield* sql.unsafe(keep, [subjects(large), date(now)])
  return new Map(spent.map((row) => [row.subject_id, row]))
})
