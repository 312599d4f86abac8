import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { searchCap } from "@agent-marketplace/core/listings/ListingStore"
import { ListingOrder } from "./ListingOrder.ts"
import type { ListingSource } from "./ListingSource.ts"
import { bounds, conditions, facetsAndStats } from "./ListingSource.ts"
import type { Parameters } from "./Parameters.ts"
import { SearchVector } from "./SearchVector.ts"

const keys = {
  price: "found.price",
  newest: "found.created_at",
  popular: "s.sales",
  rating: "s.rating",
  relevance: "found.relevance"
} as const

const best = `ORDER BY relevance DESC, created_at DESC, listing_id DESC LIMIT ${searchCap}`

/** Among everybody's approved listings. */
const everywhere = (filter: ListingFilter, words: ReadonlyArray<string>, parameters: Parameters): string => {
  const given = [
    `${parameters.add(SearchVector.terms(words), "text[]")}::tsquery[]`,
    parameters.add(filter.category ?? null, "text"),
    parameters.add(filter.minPrice ?? null, "bigint"),
    parameters.add(filter.maxPrice ?? null, "bigint"),
    parameters.add(filter.minRating ?? null, "float8"),
    parameters.add(filter.featured ?? null, "boolean"),
    parameters.add(filter.tags ?? null, "text[]")
  ]
  return `SELECT * FROM search_listings(${given.join(", ")}, ${searchCap}) ${best}`
}

/** Among the listings of one creator, which are few: word by word, as `search_listings` does for all. */
const ofCreator = (filter: ListingFilter, words: ReadonlyArray<string>, parameters: Parameters): string => {
  const own = `f.creator_id = ${parameters.add(filter.creatorId, "text")}`
  const holds = (field: "n" | "t" | "c" | "d", word: string): string =>
    `f.words @@ ${parameters.add(SearchVector.query(field, word), "tsquery")}`
  const relevance = words.map(
    (word) =>
      `CASE WHEN ${holds("n", word)} THEN 8 WHEN ${holds("t", word)} THEN 4 WHEN ${holds("c", word)} THEN 2 ELSE 1 END`
  )
  const where = [own, ...words.map((word) => holds("d", word)), ...conditions(filter, parameters)]
  return `SELECT f.listing_id, ${relevance.join(" + ")} AS relevance, f.price, f.created_at
    FROM ${filter.minRating === undefined ? "listing_facets f" : facetsAndStats} WHERE ${where.join(" AND ")} ${best}`
}

/** A filter with a search: at most `searchCap` matches, the best ones, in whatever order is wanted. */
export const foundListings = (
  filter: ListingFilter,
  words: ReadonlyArray<string>,
  order: ListingOrder,
  parameters: Parameters
): ListingSource => {
  const found = (filter.creatorId === undefined ? everywhere : ofCreator)(filter, words, parameters)
  const { limit, offset } = bounds(filter)
  const key = keys[order.by]
  const stats = key.startsWith("s.") ? "JOIN item_stats s ON s.item_id = found.listing_id" : ""
  return {
    with: `found AS MATERIALIZED (${found}),`,
    page: `SELECT found.listing_id AS id, ${key} AS key, found.created_at FROM found ${stats}
      ORDER BY ${ListingOrder.sql(order, key, "found.created_at", "found.listing_id")} LIMIT ${limit} OFFSET ${offset}`,
    total: "SELECT count(*) FROM found"
  }
}
