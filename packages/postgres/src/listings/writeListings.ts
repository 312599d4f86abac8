import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { listingRendering } from "@agent-marketplace/core/listings/ListingFields"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { renderBatch } from "@agent-marketplace/core/listings/ListingStore"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { listingCatalogue } from "../catalogue/Catalogue.ts"
import { renamePopular } from "../catalogue/popularNames.ts"
import { bothWords, facetRows, writeFacets } from "../catalogue/writeFacets.ts"
import type { Row } from "../Columns.ts"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { listingColumns, listingOf, listingRecord } from "./ListingRow.ts"

/** The JSON and the keys of the name that are rendered when a listing is written, beside its fields. */
const rendered = {
  listing_head: { type: "text", of: ListingJson.listingHead },
  skill_head: { type: "text", of: ListingJson.skillHead },
  skill_detail_head: { type: "text", of: ListingJson.skillDetailHead },
  name_keys: { type: "text[]", of: ({ name, slug }: Listing) => nameKeys(name, slug).keys },
  rendering: { type: "int", of: () => listingRendering }
} as const

const names = [...listingRecord.names, ...Object.keys(rendered)]

const typed = [listingRecord.typed, ...Object.entries(rendered).map(([name, { type }]) => `${name} ${type}`)].join(", ")

const rowOf = (listing: Listing): Row => ({
  ...listingRecord.rowOf(listing),
  ...Object.fromEntries(Object.entries(rendered).map(([name, { of }]) => [name, of(listing)])),
  ...bothWords(listing)
})

const given = facetRows(
  "status AS state, status = 'deleted' AS gone",
  `json_to_recordset($1::json) AS listing (${typed}, listed_words tsvector, apart_words tsvector)`,
  "status = 'approved' AND NOT withheld AND NOT quarantined"
)

const write = writeFacets(listingCatalogue, "category")

const insert = `
  WITH ${given},
  listing AS (INSERT INTO listings (${names.join(", ")}, named_at) SELECT ${names.join(", ")}, created_at FROM given),
  facets AS (${write.facets}),
  stats AS (${write.newStats})
  ${insertEvents("$2")}`

const updateRows = `
  UPDATE listings SET ${names.map((name) => `${name} = given.${name}`).join(", ")},
    named_at = CASE WHEN listings.name = given.name THEN listings.named_at ELSE given.updated_at END
  FROM given WHERE listings.id = given.id`

const rewrite = `WITH ${given} ${updateRows}`

const update = `
  WITH ${given},
  popular AS (${renamePopular}),
  facets AS (${write.facets}),
  gone AS (${write.gone}),
  stats AS (${write.stats})
  ${updateRows}`

/** Stores new listings and their events, in the current transaction. */
export const insertListings = (
  sql: SqlClient,
  listings: ReadonlyArray<Listing>,
  events: ReadonlyArray<MarketEvent>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(insert, [JSON.stringify(listings.map(rowOf)), eventsJson(events)]))

/** Stores changed listings, whose rows are locked. */
export const updateListings = (sql: SqlClient, listings: ReadonlyArray<Listing>): Effect.Effect<void, SqlError> =>
  listings.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(update, [JSON.stringify(listings.map(rowOf))]))

/** As {@link updateListings}, but the lists and searches stay as they are: the caller removes the listings from them. */
export const rewriteListings = (sql: SqlClient, listings: ReadonlyArray<Listing>): Effect.Effect<void, SqlError> =>
  listings.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(rewrite, [JSON.stringify(listings.map(rowOf))]))

const stale = `SELECT ${listingColumns} FROM listings WHERE rendering < ${listingRendering}
  ORDER BY rendering LIMIT ${renderBatch} FOR NO KEY UPDATE SKIP LOCKED`

/** See `ListingStore.renderStale`; in the current transaction. */
export const renderStaleListings = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.flatMap(sql.unsafe<Row>(stale), (rows) =>
    Effect.as(updateListings(sql, rows.map(listingOf)), rows.length === renderBatch)
  )
