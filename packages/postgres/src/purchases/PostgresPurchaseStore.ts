import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { date, nullableDate } from "../Row.ts"
import type { SpentRow } from "./spendingReport.ts"
import { spendingQueries, spentOf } from "./spendingReport.ts"
import { earningsTimelines, spendingTimelines, timelineParameters, timelineSumOf } from "./timelines.ts"
import type { TimelineRow } from "./timelines.ts"
import { liveLicense } from "./liveLicense.ts"
import type { SaleRow } from "./PurchaseRow.ts"
import { itemColumnNames, purchaseColumns, renewalColumns, saleOf, subscriptionColumns } from "./PurchaseRow.ts"

const newestFirst = "purchased_at DESC, seq DESC"

const bought = pageQuery("*", "purchases", "buyer_id = $3::text AND status <> 'failed'", newestFirst)

const boughtIn = pageQuery("*", "purchases", "buyer_id = $3::text AND status = $4::text", newestFirst)

/** Reads only the newest of each kind: as many as all pages up to this one contain. */
const sold = `
  SELECT total.total, page.* FROM (
    SELECT (SELECT count(*) FROM purchases WHERE seller_id = $3::text AND status IN ('completed', 'refunded'))
      + (SELECT count(*) FROM renewals WHERE seller_id = $3::text) AS total
  ) AS total LEFT JOIN (
    SELECT newest.* FROM (
      (SELECT 'sale' AS kind, id, buyer_id, ${itemColumnNames}, amount, fee, status, license_type, purchased_at AS at, seq,
        status AS license_status, expires_at
      FROM purchases WHERE seller_id = $3::text AND status IN ('completed', 'refunded')
      ORDER BY purchased_at DESC, seq DESC LIMIT $1::int::bigint + $2::int)
      UNION ALL
      (SELECT 'renewal', renewals.id, renewals.buyer_id, ${itemColumnNames}, renewals.amount, renewals.fee, renewals.status, license_type,
        renewals.at, renewals.seq, purchases.status, expires_at
      FROM (
        SELECT * FROM renewals WHERE seller_id = $3::text ORDER BY at DESC, seq DESC LIMIT $1::int::bigint + $2::int
      ) AS renewals JOIN purchases ON purchases.id = renewals.purchase_id AND purchases.buyer_id = renewals.buyer_id)
    ) AS newest ORDER BY at DESC, kind, seq DESC LIMIT $1::int OFFSET $2::int
  ) AS page ON true ORDER BY at DESC, kind, seq DESC`

// In the order in which they started: a renewal does not change it.
const subscribed = {
  buyer: pageQuery("*", "subscriptions", "buyer_id = $3::text", "seq DESC"),
  seller: pageQuery("*", "subscriptions", "seller_id = $3::text", "seq DESC")
} as const

const purchaseBy = (column: "id" | "license_key") => `SELECT * FROM purchases WHERE ${column} = $1::text`

const due = `
  SELECT * FROM subscriptions WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= $1::timestamptz
  ORDER BY next_attempt_at LIMIT $2::int`

const first = <Row, A>(rows: ReadonlyArray<Row>, decode: (row: Row) => A): Option.Option<A> =>
  Option.map(Option.fromUndefinedOr(rows[0]), decode)

export const PostgresPurchaseStore: { readonly layer: Layer.Layer<PurchaseStore, never, Database> } = {
  layer: Layer.effect(
    PurchaseStore,
    Effect.map(Database, ({ read, replica }) => ({
      find: (id) => Effect.map(read<Row>(purchaseBy("id"), [id]), (rows) => first(rows, purchaseColumns.read)),
      listByBuyer: (buyer, status, page) =>
        Effect.map(
          replica.read<Row & PageRow>(status === undefined ? bought : boughtIn, [
            ...pageParameters(page),
            buyer,
            ...(status === undefined ? [] : [status])
          ]),
          (rows) => pageOf(rows, purchaseColumns.read)
        ),
      listSales: (seller, page) =>
        Effect.map(replica.read<SaleRow & PageRow>(sold, [...pageParameters(page), seller]), (rows) =>
          pageOf(rows, saleOf)
        ),
      spending: (buyer, { by, from, to }, page) =>
        Effect.map(
          replica.readList<SpentRow>(
            spendingQueries[by],
            [...pageParameters(page), buyer, nullableDate(from), nullableDate(to)],
            false
          ),
          (rows) => pageOf(rows, spentOf)
        ),
      spendingTimeline: (buyer, filter) =>
        Effect.map(
          replica.readList<TimelineRow>(spendingTimelines[filter.by], timelineParameters(buyer, filter), false),
          (rows) => rows.map(timelineSumOf)
        ),
      earningsTimeline: (seller, filter) =>
        Effect.map(
          replica.readList<TimelineRow>(earningsTimelines[filter.by], timelineParameters(seller, filter), false),
          (rows) => rows.map(timelineSumOf)
        ),
      findRenewal: (id) =>
        Effect.map(read<Row>(`SELECT * FROM renewals WHERE id = $1::text`, [id]), (rows) =>
          first(rows, renewalColumns.read)
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
        Effect.map(read<Row>(purchaseBy("license_key"), [licenseKey]), (rows) => first(rows, purchaseColumns.read)),
      findSubscription: (id) =>
        Effect.map(read<Row>(`SELECT * FROM subscriptions WHERE id = $1::text`, [id]), (rows) =>
          first(rows, subscriptionColumns.read)
        ),
      listSubscriptions: (side, account, page) =>
        Effect.map(replica.read<Row & PageRow>(subscribed[side], [...pageParameters(page), account]), (rows) =>
          pageOf(rows, subscriptionColumns.read)
        ),
      dueSubscriptions: (now, limit) =>
        Effect.map(read<Row>(due, [date(now), limit]), (rows) => rows.map(subscriptionColumns.read))
    }))
  )
}
