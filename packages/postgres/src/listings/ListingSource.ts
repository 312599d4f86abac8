import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import type { Parameters } from "./Parameters.ts"

/** Where the listings of a page come from, and how many there are in all: SQL. */
export interface ListingSource {
  /** Common table expressions, with a comma after each. */
  readonly with: string
  /** A query for `(id, key, created_at)` in order, bounded to the page. */
  readonly page: string
  /** A query for one number. */
  readonly total: string
}

/** Facets with what is counted. */
export const facetsAndStats = "listing_facets f JOIN item_stats s ON s.item_id = f.listing_id"

/** The filter's conditions on facets `f` and stats `s`, but for whose listings and which words. */
export const conditions = (filter: ListingFilter, parameters: Parameters): ReadonlyArray<string> => [
  ...(filter.category === undefined ? [] : [`f.category = ${parameters.add(filter.category, "text")}`]),
  ...(filter.minPrice === undefined ? [] : [`f.price >= ${parameters.add(filter.minPrice, "bigint")}`]),
  ...(filter.maxPrice === undefined ? [] : [`f.price <= ${parameters.add(filter.maxPrice, "bigint")}`]),
  ...(filter.minRating === undefined ? [] : [`s.rating >= ${parameters.add(filter.minRating, "float8")}`]),
  ...(filter.featured === undefined ? [] : [filter.featured ? "f.featured" : "NOT f.featured"]),
  ...(filter.tags === undefined ? [] : [`f.tags && ${parameters.add(filter.tags, "text[]")}`])
]

const largest = 2 ** 31 - 1

/**
 * The page as numbers that go into the text, where a plan that is kept sees how little of an index it will read.
 */
export const bounds = ({ limit, page }: ListingFilter): { readonly limit: number; readonly offset: number } => ({
  limit: Math.min(Math.max(Math.trunc(limit), 0), largest),
  offset: Math.min(Math.max(Math.trunc((page - 1) * limit), 0), largest)
})
