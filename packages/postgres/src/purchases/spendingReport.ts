import type { Spent, SpendingGroup } from "@agent-marketplace/core/purchases/SpendingReport"
import { ownKeys } from "@agent-marketplace/core/purchases/SpendingReport"
import { pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import type { Amount } from "../Row.ts"
import { amount } from "../Row.ts"

/** The rows of one buyer and period, read from the indexes by buyer and time. The arguments name parameters; a bound may be null. */
export const paidBy = (buyer: string, from: string, to: string): string => {
  const within = (at: string): string =>
    `${at} >= coalesce(${from}::timestamptz, '-infinity') AND ${at} < coalesce(${to}::timestamptz, 'infinity')`
  return `(
  SELECT agent_id, item_category AS category, seller_id, amount, purchased_at AS at FROM purchases
  WHERE buyer_id = ${buyer}::text AND status = 'completed' AND ${within("purchased_at")}
  UNION ALL
  SELECT renewals.agent_id, item_category, renewals.seller_id, renewals.amount, renewals.at
  FROM renewals JOIN purchases ON purchases.id = renewals.purchase_id AND purchases.buyer_id = renewals.buyer_id
  WHERE renewals.buyer_id = ${buyer}::text AND renewals.status = 'completed' AND ${within("renewals.at")}
) AS paid`
}

const grouped = (key: string, name: string): string => `(
  SELECT spent.id, ${name} AS name, spent.amount, spent.count FROM (
    SELECT ${key} AS id, sum(amount)::bigint AS amount, count(*)::int AS count FROM ${paidBy("$3", "$4", "$5")} GROUP BY 1
  ) AS spent
) AS spending`

const most = "amount DESC, id"

const nameOf = (table: "accounts" | "agents", unknown: string): string =>
  `coalesce((SELECT ${table}.name FROM ${table} WHERE ${table}.id = spent.id), '${unknown}')`

/** The name of the group `spent.id`. */
export const nameIn = { accounts: nameOf("accounts", ""), agents: nameOf("agents", ownKeys.name) } as const

/** The group of an agent, or of the owner's own keys. */
export const agentKey = `coalesce(agent_id, '${ownKeys.key}')`

/** By group; `$3` is the buyer, `$4` and `$5` the bounds or null. */
export const spendingQueries: Readonly<Record<SpendingGroup, string>> = {
  agent: pageQuery("*", grouped(agentKey, nameIn.agents), "true", most),
  category: pageQuery("*", grouped("category", "spent.id"), "true", most),
  seller: pageQuery("*", grouped("seller_id", nameIn.accounts), "true", most),
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
