import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { liveLicense } from "./liveLicense.ts"
import type { PurchaseRow, SubscriptionRow } from "./PurchaseRow.ts"
import { purchaseOf, subscriptionOf } from "./PurchaseRow.ts"

const newestFirst = "purchased_at DESC, seq DESC"

const bought = pageQuery(
  "*",
  "purchases",
  "buyer_id = $3::text AND status IN ('pending', 'completed', 'refunded')",
  newestFirst
)

const sold = pageQuery("*", "purchases", "seller_id = $3::text AND status IN ('completed', 'refunded')", newestFirst)

// In the order in which they began: renewals do not move them.
const subscribed = pageQuery("*", "subscriptions", "buyer_id = $3::text", "seq DESC")

const purchaseBy = (column: "id" | "license_key") => `SELECT * FROM purchases WHERE ${column} = $1::text`

const due = `
  SELECT * FROM subscriptions WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= $1::timestamptz
  ORDER BY next_attempt_at LIMIT $2::int`

const first = <Row, A>(rows: ReadonlyArray<Row>, decode: (row: Row) => A): Option.Option<A> =>
  Option.map(Option.fromUndefinedOr(rows[0]), decode)

export const PostgresPurchaseStore: { readonly layer: Layer.Layer<PurchaseStore, never, Database> } = {
  layer: Layer.effect(
    PurchaseStore,
    Effect.map(Database, ({ read }) => ({
      find: (id) => Effect.map(read<PurchaseRow>(purchaseBy("id"), [id]), (rows) => first(rows, purchaseOf)),
      listByBuyer: (buyer, page) =>
        Effect.map(read<PurchaseRow & PageRow>(bought, [...pageParameters(page), buyer]), (rows) =>
          pageOf(rows, purchaseOf)
        ),
      listBySeller: (seller, page) =>
        Effect.map(read<PurchaseRow & PageRow>(sold, [...pageParameters(page), seller]), (rows) =>
          pageOf(rows, purchaseOf)
        ),
      isLicensed: (account, item) =>
        Effect.map(
          read<{ readonly licensed: boolean }>(`SELECT ${liveLicense("$1::text", "$2::text")} AS licensed`, [
            account,
            item
          ]),
          ([row]) => row?.licensed === true
        ),
      findByLicense: (licenseKey) =>
        Effect.map(read<PurchaseRow>(purchaseBy("license_key"), [licenseKey]), (rows) => first(rows, purchaseOf)),
      findSubscription: (id) =>
        Effect.map(read<SubscriptionRow>(`SELECT * FROM subscriptions WHERE id = $1::text`, [id]), (rows) =>
          first(rows, subscriptionOf)
        ),
      listSubscriptions: (buyer, page) =>
        Effect.map(read<SubscriptionRow & PageRow>(subscribed, [...pageParameters(page), buyer]), (rows) =>
          pageOf(rows, subscriptionOf)
        ),
      dueSubscriptions: (now, limit) =>
        Effect.map(read<SubscriptionRow>(due, [date(now), limit]), (rows) => rows.map(subscriptionOf))
    }))
  )
}
