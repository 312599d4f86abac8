import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AppealId, ItemId, ListingId } from "@agent-marketplace/core/ids/Ids"
import { reinstated } from "@agent-marketplace/core/listings/ListingRules"
import type { Appeal, DecidedAppeal } from "@agent-marketplace/core/moderation/Appeal"
import { appealStatuses, appealSubjects } from "@agent-marketplace/core/moderation/Appeal"
import { AppealStore } from "@agent-marketplace/core/moderation/AppealStore"
import type { ItemReleases } from "@agent-marketplace/core/releases/ItemReleases"
import { restoration } from "@agent-marketplace/core/souls/SoulRules"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Layer, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { modifyListing } from "../listings/modifyListing.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { modifyItemReleases } from "../releases/modifyItemReleases.ts"
import { modifySoul } from "../souls/modifySoul.ts"
import { resolveReports } from "./PostgresReportStore.ts"

const record = recordColumns<Appeal>({
  id: column.id<AppealId>(),
  itemId: column.id<ItemId>(),
  creatorId: column.id<AccountId>(),
  subject: column.literals(appealSubjects),
  version: column.orNull(column.text),
  decision: column.text,
  code: column.orNull(column.text),
  reason: column.orNull(column.text),
  text: column.text,
  status: column.literals(appealStatuses),
  answer: column.orNull(column.text),
  createdAt: column.time,
  decidedAt: column.orNull(column.time)
})

const columns = Object.keys(record.columns).join(", ")

const find = `SELECT ${columns} FROM item_appeals WHERE id = $1::text`

const earlier = `SELECT ${columns} FROM item_appeals WHERE item_id = $1::text`

const all = pageQuery(columns, "item_appeals", "true", "created_at, id")
const withStatus = pageQuery(columns, "item_appeals", "status = $3::text", "created_at, id")
const ofItem = pageQuery(columns, "item_appeals", "item_id = $3::text", "created_at DESC, id DESC")

const insert = `
  INSERT INTO item_appeals (${columns}) SELECT ${columns} FROM json_populate_record(NULL::item_appeals, $1::json)`

const update = `
  UPDATE item_appeals SET status = given.status, answer = given.answer, decided_at = given.decided_at
  FROM json_populate_record(NULL::item_appeals, $1::json) AS given WHERE item_appeals.id = given.id`

const lockItem = (item: ItemId): string =>
  `SELECT id FROM ${item.startsWith("soul_") ? "souls" : "listings"} WHERE id = $1::text FOR NO KEY UPDATE`

/** Ends the rejection or suspension of a locked item. */
const reinstate = (
  sql: SqlClient,
  { id, slug }: ItemReleases["item"],
  at: Timestamp
): Effect.Effect<unknown, SqlError> =>
  id.startsWith("soul_")
    ? modifySoul(sql, slug, (soul) => restoration(soul, at))
    : modifyListing(sql, id as ListingId, (listing) => Result.succeed(reinstated(listing, at)))

export const PostgresAppealStore: { readonly layer: Layer.Layer<AppealStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    AppealStore,
    Effect.gen(function* () {
      const { read, sql, transaction } = yield* Database
      const { hint } = yield* Notifications
      const happened = Effect.sync(() => hint("events"))
      const one = (rows: ReadonlyArray<Row>) => Option.map(Option.fromUndefinedOr(rows[0]), record.read)

      const add = Effect.fnUntraced(function* <E>(
        item: ItemId,
        rule: (itemReleases: ItemReleases, earlier: ReadonlyArray<Appeal>) => Result.Result<Appeal, E>
      ) {
        yield* sql.unsafe(lockItem(item), [item])
        // In a statement after the lock, so that it sees the appeals of those that held it.
        const known = (yield* sql.unsafe<Row>(earlier, [item])).map(record.read)
        let added: Option.Option<Result.Result<Appeal, E>> = Option.none()
        yield* modifyItemReleases(sql, item, (itemReleases) => {
          added = Option.some(rule(itemReleases, known))
          return Result.succeed({})
        })
        const appeal = Option.flatMap(added as Option.Option<Result.Result<Appeal, E>>, Result.getSuccess)
        if (Option.isSome(appeal)) yield* sql.unsafe(insert, [JSON.stringify(record.write(appeal.value))])
        return added
      })

      const decide = Effect.fnUntraced(function* <E>(
        id: AppealId,
        rule: (itemReleases: ItemReleases, appeal: Appeal) => Result.Result<DecidedAppeal, E>
      ): Effect.fn.Return<Option.Option<Result.Result<Appeal, E>>, SqlError> {
        const found = one(yield* sql.unsafe<Row>(find, [id]))
        if (Option.isNone(found)) return Option.none()
        const { itemId } = found.value
        yield* sql.unsafe(lockItem(itemId), [itemId])
        // Again after the lock: somebody else may have decided.
        const appeal = one(yield* sql.unsafe<Row>(find, [id]))
        if (Option.isNone(appeal)) return Option.none()
        let decided: DecidedAppeal | undefined
        const changed = yield* modifyItemReleases(sql, itemId, (itemReleases) =>
          Result.map(rule(itemReleases, appeal.value), (ruled) => {
            decided = ruled
            return ruled.change
          })
        )
        if (Option.isNone(changed)) return Option.none()
        if (Result.isFailure(changed.value)) return Option.some(Result.fail(changed.value.failure))
        const ruled = decided as unknown as DecidedAppeal
        const at = ruled.appeal.decidedAt ?? 0
        if (ruled.reinstates) yield* reinstate(sql, changed.value.success.item, at)
        if (ruled.resolvesReports) yield* resolveReports(sql, itemId, "none", at)
        yield* sql.unsafe(update, [JSON.stringify(record.write(ruled.appeal))])
        return Option.some(Result.succeed(ruled.appeal))
      })

      return {
        add: (item, rule) => transaction(add(item, rule)),
        decide: (id, rule) => Effect.tap(transaction(decide(id, rule)), happened),
        ofItem: (item, page) =>
          Effect.map(read<Row & PageRow>(ofItem, [...pageParameters(page), item]), (rows) => pageOf(rows, record.read)),
        list: (status, page) =>
          Effect.map(
            status === undefined
              ? read<Row & PageRow>(all, pageParameters(page))
              : read<Row & PageRow>(withStatus, [...pageParameters(page), status]),
            (rows) => pageOf(rows, record.read)
          )
      }
    })
  )
}
