import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { ListingOrder } from "./ListingOrder.ts"
import type { ListingSource } from "./ListingSource.ts"
import { bounds, conditions, facetsAndStats } from "./ListingSource.ts"
import type { Parameters } from "./Parameters.ts"

const keys = {
  price: "f.price",
  newest: "f.created_at",
  popular: "s.sales",
  rating: "s.rating",
  relevance: "f.created_at"
} as const

const usesStats = (filter: ListingFilter, { by }: ListingOrder): boolean =>
  filter.minRating !== undefined || by === "popular" || by === "rating"

const narrowing = ["minPrice", "maxPrice", "featured", "tags"] as const

/** Whether a filter looks at what only the facets hold. */
const isNarrowed = (filter: ListingFilter): boolean => narrowing.some((name) => filter[name] !== undefined)

const fromFacets = (filter: ListingFilter, order: ListingOrder, where: string): string => {
  const { limit, offset } = bounds(filter)
  return `SELECT f.listing_id AS id, ${keys[order.by]} AS key, f.created_at
    FROM ${usesStats(filter, order) ? facetsAndStats : "listing_facets f"} WHERE ${where}
    ORDER BY ${ListingOrder.sql(order, keys[order.by], "f.created_at", "f.listing_id")} LIMIT ${limit} OFFSET ${offset}`
}

/** The categories that there are, or the one that is asked for. */
const shelves = (filter: ListingFilter, parameters: Parameters): string =>
  filter.category === undefined
    ? "SELECT category FROM catalogue_counts WHERE kind = 'listing' AND category <> '' AND items > 0"
    : `SELECT ${parameters.add(filter.category, "text")} AS category`

/** The best of each category, from its own end of an index, merged: so each of the many sales has one index less to renew. */
const fromShelves = (filter: ListingFilter, order: ListingOrder, parameters: Parameters): string => {
  const { limit, offset } = bounds(filter)
  const where = conditions({ ...filter, category: undefined }, parameters)
  const key = keys[order.by]
  return `SELECT best.* FROM (${shelves(filter, parameters)}) AS shelves CROSS JOIN LATERAL (
      SELECT s.item_id AS id, ${key} AS key, s.listed_at AS created_at
      FROM ${isNarrowed(filter) ? facetsAndStats : "item_stats s"}
      WHERE ${["s.shelf = shelves.category", ...where].join(" AND ")}
      ORDER BY ${ListingOrder.sql(order, key, "s.listed_at", "s.item_id")} LIMIT ${limit + offset}
    ) AS best
    ORDER BY ${ListingOrder.sql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

const countFacets = (filter: ListingFilter, where: string): string =>
  `SELECT count(*) FROM ${filter.minRating === undefined ? "listing_facets f" : facetsAndStats} WHERE ${where}`

/** Kept counts where they answer, else as few rows of an index as it takes. */
const total = (filter: ListingFilter, parameters: Parameters): string => {
  if (isNarrowed(filter)) {
    return countFacets(filter, ["f.approved", ...conditions(filter, parameters)].join(" AND "))
  }
  if (filter.minRating !== undefined) {
    return `SELECT count(*) FROM item_stats s
      WHERE s.shelf IN (${shelves(filter, parameters)}) AND s.rating >= ${parameters.add(filter.minRating, "float8")}`
  }
  const category = filter.category === undefined ? "''" : parameters.add(filter.category, "text")
  return `coalesce((SELECT items FROM catalogue_counts WHERE kind = 'listing' AND category = ${category}), 0)`
}

/** A filter without a search. */
export const shelvedListings = (filter: ListingFilter, order: ListingOrder, parameters: Parameters): ListingSource => {
  if (filter.creatorId !== undefined) {
    const own = `f.creator_id = ${parameters.add(filter.creatorId, "text")}`
    const where = [own, ...conditions(filter, parameters)].join(" AND ")
    return { with: "", page: fromFacets(filter, order, where), total: countFacets(filter, where) }
  }
  // Few listings carry a tag or are featured: they are fetched by that and sorted.
  const bySales = order.by === "popular" || order.by === "rating"
  const page =
    bySales && filter.tags === undefined && filter.featured !== true
      ? fromShelves(filter, order, parameters)
      : fromFacets(filter, order, ["f.approved", ...conditions(filter, parameters)].join(" AND "))
  return { with: "", page, total: total(filter, parameters) }
}
