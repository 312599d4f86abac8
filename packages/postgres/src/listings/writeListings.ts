import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { date } from "../Row.ts"
import { SearchVector } from "./SearchVector.ts"

const columns = {
  id: "text",
  slug: "text",
  name: "text",
  description: "text",
  short_desc: "text",
  long_description: "text",
  price: "bigint",
  currency: "text",
  category: "text",
  tags: "text[]",
  install_url: "text",
  documentation_url: "text",
  thumbnail_url: "text",
  screenshots: "text[]",
  video_url: "text",
  pricing_model: "text",
  status: "text",
  rejection_reason: "text",
  featured: "boolean",
  creator_id: "text",
  creator_name: "text",
  created_at: "timestamptz",
  updated_at: "timestamptz",
  listing_head: "text",
  skill_head: "text",
  skill_detail_head: "text"
} as const

type Column = keyof typeof columns

const names = Object.keys(columns) as ReadonlyArray<Column>

const rowOf = (listing: Listing): Record<Column | "words", unknown> => ({
  id: listing.id,
  slug: listing.slug,
  name: listing.name,
  description: listing.description,
  short_desc: listing.shortDesc,
  long_description: listing.longDescription,
  price: listing.price.toString(),
  currency: listing.currency,
  category: listing.category,
  tags: listing.tags,
  install_url: listing.installUrl,
  documentation_url: listing.documentationUrl,
  thumbnail_url: listing.thumbnailUrl,
  screenshots: listing.screenshots,
  video_url: listing.videoUrl,
  pricing_model: listing.pricingModel,
  status: listing.status,
  rejection_reason: listing.rejectionReason,
  featured: listing.featured,
  creator_id: listing.creatorId,
  creator_name: listing.creatorName,
  created_at: date(listing.createdAt),
  updated_at: date(listing.updatedAt),
  listing_head: ListingJson.listingHead(listing),
  skill_head: ListingJson.skillHead(listing),
  skill_detail_head: ListingJson.skillDetailHead(listing),
  words: SearchVector.of(listing)
})

const given = `given AS MATERIALIZED (
    SELECT *, status = 'approved' AS approved FROM json_to_recordset($1::json)
      AS listing (${names.map((name) => `${name} ${columns[name]}`).join(", ")}, words tsvector)
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
