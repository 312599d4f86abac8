import type { Spent, SpendingGroup } from "@agent-marketplace/core/purchases/SpendingReport"
import { ownKeys } from "@agent-marketplace/core/purchases/SpendingReport"
import { pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import type { Amount } from "../Row.ts"
import { amount } from "../Row.ts"

const within = (at: string): string =>
  `${at} >= coalesce($4::timestamptz, '-infinity') AND ${at} < coalesce($5::timestamptz, 'infinity')`

/** The rows of one buyer and period, read from the indexes by buyer and time. */
const paid = `(
  SELECT agent_id, item_category AS category, seller_id, amount, purchased_at AS at FROM purchases
  WHERE buyer_id = $3::text AND status = 'completed' AND ${within("purchased_at")}
  UNION ALL
  SELECT renewals.agent_id, item_category, renewals.seller_id, renewals.amount, renewals.at
  FROM renewals JOIN purchases ON purchases.id = renewals.purchase_id
  WHERE renewals.buyer_id = $3::text AND renewals.status = 'completed' AND ${within("renewals.at")}
) AS paid`

const grouped = (key: string, name: string): string => `(
  SELECT spent.id, ${name} AS name, spent.amount, spent.count FROM (
    SELECT ${key} AS id, sum(amount)::bigint AS amount, count(*)::int AS count FROM ${paid} GROUP BY 1
  ) AS spent
) AS spending`

const most = "amount DESC, id"

const nameIn = (table: "accounts" | "agents", unknown: string): string =>
  `coalesce((SELECT ${table}.name FROM ${table} WHERE ${table}.id = spent.id), '${unknown}')`

/** By group; `$3` is the buyer, `$4` and `$5` the bounds or null. */
export const spendingQueries: Readonly<Record<SpendingGroup, string>> = {
  agent: pageQuery("*", grouped(`coalesce(agent_id, '${ownKeys.key}')`, nameIn("agents", ownKeys.name)), "true", most),
  category: pageQuery("*", grouped("category", "spent.id"), "true", most),
  seller: pageQuery("*", grouped("seller_id", nameIn("accounts", "")), "true", most),
  day: pageQuery("*", grouped("to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')", "spent.id"), "true", "id")
}

export interface SpentRow extends PageRow {
  readonly id: string
  readonly name: string
  readonly amount: Amount
  readonly count: number
}

export const spentOf = (row: SpentRow): Spent => ({
  key: row.id,
  name: row.name,
  amount: amount(row.amount),
  count: row.count
})
