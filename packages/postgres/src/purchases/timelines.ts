import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type {
  EarningsSeries,
  SpendingSeries,
  TimelineFilter,
  TimelineSum
} from "@agent-marketplace/core/purchases/Timeline"
import { largestGroups, otherGroups, totalSeries } from "@agent-marketplace/core/purchases/Timeline"
import type { Amount } from "../Row.ts"
import { amount, date } from "../Row.ts"
import { agentKey, nameIn, paidBy } from "./spendingReport.ts"

/**
 * The sums of the largest groups and of the others together, in the order of their series and then of time. `$1` is the account, `$2` and
 * `$3` are the bounds, `$4` is the length of a period's text: 10 for days, 7 for months.
 */
const timeline = (rows: string, key: string, name: string): string => `
  WITH paid AS (
    SELECT ${key} AS id, left(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), $4::int) AS period,
      sum(amount)::bigint AS amount, count(*)::int AS count
    FROM ${rows} GROUP BY 1, 2
  ), ranked AS (
    SELECT id, least(row_number() OVER (ORDER BY sum(amount) DESC, id), ${largestGroups + 1}) AS rank FROM paid GROUP BY id
  ), spent AS (
    SELECT CASE WHEN rank <= ${largestGroups} THEN id END AS id, rank, period, sum(amount)::bigint AS amount, sum(count)::int AS count
    FROM paid JOIN ranked USING (id) GROUP BY 1, 2, 3
  ), named AS (
    SELECT spent.id, ${name} AS name FROM ranked AS spent WHERE rank <= ${largestGroups}
  )
  SELECT spent.id, coalesce(named.name, '${otherGroups}') AS name, period, amount, count
  FROM spent LEFT JOIN named ON named.id = spent.id ORDER BY rank, period`

const paid = paidBy("$1", "$2", "$3")

/** By series; see {@link timeline} for the parameters (BUDGET-5). */
export const spendingTimelines: Readonly<Record<SpendingSeries, string>> = {
  total: timeline(paid, `'${totalSeries.key}'`, `'${totalSeries.name}'`),
  agent: timeline(paid, agentKey, nameIn.agents),
  category: timeline(paid, "category", "spent.id"),
  seller: timeline(paid, "seller_id", nameIn.accounts)
}

const between = (at: string): string => `${at} >= $2::timestamptz AND ${at} < $3::timestamptz`

/** The rows of one seller and period, read from the indexes by seller and time. */
const earned = `(
  SELECT item_id, amount - fee AS amount, purchased_at AS at FROM purchases
  WHERE seller_id = $1::text AND status = 'completed' AND ${between("purchased_at")}
  UNION ALL
  SELECT item_id, renewals.amount - renewals.fee, renewals.at
  FROM renewals JOIN purchases ON purchases.id = renewals.purchase_id AND purchases.buyer_id = renewals.buyer_id
  WHERE renewals.seller_id = $1::text AND renewals.status = 'completed' AND ${between("renewals.at")}
) AS earned`

const itemName = `coalesce(
    (SELECT listings.name FROM listings WHERE listings.id = spent.id), (SELECT souls.name FROM souls WHERE souls.id = spent.id), spent.id)`

/** By series; see {@link timeline} for the parameters (SALE-5). */
export const earningsTimelines: Readonly<Record<EarningsSeries, string>> = {
  total: timeline(earned, `'${totalSeries.key}'`, `'${totalSeries.name}'`),
  item: timeline(earned, "item_id", itemName)
}

export interface TimelineRow {
  readonly id: string | null
  readonly name: string
  readonly period: string
  readonly amount: Amount
  readonly count: number
}

/** The parameters of both kinds of timeline. */
export const timelineParameters = (
  account: AccountId,
  { from, per, to }: TimelineFilter<unknown>
): ReadonlyArray<unknown> => [account, date(from), date(to), per === "day" ? 10 : 7]

export const timelineSumOf = (row: TimelineRow): TimelineSum => ({
  key: row.id,
  name: row.name,
  period: row.period,
  amount: amount(row.amount),
  count: row.count
})
