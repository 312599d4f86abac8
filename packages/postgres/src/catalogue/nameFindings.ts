import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedName, NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { isWithinOne, popularSales } from "@agent-marketplace/core/names/NameFindings"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import type { NamedItem, Namesakes } from "@agent-marketplace/core/releases/ReleaseStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLockClasses } from "../AdvisoryLocks.ts"
import type { Database } from "../Database.ts"
import type { Time } from "../Row.ts"
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

/**
 * The public items of others that share a key with the name. Materialized, because PostgreSQL cannot estimate how many there are: with a
 * `LIMIT`, it assumes an early match, and may choose a scan that reads every item if there is none.
 */
const itemsSharingKey = (columns: string): string => {
  const tables = Object.entries(others).map(
    ([table, isOther]) => `(SELECT ${columns} FROM ${table} WHERE ${isOther} AND name_keys && $1::text[])`
  )
  return `sharing AS MATERIALIZED (${tables.join(" UNION ALL ")})`
}

/** Few items have a key in common with the name; each of them is looked up. */
const eachPopular = (condition: string): string =>
  Object.entries(others)
    .map(
      ([table, isOther]) => `
  SELECT item.id, item.name_keys[1] AS skeleton FROM popular_names
  CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE id = popular_names.item_id OFFSET 0) AS item
  WHERE popular_names.near_keys && near_keys($4::text) AND ${isOther} AND ${condition}
    AND (SELECT sales FROM item_stats WHERE item_stats.item_id = popular_names.item_id) >= ${popularSales}`
    )
    .join(" UNION ALL ")

/** The parameters are the keys of a name, the creator, the name, and its skeleton. */
export const findNameFindings = `
  WITH ${itemsSharingKey("id, name")}
  SELECT
    (SELECT id FROM sharing WHERE name <> $3::text LIMIT 1) AS similar,
    EXISTS (SELECT FROM sharing WHERE name = $3::text) AS same,
    (SELECT json_agg(popular_items) FROM (${eachPopular("true")}) AS popular_items) AS popular`

const findNamed = `
  SELECT name, named_at FROM listings WHERE id = $1::text UNION ALL SELECT name, named_at FROM souls WHERE id = $1::text`

const older = "($5::timestamptz IS NULL OR named_at < $5::timestamptz)"

/** The parameters are those of {@link findNameFindings}, and the time since which the item has its name; null if it takes it now. */
export const findNamesakes = `
  WITH ${itemsSharingKey("id, name, named_at")}
  SELECT
    (SELECT id FROM sharing WHERE name = $3::text AND ${older} ORDER BY named_at, id LIMIT 1) AS same,
    (SELECT json_agg(popular_items) FROM (${eachPopular(older)}) AS popular_items) AS popular`

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
  sql: SqlClient,
  { creatorId, name }: ClaimedName
): Effect.fn.Return<NameFindings, SqlError> {
  const { keys, skeleton } = nameKeys(name, null)
  const array = arrayOf("text", keys)
  yield* sql.unsafe(lock, [array])
  // In a statement after the lock, so that it sees what a transaction committed that held the lock.
  const [row] = yield* sql.unsafe<FoundRow>(findNameFindings, [array, creatorId, name, skeleton])
  const near = row?.popular?.find((item) => isWithinOne(item.skeleton, skeleton))
  return { similar: row?.similar ?? null, same: row?.same ?? false, popular: near?.id ?? null }
})

/** See `ReleaseStore.namesakes`: two statements. */
export const namesakes = Effect.fnUntraced(function* (
  read: Database["Service"]["read"],
  { creatorId, itemId, name }: NamedItem
): Effect.fn.Return<Namesakes, StoreUnavailable> {
  const [stored] = yield* read<{ readonly name: string; readonly named_at: Time }>(findNamed, [itemId])
  const wanted = name ?? stored?.name
  if (wanted === undefined) return { name: null, same: null, popular: null }
  const since = stored === undefined || stored.name !== wanted ? null : stored.named_at
  const { keys, skeleton } = nameKeys(wanted, null)
  const [row] = yield* read<Pick<FoundRow, "popular"> & { readonly same: ItemId | null }>(findNamesakes, [
    arrayOf("text", keys),
    creatorId,
    wanted,
    skeleton,
    since
  ])
  const near = row?.popular?.find((item) => isWithinOne(item.skeleton, skeleton))
  return { name: wanted, same: row?.same ?? null, popular: near?.id ?? null }
})
