import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { ListingOrder } from "./ListingOrder.ts"
import type { ListingSource } from "./ListingSource.ts"
import { bounds, conditions, facetsAndStats } from "./ListingSource.ts"
import type { Parameters } from "./Parameters.ts"

const keys = {
  price: "f.price",
  newest: "f.created_at",
  popular: "s.popularity",
  rating: "s.rating",
  relevance: "f.created_at"
} as const

/** So many listings can be fetched and sorted in the time that it takes to walk past those that a filter leaves out. */
const few = 20_000

const narrowing = ["minPrice", "maxPrice", "featured", "tags"] as const

/** Whether a filter looks at what only the facets hold. */
const isNarrowed = (filter: ListingFilter): boolean => narrowing.some((name) => filter[name] !== undefined)

const bySales = ({ by }: ListingOrder): boolean => by === "popular" || by === "rating"

const fromFacets = (filter: ListingFilter, order: ListingOrder, where: string): string => {
  const { limit, offset } = bounds(filter)
  const facets = filter.minRating === undefined && !bySales(order) ? "listing_facets f" : facetsAndStats
  return `SELECT f.listing_id AS id, ${keys[order.by]} AS key, f.created_at FROM ${facets} WHERE ${where}
    ORDER BY ${ListingOrder.sql(order, keys[order.by], "f.created_at", "f.listing_id")} LIMIT ${limit} OFFSET ${offset}`
}

/** The categories that there are, or the one that is asked for. */
const shelves = (filter: ListingFilter, parameters: Parameters): string =>
  filter.category === undefined
    ? "SELECT category FROM catalogue_counts WHERE kind = 'listing' AND category <> '' AND items > 0"
    : `SELECT ${parameters.add(filter.category, "text")} AS category`

/** The best of each category, from its own end of an index, merged: so each of the many sales has one index less to renew. */
const fromShelves = (filter: ListingFilter, order: ListingOrder, parameters: Parameters, unless: string): string => {
  const { limit, offset } = bounds(filter)
  const where = conditions({ ...filter, category: undefined }, parameters)
  const key = keys[order.by]
  return `SELECT best.* FROM (${shelves(filter, parameters)}) AS shelves CROSS JOIN LATERAL (
      SELECT s.item_id AS id, ${key} AS key, s.listed_at AS created_at
      FROM ${isNarrowed(filter) ? facetsAndStats : "item_stats s"}
      WHERE ${["s.shelf = shelves.category", ...where].join(" AND ")}
      ORDER BY ${ListingOrder.sql(order, key, "s.listed_at", "s.item_id")} LIMIT ${limit + offset}
    ) AS best
    WHERE ${unless}
    ORDER BY ${ListingOrder.sql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

const everybodys = (filter: ListingFilter, parameters: Parameters): string =>
  ["f.approved", ...conditions(filter, parameters)].join(" AND ")

const isRated = (filter: ListingFilter, parameters: Parameters): string =>
  `s.shelf IN (${shelves(filter, parameters)}) AND s.rating >= ${parameters.add(filter.minRating, "float8")}`

/** Each row's own look into the stats: so few rows are no reason to read all of them. */
const withStats =
  "listing_facets f CROSS JOIN LATERAL (SELECT * FROM item_stats WHERE item_id = f.listing_id OFFSET 0) AS s"

const inOrder = (filter: ListingFilter, order: ListingOrder, rows: string): string => {
  const { limit, offset } = bounds(filter)
  return `SELECT * FROM (${rows}) AS listing
    ORDER BY ${ListingOrder.sql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

/** The rows that the filter leaves, and the rows of one index of which `few` are looked at to see whether they are few. */
const leftBy = (
  filter: ListingFilter,
  order: ListingOrder,
  parameters: Parameters
): { readonly rows: string; readonly counted: () => string } | undefined => {
  const key = keys[order.by]
  if (isNarrowed(filter)) {
    const counted = () => `listing_facets f WHERE ${everybodys({ ...filter, minRating: undefined }, parameters)}`
    const where = everybodys(filter, parameters)
    return { counted, rows: `SELECT f.listing_id AS id, ${key} AS key, f.created_at FROM ${withStats} WHERE ${where}` }
  }
  if (filter.minRating === undefined || order.by === "rating") return undefined
  const rated = `item_stats s WHERE ${isRated(filter, parameters)}`
  return {
    counted: () => rated,
    rows: `SELECT s.item_id AS id, ${key} AS key, s.listed_at AS created_at FROM ${rated}`
  }
}

/** By sales or ratings: what is left by a filter that leaves few is fetched and sorted, else the best are walked along. */
const best = (
  filter: ListingFilter,
  order: ListingOrder,
  parameters: Parameters
): Pick<ListingSource, "with" | "page"> => {
  const left = leftBy(filter, order, parameters)
  if (left === undefined) return { with: "", page: fromShelves(filter, order, parameters, "true") }
  // Few listings carry a tag or are featured.
  if (filter.tags !== undefined || filter.featured === true) {
    return { with: "", page: inOrder(filter, order, left.rows) }
  }
  const { limit, offset } = bounds(filter)
  const whole = { ...filter, page: 1, limit: limit + offset }
  const chosen = "(SELECT is_few FROM choice)"
  return {
    with: `choice AS MATERIALIZED (
      SELECT ${few} > (SELECT count(*) FROM (SELECT FROM ${left.counted()} LIMIT ${few}) AS first) AS is_few
    ),`,
    page: inOrder(
      filter,
      order,
      `(${inOrder(whole, order, `${left.rows} AND ${chosen}`)})
      UNION ALL
      (${fromShelves(whole, order, parameters, `NOT ${chosen}`)})`
    )
  }
}

const countFacets = (filter: ListingFilter, where: string): string =>
  `SELECT count(*) FROM ${filter.minRating === undefined ? "listing_facets f" : facetsAndStats} WHERE ${where}`

/** Kept counts where they answer, else as few rows of an index as it takes. */
const total = (filter: ListingFilter, parameters: Parameters): string => {
  if (isNarrowed(filter)) return countFacets(filter, everybodys(filter, parameters))
  if (filter.minRating !== undefined) return `SELECT count(*) FROM item_stats s WHERE ${isRated(filter, parameters)}`
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
  const source = bySales(order)
    ? best(filter, order, parameters)
    : { with: "", page: fromFacets(filter, order, everybodys(filter, parameters)) }
  return { ...source, total: total(filter, parameters) }
}
