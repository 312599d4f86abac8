import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, ItemId, ReportId } from "@agent-marketplace/core/ids/Ids"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Report, ReportAction } from "@agent-marketplace/core/moderation/Report"
import { reportActions, reportReasons, reportStatuses } from "@agent-marketplace/core/moderation/Report"
import { ReportStore } from "@agent-marketplace/core/moderation/ReportStore"
import type { ItemReleasesRule } from "@agent-marketplace/core/releases/ReleaseStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Layer, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { modifyItemReleases } from "../releases/modifyItemReleases.ts"
import { date } from "../Row.ts"

const record = recordColumns<Report>({
  id: column.id<ReportId>(),
  itemId: column.id<ItemId>(),
  reporterId: column.id<AccountId>(),
  reason: column.literals(reportReasons),
  text: column.text,
  status: column.literals(reportStatuses),
  action: column.orNull(column.literals(reportActions)),
  createdAt: column.time,
  resolvedAt: column.orNull(column.time)
})

const columns = Object.keys(record.columns).join(", ")

const find = `SELECT ${columns} FROM item_reports WHERE id = $1::text`

const all = pageQuery(columns, "item_reports", "true", "created_at, id")
const withStatus = pageQuery(columns, "item_reports", "status = $3::text", "created_at, id")

const count =
  "SELECT count(*)::int AS reports FROM item_reports WHERE item_id = $1::text AND action IS DISTINCT FROM 'none'"

/** Of two reports by one account, one is kept. */
const insert = `
  INSERT INTO item_reports (${columns}) SELECT ${columns} FROM json_populate_record(NULL::item_reports, $1::json)
  ON CONFLICT (item_id, reporter_id) DO NOTHING RETURNING id`

/** Reports of one item are counted one after another. */
const lockItem = (item: ItemId): string =>
  `SELECT id FROM ${item.startsWith("soul_") ? "souls" : "listings"} WHERE id = $1::text FOR NO KEY UPDATE`

const trusted = `
  SELECT count(*)::int AS reporters FROM item_reports JOIN accounts ON accounts.id = reporter_id
  WHERE item_id = $1::text AND status = 'open' AND accounts.created_at < $2::timestamptz AND accounts.frozen_at IS NULL
    AND accounts.erased_at IS NULL
    AND EXISTS (SELECT FROM purchases WHERE buyer_id = reporter_id AND purchases.status = 'completed')`

const resolve = `
  UPDATE item_reports SET status = 'resolved', action = $2::text, resolved_at = $3::timestamptz
  WHERE item_id = $1::text AND status = 'open'`

/** Resolves the open reports of a locked item. */
export const resolveReports = (
  sql: SqlClient,
  item: ItemId,
  action: ReportAction,
  at: Timestamp
): Effect.Effect<unknown, SqlError> => sql.unsafe(resolve, [item, action, date(at)])

export const PostgresReportStore: { readonly layer: Layer.Layer<ReportStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    ReportStore,
    Effect.gen(function* () {
      const { read, sql, transaction } = yield* Database
      const { hint } = yield* Notifications
      const happened = Effect.sync(() => hint("events"))
      const one = (rows: ReadonlyArray<Row>) => Option.map(Option.fromUndefinedOr(rows[0]), record.read)

      return {
        add: (report, trustedBefore, rule) =>
          Effect.tap(
            transaction(
              Effect.gen(function* () {
                yield* sql.unsafe(lockItem(report.itemId), [report.itemId])
                const added = yield* sql.unsafe(insert, [JSON.stringify(record.write(report))])
                if (added.length === 0) return yield* new Conflict({ state: "reported" })
                // In a statement after the lock, so that it sees the reports of those that held it.
                const [count] = yield* sql.unsafe<{ readonly reporters: number }>(trusted, [
                  report.itemId,
                  date(trustedBefore)
                ])
                yield* modifyItemReleases(sql, report.itemId, (itemReleases) =>
                  Result.succeed(rule(itemReleases, count?.reporters ?? 0))
                )
                return report
              })
            ),
            happened
          ),
        find: (id) => Effect.map(read<Row>(find, [id]), one),
        count: (item) => Effect.map(read<{ readonly reports: number }>(count, [item]), ([row]) => row?.reports ?? 0),
        list: (status, page) =>
          Effect.map(
            status === undefined
              ? read<Row & PageRow>(all, pageParameters(page))
              : read<Row & PageRow>(withStatus, [...pageParameters(page), status]),
            (rows) => pageOf(rows, record.read)
          ),
        resolve: <E>(id: ReportId, action: ReportAction, at: Timestamp, rule: ItemReleasesRule<E>) =>
          Effect.tap(
            transaction(
              Effect.gen(function* () {
                const found = one(yield* sql.unsafe<Row>(find, [id]))
                if (Option.isNone(found)) return Option.none()
                const { itemId } = found.value
                yield* sql.unsafe(lockItem(itemId), [itemId])
                const current = one(yield* sql.unsafe<Row>(find, [id]))
                if (Option.exists(current, ({ status }) => status === "resolved")) {
                  return yield* new Conflict({ state: "resolved" })
                }
                const changed = yield* modifyItemReleases(sql, itemId, rule)
                if (Option.isSome(changed)) yield* Effect.fromResult(changed.value)
                yield* resolveReports(sql, itemId, action, at)
                return one(yield* sql.unsafe<Row>(find, [id]))
              })
            ),
            happened
          )
      }
    })
  )
}
