import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { arrayOf } from "../Rowset.ts"

/** The first sales of an item count at once; from here on its popularity may be a moment behind. */
export const exactPopularity = 16

/** How many items are locked at once, for as long as it takes. */
const portion = 500

const renew = `
  WITH locked AS MATERIALIZED (
    SELECT item_id FROM item_stats WHERE item_id = ANY($1::text[]) AND popularity <> sales ORDER BY item_id FOR UPDATE
  )
  UPDATE item_stats SET popularity = sales FROM locked WHERE item_stats.item_id = locked.item_id`

/** Left behind by a process that ended before it came to it. */
const findStale = `SELECT item_id FROM item_stats WHERE popularity <> sales LIMIT 10000`

/**
 * Puts items that have sold where they belong among the most sold: once for all of a moment's sales, not for each, as that is what makes
 * a sale dear.
 */
export const makePopularity = (database: Database["Service"]) => {
  const stale = new Set<string>()
  const renewSome: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    const items = [...stale].slice(0, portion)
    if (items.length === 0) return Effect.void
    for (const item of items) stale.delete(item)
    return Effect.andThen(database.attempt(database.sql.unsafe(renew, [arrayOf("text", items)])), renewSome)
  })
  return {
    sold: (items: Iterable<string>): void => {
      for (const item of items) stale.add(item)
    },
    recover: Effect.map(database.readList<{ readonly item_id: string }>(findStale, [], false), (rows) => {
      for (const { item_id } of rows) stale.add(item_id)
    }),
    renew: renewSome
  }
}
