import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { listingRendering } from "@agent-marketplace/core/listings/ListingFields"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { renderBatch } from "@agent-marketplace/core/listings/ListingStore"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { listingColumns, listingOf, listingRecord } from "./ListingRow.ts"
import { SearchVector } from "./SearchVector.ts"

/** What the write of a listing renders, beside its fields. */
const rendered = {
  listing_head: { type: "text", of: ListingJson.listingHead },
  skill_head: { type: "text", of: ListingJson.skillHead },
  skill_detail_head: { type: "text", of: ListingJson.skillDetailHead },
  rendering: { type: "int", of: () => listingRendering }
} as const

const names = [...listingRecord.names, ...Object.keys(rendered)]

const typed = [listingRecord.typed, ...Object.entries(rendered).map(([name, { type }]) => `${name} ${type}`)].join(", ")

const rowOf = (listing: Listing): Row => ({
  ...listingRecord.rowOf(listing),
  ...Object.fromEntries(Object.entries(rendered).map(([name, { of }]) => [name, of(listing)])),
  words: SearchVector.of(listing)
})

const given = `given AS MATERIALIZED (
    SELECT *, status = 'approved' AND NOT withheld AS approved FROM json_to_recordset($1::json) AS listing (${typed}, words tsvector)
  )`

const facets = ["creator_id", "approved", "category", "price", "featured", "tags", "created_at", "words"] as const

const writeFacets = `
    INSERT INTO listing_facets AS f (listing_id, ${facets.join(", ")})
    SELECT id, ${facets.join(", ")} FROM given WHERE status <> 'deleted'
    ON CONFLICT (listing_id) DO UPDATE SET ${facets.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}
      WHERE (${facets.map((name) => `f.${name}`).join(", ")})
        IS DISTINCT FROM (${facets.map((name) => `EXCLUDED.${name}`).join(", ")})`

const shelf = "CASE WHEN approved THEN category END AS shelf, CASE WHEN approved THEN created_at END AS listed_at"

const insert = `
  WITH ${given},
  listing AS (INSERT INTO listings (${names.join(", ")}) SELECT ${names.join(", ")} FROM given),
  facets AS (${writeFacets}),
  stats AS (INSERT INTO item_stats (item_id, shelf, listed_at) SELECT id, ${shelf} FROM given)
  ${insertEvents("$2")}`

const update = `
  WITH ${given},
  facets AS (${writeFacets}),
  gone AS (DELETE FROM listing_facets USING given WHERE listing_id = id AND status = 'deleted'),
  stats AS (
    UPDATE item_stats SET shelf = new.shelf, listed_at = new.listed_at FROM (SELECT id, ${shelf} FROM given) AS new
    WHERE item_id = id AND (item_stats.shelf, item_stats.listed_at) IS DISTINCT FROM (new.shelf, new.listed_at)
  )
  UPDATE listings SET ${names.map((name) => `${name} = given.${name}`).join(", ")} FROM given WHERE listings.id = given.id`

/** Stores new listings and their events, in the transaction that is under way. */
export const insertListings = (
  sql: PgClient.PgClient,
  listings: ReadonlyArray<Listing>,
  events: ReadonlyArray<MarketEvent>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(insert, [JSON.stringify(listings.map(rowOf)), eventsJson(events)]))

/** Stores changed listings, whose rows are locked. */
export const updateListings = (
  sql: PgClient.PgClient,
  listings: ReadonlyArray<Listing>
): Effect.Effect<void, SqlError> =>
  listings.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(update, [JSON.stringify(listings.map(rowOf))]))

const stale = `SELECT ${listingColumns} FROM listings WHERE rendering < ${listingRendering}
  ORDER BY rendering LIMIT ${renderBatch} FOR NO KEY UPDATE SKIP LOCKED`

/** See `ListingStore.renderStale`; in the transaction that is under way. */
export const renderStaleListings = (sql: PgClient.PgClient): Effect.Effect<boolean, SqlError> =>
  Effect.flatMap(sql.unsafe<Row>(stale), (rows) =>
    Effect.as(updateListings(sql, rows.map(listingOf)), rows.length === renderBatch)
  )
