import type { AccountCounts, AccountFilter, PurchaseFilter } from "@agent-marketplace/core/admin/AdminStore"
import { AdminStore } from "@agent-marketplace/core/admin/AdminStore"
import { Effect, Layer } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { AccountRow } from "../identity/IdentityRow.ts"
import { accountOf, readAccount } from "../identity/IdentityRow.ts"
import { liveRecords } from "../identity/admitRecord.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { purchaseColumns } from "../purchases/PurchaseRow.ts"
import { arrayOf } from "../Rowset.ts"
import { withdrawalColumns } from "../wallets/WalletRow.ts"

/** Conditions whose parameters follow the two of the page; one text for each combination of filters. */
const conditionsOf = (
  filters: ReadonlyArray<readonly [condition: (parameter: string) => string, value: unknown]>
): { readonly where: string; readonly values: ReadonlyArray<unknown> } => {
  const given = filters.filter(([, value]) => value !== undefined)
  return {
    where: given.map(([condition], i) => condition(`$${i + 3}`)).join(" AND ") || "true",
    values: given.map(([, value]) => value)
  }
}

const accountConditions = ({ frozen, search }: AccountFilter) =>
  conditionsOf([
    [
      (given) =>
        `(id = ${given}::text OR position(lower(${given}::text) in lower(name)) > 0
          OR position(lower(${given}::text) in lower(email)) > 0)`,
      search === "" ? undefined : search
    ],
    [(given) => `(frozen_at IS NOT NULL) = ${given}::boolean`, frozen]
  ])

const purchaseConditions = ({ account, item, status }: PurchaseFilter) =>
  conditionsOf([
    [(given) => `(buyer_id = ${given}::text OR seller_id = ${given}::text)`, account],
    [(given) => `item_id = ${given}::text`, item],
    [(given) => `status = ${given}::text`, status]
  ])

const counts = `
  SELECT ${Object.entries(liveRecords)
    .map(([name, count]) => `${count("$1::text")} AS "${name}"`)
    .join(", ")},
    (SELECT count(*)::int FROM purchases WHERE buyer_id = $1::text) AS purchases,
    (SELECT count(*)::int FROM purchases WHERE seller_id = $1::text) AS sales`

const none: AccountCounts = {
  souls: 0,
  listings: 0,
  agents: 0,
  keys: 0,
  webhooks: 0,
  releaseBytes: 0,
  purchases: 0,
  sales: 0
}

export const PostgresAdminStore: { readonly layer: Layer.Layer<AdminStore, never, Database> } = {
  layer: Layer.effect(
    AdminStore,
    Effect.map(Database, ({ read, readList }) => ({
      accounts: (filter, page) => {
        const { values, where } = accountConditions(filter)
        const text = pageQuery(readAccount, "accounts", where, "created_at DESC, id DESC")
        return Effect.map(readList<AccountRow & PageRow>(text, [...pageParameters(page), ...values], false), (rows) =>
          pageOf(rows, accountOf)
        )
      },
      counts: (account) => Effect.map(read<AccountCounts>(counts, [account]), ([row]) => row ?? none),
      purchases: (filter, page) => {
        const { values, where } = purchaseConditions(filter)
        const text = pageQuery("*", "purchases", where, "purchased_at DESC, seq DESC")
        return Effect.map(readList<Row & PageRow>(text, [...pageParameters(page), ...values], false), (rows) =>
          pageOf(rows, purchaseColumns.read)
        )
      },
      withdrawals: ({ states }, page) => {
        const { values, where } = conditionsOf([
          [(given) => `state = ANY(${given}::text[])`, states === undefined ? undefined : arrayOf("text", states)]
        ])
        const text = pageQuery("*", "withdrawals", where, "created_at DESC, seq DESC")
        return Effect.map(readList<Row & PageRow>(text, [...pageParameters(page), ...values], false), (rows) =>
          pageOf(rows, withdrawalColumns.read)
        )
      }
    }))
  )
}
