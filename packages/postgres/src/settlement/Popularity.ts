import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { addPopular } from "../catalogue/popularNames.ts"
import type { Database } from "../Database.ts"
import { arrayOf } from "../Rowset.ts"

/** The first sales of an item are counted immediately; after that its popularity may be slightly out of date. */
export const exactPopularity = 16

/** How many items are locked together, for the duration of one update. */
const portion = 500

/** `popularityOf` of core, in SQL: see the page of the reference about search. */
const popularity = "popularity_of(sales, aged_buyers, downloads)"

const isStale = `popularity <> ${popularity}`

const renew = `
  WITH locked AS MATERIALIZED (
    SELECT item_id FROM item_stats WHERE item_id = ANY($1::text[]) AND ${isStale} ORDER BY item_id FOR UPDATE
  )
  UPDATE item_stats SET popularity = ${popularity} FROM locked WHERE item_stats.item_id = locked.item_id`

/** Items that a process left stale because it ended first. */
const findStale = `SELECT item_id FROM item_stats WHERE ${isStale} LIMIT 10000`

/** How many purchases one transaction ages. */
const agedAtOnce = 5000

/** Refunds share this lock, so that a purchase is either counted before its refund or not at all. */
const lockCursor = `SELECT market_now() AS now FROM popularity_cursor FOR UPDATE`

/** A buyer counts once for an item: by the first of the paid purchases that were not refunded. */
const age = `
  WITH due AS MATERIALIZED (
    SELECT at, seq, subject FROM events
    WHERE type = 'purchase.completed' AND at <= $1::timestamptz - interval '1 day'
      AND (at, seq) > ((SELECT at FROM popularity_cursor), (SELECT seq FROM popularity_cursor))
    ORDER BY at, seq LIMIT ${agedAtOnce}
  ),
  aged AS MATERIALIZED (
    SELECT purchases.item_id, count(*)::int AS buyers FROM due JOIN purchases ON purchases.id = due.subject
    WHERE status = 'completed' AND amount > 0 AND NOT EXISTS (
      SELECT FROM purchases AS earlier
      WHERE earlier.buyer_id = purchases.buyer_id AND earlier.item_id = purchases.item_id AND earlier.status = 'completed'
        AND earlier.amount > 0 AND (earlier.purchased_at, earlier.id) < (purchases.purchased_at, purchases.id)
    )
    GROUP BY purchases.item_id
  ),
  locked AS MATERIALIZED (
    SELECT item_stats.item_id, aged.buyers FROM aged JOIN item_stats USING (item_id) ORDER BY item_stats.item_id FOR UPDATE OF item_stats
  ),
  counted AS (
    UPDATE item_stats SET aged_buyers = aged_buyers + locked.buyers,
      popularity = popularity_of(sales, aged_buyers + locked.buyers, downloads)
    FROM locked WHERE item_stats.item_id = locked.item_id
  )
  UPDATE popularity_cursor SET at = last.at, seq = last.seq
  FROM (SELECT at, seq FROM due ORDER BY at DESC, seq DESC LIMIT 1) AS last
  RETURNING (SELECT count(*) FROM due)::int AS taken`

/** See `ListingStore.agePurchases`; in the current transaction. */
export const agePurchases = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<boolean, SqlError> {
  const [locked] = yield* sql.unsafe<{ readonly now: Date }>(lockCursor)
  if (locked === undefined) return yield* Effect.die("popularity_cursor has no row")
  const [row] = yield* sql.unsafe<{ readonly taken: number }>(age, [locked.now])
  return row?.taken === agedAtOnce
})

/** Taken before the statistics of items are locked, in the same order as {@link agePurchases}. */
export const shareCursor = `SELECT only_one FROM popularity_cursor FOR SHARE`

/**
 * Runs after refunds, while their items are locked: reviews of buyers who have no purchase of the item left no longer count
 * (REVIEW-4), and these buyers no longer count for its popularity (SEARCH-8).
 */
export const discountRefunds = `
  WITH left_without AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS refunded (item_id text, buyer_id text, purchased_at timestamptz, paid boolean)
    WHERE NOT EXISTS (
      SELECT FROM purchases WHERE purchases.buyer_id = refunded.buyer_id AND purchases.item_id = refunded.item_id
        AND purchases.status = 'completed'
    )
  ),
  review AS (
    UPDATE item_reviews SET counts = false FROM left_without
    WHERE item_reviews.item_id = left_without.item_id AND author_id = buyer_id AND counts
    RETURNING item_reviews.item_id, rating
  ),
  change AS (
    SELECT item_id, sum(ratings)::int AS ratings, sum(reviews)::int AS reviews, sum(buyers)::int AS buyers FROM (
      SELECT item_id, rating AS ratings, 1 AS reviews, 0 AS buyers FROM review
      UNION ALL
      SELECT item_id, 0, 0, 1 FROM left_without WHERE paid AND purchased_at <= (SELECT at FROM popularity_cursor)
    ) AS each GROUP BY item_id
  )
  UPDATE item_stats SET rating_sum = rating_sum - ratings, reviews = item_stats.reviews - change.reviews,
    aged_buyers = greatest(0, aged_buyers - buyers),
    popularity = popularity_of(sales, greatest(0, aged_buyers - buyers), downloads)
  FROM change WHERE item_stats.item_id = change.item_id`

/**
 * Updates the popularity of items that have sold: once for all sales of a moment, not for each, because this update is the expensive
 * part of a sale.
 */
export const makePopularity = (database: Database["Service"]) => {
  const stale = new Set<string>()
  const renewSome: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    const items = [...stale].slice(0, portion)
    if (items.length === 0) return Effect.void
    for (const item of items) stale.delete(item)
    const sold = [arrayOf("text", items)]
    return database
      .attempt(database.sql.unsafe(renew, sold))
      .pipe(Effect.andThen(database.attempt(database.sql.unsafe(addPopular, sold))), Effect.andThen(renewSome))
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
