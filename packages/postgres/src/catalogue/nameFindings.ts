import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedName, NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { isWithinOne, popularSales } from "@agent-marketplace/core/names/NameFindings"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLockClasses } from "../AdvisoryLocks.ts"
import { arrayOf } from "../Rowset.ts"

/** In one order, so that two transactions never wait for each other. */
const lock = `
  SELECT pg_advisory_xact_lock(${advisoryLockClasses.names}, hash)
  FROM (SELECT DISTINCT hashtext(key) AS hash FROM unnest($1::text[]) AS key ORDER BY hash) AS keys`

/** The public items of other creators, by the conditions of the partial indexes on their keys. Withheld items keep their names. */
const others = {
  listings: "status = 'approved' AND creator_id <> $2::text",
  souls: "visibility = 'public' AND NOT deleted AND suspension IS NULL AND author_id <> $2::text"
}

const eachOther = (columns: string, condition: string): string =>
  Object.entries(others)
    .map(([table, isOther]) => `(SELECT ${columns} FROM ${table} WHERE ${isOther} AND ${condition} LIMIT 1)`)
    .join(" UNION ALL ")

/** Items with many sales are few, and have an index. A sale makes an item at least as popular as its number (see Popularity). */
const popularOf = (table: "listings" | "souls"): string => `
  SELECT id, name_keys[1] AS skeleton FROM item_stats JOIN ${table} ON id = item_id
  WHERE popularity >= ${popularSales} AND sales >= ${popularSales} AND ${others[table]}
    AND abs(char_length(name_keys[1]) - char_length($4::text)) <= 1`

const find = `
  SELECT
    (SELECT id FROM (${eachOther("id", "name_keys && $1::text[] AND name <> $3::text")}) AS similar_items LIMIT 1) AS similar,
    EXISTS (${eachOther("id", "name_keys && $1::text[] AND name = $3::text")}) AS same,
    (SELECT json_agg(popular_items) FROM (${popularOf("listings")} UNION ALL ${popularOf("souls")}) AS popular_items) AS popular`

interface FoundRow {
  readonly similar: ItemId | null
  readonly same: boolean
  readonly popular: ReadonlyArray<{ readonly id: ItemId; readonly skeleton: string }> | null
}

/**
 * What other creators' public items say about a name (NAME-1 to NAME-3), in the current transaction. Until it ends, other transactions
 * that claim a name with one of its keys wait.
 */
export const nameFindings = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { creatorId, name }: ClaimedName
): Effect.fn.Return<NameFindings, SqlError> {
  const { keys, skeleton } = nameKeys(name, null)
  const array = arrayOf("text", keys)
  yield* sql.unsafe(lock, [array])
  // In a statement after the lock, so that it sees what a transaction committed that held the lock.
  const [row] = yield* sql.unsafe<FoundRow>(find, [array, creatorId, name, skeleton])
  const near = row?.popular?.find((item) => isWithinOne(item.skeleton, skeleton))
  return { similar: row?.similar ?? null, same: row?.same ?? false, popular: near?.id ?? null }
})
