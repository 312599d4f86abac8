import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { erasedName } from "@agent-marketplace/core/identity/Erasure"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { itemOfResult, withErasedName } from "./erasedNames.ts"

/** How many records one transaction rewrites at most. Settlements of these records wait for it. */
const portion = 500

/** How many accounts' results one transaction searches. */
const accounts = 50

/** How often an erasure looks for records that a settlement had locked before it leaves them to a later run. */
const attempts = 4

/** Rows that a settlement has locked are left to the next pass: a wait for them could be mutual. */
const lockOf = (table: string, from: string) =>
  `SELECT id FROM ${table} WHERE id IN (SELECT id FROM ${from}) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`

/** The items' statistics are found on no shelf. */
const clearShelves = (table: "souls" | "listings", owner: string) => `
  WITH page AS MATERIALIZED (
    SELECT id FROM ${table} WHERE ${owner} = $1::text AND id > $2::text ORDER BY id LIMIT ${portion}
  ),
  left_over AS MATERIALIZED (
    SELECT item_id FROM item_stats WHERE item_id IN (SELECT id FROM page) AND shelf IS NOT NULL
  ),
  locked AS MATERIALIZED (
    SELECT item_id FROM item_stats WHERE item_id IN (SELECT item_id FROM left_over) ORDER BY item_id FOR UPDATE SKIP LOCKED
  ),
  cleared AS (
    UPDATE item_stats SET shelf = NULL, listed_at = NULL FROM locked WHERE item_stats.item_id = locked.item_id
  )
  SELECT (SELECT max(id) FROM page) AS next, (SELECT count(*) FROM left_over)::int AS found`

/** Pages of purchases, the oldest first: a purchase that is completed later moves to a later page. `$2` is the last of the page before. */
const pageOfPurchases = (side: "seller_id" | "buyer_id") => `
  page AS MATERIALIZED (
    SELECT id, purchased_at, seq, item_creator, tracking_id FROM purchases
    WHERE ${side} = $1::text AND (purchased_at, seq) > (
      coalesce(nullif(split_part($2::text, ' at ', 2), ''), '-infinity')::timestamptz,
      coalesce(nullif(split_part($2::text, ' at ', 1), ''), '0')::bigint
    )
    ORDER BY purchased_at, seq LIMIT ${portion}
  )`

const lastPurchase = `(SELECT seq || ' at ' || purchased_at FROM page ORDER BY purchased_at DESC, seq DESC LIMIT 1)`

const named = `item_creator <> '${erasedName}'`

/** Its sales, with their approvals and subscriptions. */
const forgetSeller = `
  WITH ${pageOfPurchases("seller_id")},
  sales AS MATERIALIZED (SELECT id FROM page WHERE ${named}),
  decisions AS MATERIALIZED (
    SELECT id FROM approvals WHERE purchase_id IN (SELECT id FROM page) AND ${named}
  ),
  renewed AS MATERIALIZED (
    SELECT id FROM subscriptions WHERE purchase_id IN (SELECT id FROM page) AND ${named}
  ),
  locked_sales AS MATERIALIZED (${lockOf("purchases", "sales")}),
  locked_decisions AS MATERIALIZED (${lockOf("approvals", "decisions")}),
  locked_renewed AS MATERIALIZED (${lockOf("subscriptions", "renewed")}),
  purchase AS (
    UPDATE purchases SET item_creator = '${erasedName}' FROM locked_sales WHERE purchases.id = locked_sales.id
  ),
  approval AS (
    UPDATE approvals SET item_creator = '${erasedName}' FROM locked_decisions WHERE approvals.id = locked_decisions.id
  ),
  subscription AS (
    UPDATE subscriptions SET item_creator = '${erasedName}' FROM locked_renewed WHERE subscriptions.id = locked_renewed.id
  )
  SELECT ${lastPurchase} AS next,
    ((SELECT count(*) FROM sales) + (SELECT count(*) FROM decisions) + (SELECT count(*) FROM renewed))::int AS found`

/** The labels that it gave to its own purchases. */
const forgetLabels = `
  WITH ${pageOfPurchases("buyer_id")},
  labelled AS MATERIALIZED (SELECT id FROM page WHERE tracking_id IS NOT NULL),
  locked AS MATERIALIZED (${lockOf("purchases", "labelled")}),
  purchase AS (UPDATE purchases SET tracking_id = NULL FROM locked WHERE purchases.id = locked.id)
  SELECT ${lastPurchase} AS next, (SELECT count(*) FROM labelled)::int AS found`

const forgetAuthor = `
  WITH page AS MATERIALIZED (
    SELECT item_id, author FROM item_reviews WHERE author_id = $1::text AND item_id > $2::text ORDER BY item_id LIMIT ${portion}
  ),
  locked AS MATERIALIZED (
    SELECT item_id FROM item_reviews
    WHERE author_id = $1::text AND item_id IN (SELECT item_id FROM page WHERE author <> '${erasedName}')
    ORDER BY item_id FOR NO KEY UPDATE SKIP LOCKED
  ),
  review AS (
    UPDATE item_reviews SET author = '${erasedName}' FROM locked
    WHERE item_reviews.author_id = $1::text AND item_reviews.item_id = locked.item_id
  )
  SELECT (SELECT max(item_id) FROM page) AS next, (SELECT count(*) FROM page WHERE author <> '${erasedName}')::int AS found`

/** The results of its own Idempotency-Keys. */
const forgetOwnResults = `
  WITH page AS MATERIALIZED (
    SELECT key FROM idempotent_results WHERE account_id = $1::text AND key > $2::text ORDER BY key LIMIT ${portion}
  ),
  locked AS MATERIALIZED (
    SELECT key FROM idempotent_results WHERE account_id = $1::text AND key IN (SELECT key FROM page)
    ORDER BY key FOR UPDATE SKIP LOCKED
  ),
  gone AS (
    DELETE FROM idempotent_results USING locked
    WHERE idempotent_results.account_id = $1::text AND idempotent_results.key = locked.key
  )
  SELECT (SELECT max(key) FROM page) AS next, (SELECT count(*) FROM page)::int AS found`

/** The results of those who bought its items, and of the operator who refunded them. */
const forgetInResults = `
  WITH page AS MATERIALIZED (
    SELECT DISTINCT buyer_id FROM purchases WHERE seller_id = $1::text AND buyer_id > $2::text ORDER BY buyer_id LIMIT ${accounts}
  ),
  found AS MATERIALIZED (
    SELECT account_id, key FROM idempotent_results
    WHERE account_id IN (SELECT buyer_id FROM page UNION ALL SELECT 'admin' WHERE $2::text = '')
      AND ${itemOfResult} IN (
        SELECT id FROM souls WHERE author_id = $1::text UNION ALL SELECT id FROM listings WHERE creator_id = $1::text
      )
      AND result <> ${withErasedName("result", "creator")}
  ),
  locked AS MATERIALIZED (
    SELECT account_id, key FROM idempotent_results WHERE (account_id, key) IN (SELECT account_id, key FROM found)
    ORDER BY account_id, key FOR NO KEY UPDATE SKIP LOCKED
  ),
  rewritten AS (
    UPDATE idempotent_results AS stored SET result = ${withErasedName("stored.result", "creator")} FROM locked
    WHERE stored.account_id = locked.account_id AND stored.key = locked.key
  )
  SELECT (SELECT max(buyer_id) FROM page) AS next, (SELECT count(*) FROM found)::int AS found`

/**
 * Each rewrites a page of records, by account and the last record of the page before, and returns the last of this page and how many
 * it found to rewrite. Settlements that read after the erasure write no name, so a pass that finds none is the last.
 */
export const forgetInPages: ReadonlyArray<string> = [
  clearShelves("souls", "author_id"),
  clearShelves("listings", "creator_id"),
  forgetSeller,
  forgetAuthor,
  forgetInResults,
  forgetOwnResults,
  forgetLabels
]

interface PageRow {
  readonly next: string | null
  readonly found: number
}

/** The number of records found in all pages. */
const passOf = ({ longTransaction, sql }: Database["Service"], id: string) => {
  const pages = (statement: string, after: string): Effect.Effect<number, StoreUnavailable> =>
    Effect.flatMap(longTransaction(sql.unsafe<PageRow>(statement, [id, after])), ([row]) =>
      row === undefined || row.next === null
        ? Effect.succeed(row?.found ?? 0)
        : Effect.map(pages(statement, row.next), (more) => more + row.found)
    )
  return Effect.map(
    Effect.forEach(forgetInPages, (statement) => pages(statement, "")),
    (found) => found.reduce((sum, each) => sum + each, 0)
  )
}

/** Rewrites what an erasure left. Each page is a transaction, and a later run continues after any of them. True if the erasure is finished. */
export const finishErasure = (
  database: Database["Service"],
  id: string,
  passes = attempts
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.flatMap(passOf(database, id), (found) => {
    if (found > 0) return passes > 1 ? finishErasure(database, id, passes - 1) : Effect.succeed(false)
    const end = database.sql.unsafe("DELETE FROM unfinished_erasures WHERE account_id = $1::text", [id])
    return Effect.as(database.attempt(end), true)
  })

/** See `IdentityStore.finishErasures`. */
export const finishErasures = (database: Database["Service"]): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.gen(function* () {
    const found = database.sql.unsafe<{ readonly account_id: string }>("SELECT account_id FROM unfinished_erasures")
    for (const { account_id } of yield* database.attempt(found)) yield* finishErasure(database, account_id)
    return false
  })
