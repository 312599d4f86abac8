import { windows } from "@agent-marketplace/core/approvals/Budgets"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { date, interval } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"

/** What a spender has spent in the windows before now. */
export interface SpentRow {
  readonly subject_id: AccountId | AgentId
  /** How many payments were looked at to know it. */
  readonly looked: number
  readonly day: string
  readonly week: string
  readonly month: string
}

/** For a spender with more payments to look at, sums are kept from which counting goes on. */
const many = 128

/** The rolling windows in days. */
const windowDays = Object.entries(windows).map(([name, length]) => [name, length / Timestamp.day] as const)

const shortest = interval(Math.min(...Object.values(windows)))

/** Payments of the policy's spender, an account or an agent, after a moment and up to another. */
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

/** The sums from which to count on, if there are any for the windows of the policy as it is now. */
export const keptSums = (
  now: string
): string => `LEFT JOIN spent_windows AS kept ON kept.subject_id = policies.subject_id
  AND kept.window_days = policies.window_days AND kept.until > ${now} - ${shortest} AND kept.until <= ${now}`

/** As {@link SpentRow}, over `policies` and {@link keptSums}: every payment in the windows, or none of a spender with kept sums. */
export const countedSpending = (now: string): string => `SELECT count(*)::int AS looked,
    ${windowDays.map(([name, days]) => `${sumSince(now, days)}::text AS ${name}`).join(",\n    ")}
  FROM (${payments(`CASE WHEN kept.until IS NULL THEN ${now} - make_interval(days => policies.window_days) END`)}) AS payment`

/** What was spent in the windows before a moment: the kept sums, with what came since, without what has left the windows since. */
const continued = (moment: string, until?: string): string => `SELECT count(*)::int AS looked,
    ${windowDays
      .map(
        ([name, days]) => `(coalesce(kept.${name}, 0) + ${sumSince(moment, days)}
      - coalesce(sum(amount) FILTER (WHERE gone = ${days}), 0))::bigint AS ${name}`
      )
      .join(",\n    ")}
  FROM (
    SELECT amount, at, 0 AS gone FROM (
      ${payments(`coalesce(kept.until, ${moment} - make_interval(days => policies.window_days))`, until)}
    ) AS came
    ${windowDays
      .map(
        ([, days]) => `UNION ALL SELECT amount, NULL, ${days} FROM (
      ${payments(`kept.until - interval '${days} days'`, `${moment} - interval '${days} days'`)}
    ) AS gone WHERE policies.window_days >= ${days}`
      )
      .join("\n    ")}
  ) AS payment`

const readOn = `
  SELECT policies.subject_id, spent.looked, spent.day::text, spent.week::text, spent.month::text
  FROM policies ${keptSums("$2::timestamptz")} CROSS JOIN LATERAL (${continued("$2::timestamptz")}) AS spent
  WHERE policies.subject_id = ANY($1::text[])`

/** The policies of spenders, and what each has spent in the windows before a moment. */
export const budgetsNow = `
  SELECT policies.policy, policies.subject_id, spent.looked, spent.day::text, spent.week::text, spent.month::text
  FROM policies ${keptSums("$2::timestamptz")} CROSS JOIN LATERAL (${continued("$2::timestamptz")}) AS spent
  WHERE policies.subject_id = ANY($1::text[])`

/**
 * A minute back: nobody waits that long for a wallet with an earlier time in hand, so no payment of before is still to come. Not more
 * often than once in a minute.
 */
const settled = "($2::timestamptz - interval '1 minute')"

const keep = `
  INSERT INTO spent_windows (subject_id, window_days, until, day, week, month)
  SELECT policies.subject_id, policies.window_days, ${settled}, spent.day, spent.week, spent.month
  FROM policies ${keptSums(settled)} CROSS JOIN LATERAL (${continued(settled, settled)}) AS spent
  WHERE policies.subject_id = ANY($1::text[]) AND (kept.until IS NULL OR kept.until < ${settled} - interval '1 minute')
  ON CONFLICT (subject_id) DO UPDATE SET window_days = EXCLUDED.window_days, until = EXCLUDED.until, day = EXCLUDED.day,
    week = EXCLUDED.week, month = EXCLUDED.month`

/** To be put behind CTEs `purchase` and `renewal` that return whose payments they changed: their sums are counted anew. */
export const forgetSpent = `forgotten AS (
    DELETE FROM spent_windows WHERE subject_id IN (
      SELECT buyer_id FROM purchase UNION ALL SELECT agent_id FROM purchase
      UNION ALL SELECT buyer_id FROM renewal UNION ALL SELECT agent_id FROM renewal
    )
  )`

/**
 * What those spenders have spent for whom sums are kept, among `counted`, and keeps sums for those of many payments. Behind the lock of
 * the spenders' wallets: nobody else spends or keeps for them meanwhile.
 */
export const spentOn = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  now: Timestamp,
  counted: ReadonlyArray<SpentRow & { readonly kept: boolean }>
) {
  const subjects = (rows: ReadonlyArray<SpentRow>) =>
    arrayOf(
      "text",
      rows.map(({ subject_id }) => subject_id)
    )
  const known = counted.filter(({ kept }) => kept)
  const spent = known.length === 0 ? [] : yield* sql.unsafe<SpentRow>(readOn, [subjects(known), date(now)])
  const large = [...counted, ...spent].filter(({ looked }) => looked >= many)
  if (large.length > 0) yield* sql.unsafe(keep, [subjects(large), date(now)])
  return new Map(spent.map((row) => [row.subject_id, row]))
})
