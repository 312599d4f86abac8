import type { CatalogueFilter, CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { Catalogue } from "./Catalogue.ts"
import { shelvesCover, shelvesOf } from "./Catalogue.ts"
import type { ItemSource } from "./ItemSource.ts"
import { bounds, conditions, facetsAndStats, fromStart, ofCreator, orderSql } from "./ItemSource.ts"
import type { Parameters } from "./Parameters.ts"
import { areMixed, priceRanges, ratesOf, valueSql } from "./Prices.ts"

const keys = {
  price: "f.price",
  newest: "f.created_at",
  popular: "s.popularity",
  rating: "s.rating",
  relevance: "f.created_at"
} as const

/** This many items can be fetched and sorted in the time that it takes to skip the items that a filter excludes. */
const few = 20_000

const narrowing = ["minPrice", "maxPrice", "featured", "pricingModel", "tags"] as const

/** Whether a filter uses columns that only the facets have. */
const isNarrowed = (catalogue: Catalogue, filter: CatalogueFilter): boolean =>
  !shelvesCover(catalogue, filter) || narrowing.some((name) => filter[name] !== undefined)

const byStats = ({ by }: CatalogueOrder): boolean => by === "popular" || by === "rating"

const needsStats = (filter: CatalogueFilter, order: CatalogueOrder): boolean =>
  filter.minRating !== undefined || byStats(order)

const fromFacets = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  where: string,
  parameters: Parameters
): string => {
  const { limit, offset } = bounds(filter)
  const key = order.by === "price" ? valueSql(catalogue, filter, keys.price, parameters) : keys[order.by]
  // In one currency the order of prices, which has an index, is the order of their values.
  const sorted = areMixed(catalogue, filter) ? key : keys[order.by]
  return `SELECT f.item_id AS id, ${key} AS key, f.created_at
    FROM ${needsStats(filter, order) ? facetsAndStats(catalogue) : `${catalogue.facets} f`} WHERE ${where}
    ORDER BY ${orderSql(order, sorted, "f.created_at", "f.item_id")} LIMIT ${limit} OFFSET ${offset}`
}

const inOrder = (filter: CatalogueFilter, order: CatalogueOrder, rows: string): string => {
  const { limit, offset } = bounds(filter)
  return `SELECT * FROM (${rows}) AS item
    ORDER BY ${orderSql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

/** The first items of each of several categories, each from its part of an index, merged. */
const fromCategories = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): string => {
  const where = [
    "f.approved",
    "f.category = wanted.category",
    ...conditions(catalogue, { ...filter, categories: undefined }, parameters)
  ]
  const each = fromFacets(catalogue, fromStart(filter), order, where.join(" AND "), parameters)
  const wanted = `unnest(${parameters.add(filter.categories, "text[]")}) AS wanted (category)`
  return inOrder(filter, order, `SELECT item.* FROM ${wanted} CROSS JOIN LATERAL (${each}) AS item`)
}

/** The shelves that a filter selects, as rows: SQL. */
const shelves = (catalogue: Catalogue, filter: CatalogueFilter, parameters: Parameters): string => {
  const known = shelvesOf(catalogue, filter)
  if (known === undefined) {
    return `SELECT category FROM catalogue_counts WHERE kind = '${catalogue.kind}' AND category <> '' AND items > 0`
  }
  return known.length === 1
    ? `SELECT ${parameters.add(known[0], "text")} AS category`
    : `SELECT unnest(${parameters.add(known, "text[]")}) AS category`
}

/** Looks up the facets of each best item separately, so that the walk can stop before it has read all items. */
const withFacets = ({ facets }: Catalogue): string =>
  `CROSS JOIN LATERAL (SELECT * FROM ${facets} WHERE ${facets}.item_id = s.item_id OFFSET 0) AS f`

/** By value if rates differ: the first items of each currency and category, each from its part of an index, merged. */
const fromCurrencies = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): string => {
  const { limit, offset } = bounds(filter)
  const unpriced = { ...filter, categories: undefined, minPrice: undefined, maxPrice: undefined }
  const where = [
    "f.approved",
    "f.currency = money.currency",
    "f.category = shelves.category",
    "f.price BETWEEN money.least AND money.most",
    ...conditions(catalogue, unpriced, parameters)
  ]
  const ranges = priceRanges(catalogue, filter)
  const columns = [
    parameters.add(catalogue.currencies, "text[]"),
    parameters.add(ratesOf(catalogue, filter), "numeric[]"),
    parameters.add(
      ranges.map(({ least }) => least),
      "bigint[]"
    ),
    parameters.add(
      ranges.map(({ most }) => most),
      "bigint[]"
    )
  ]
  return inOrder(
    filter,
    order,
    `SELECT item.* FROM unnest(${columns.join(", ")}) AS money (currency, rate, least, most)
      CROSS JOIN (${shelves(catalogue, filter, parameters)}) AS shelves CROSS JOIN LATERAL (
        SELECT f.item_id AS id, f.price * money.rate AS key, f.created_at
        FROM ${needsStats(filter, order) ? facetsAndStats(catalogue) : `${catalogue.facets} f`} WHERE ${where.join(" AND ")}
        ORDER BY ${orderSql(order, "f.price", "f.created_at", "f.item_id")} LIMIT ${limit + offset}
      ) AS item`
  )
}

/** The best items of each shelf, each from its part of an index, merged: this saves one index that each sale would have to update. */
const fromShelves = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters,
  unless: string
): string => {
  const { limit, offset } = bounds(filter)
  const narrowed = isNarrowed(catalogue, filter)
  const categories = shelvesCover(catalogue, filter) ? undefined : filter.categories
  const where = conditions(catalogue, { ...filter, categories }, parameters)
  const key = keys[order.by]
  return `SELECT best.* FROM (${shelves(catalogue, filter, parameters)}) AS shelves CROSS JOIN LATERAL (
      SELECT s.item_id AS id, ${key} AS key, s.listed_at AS created_at
      FROM item_stats s ${narrowed ? withFacets(catalogue) : ""}
      WHERE ${["s.shelf = shelves.category", ...where].join(" AND ")}
      ORDER BY ${orderSql(order, key, "s.listed_at", "s.item_id")} LIMIT ${limit + offset}
    ) AS best
    WHERE ${unless}
    ORDER BY ${orderSql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

const everybodys = (catalogue: Catalogue, filter: CatalogueFilter, parameters: Parameters): string =>
  ["f.approved", ...conditions(catalogue, filter, parameters)].join(" AND ")

const isRated = (catalogue: Catalogue, filter: CatalogueFilter, parameters: Parameters): string =>
  `s.shelf IN (${shelves(catalogue, filter, parameters)}) AND s.rating >= ${parameters.add(filter.minRating, "float8")}`

/** Looks up the stats of each row separately: without this, a few rows would be read by a scan of all stats. */
const withStats = ({ facets }: Catalogue): string =>
  `${facets} f CROSS JOIN LATERAL (SELECT * FROM item_stats WHERE item_id = f.item_id OFFSET 0) AS s`

/** The rows that match the filter, and the rows of one index of which `few` are read to see whether they are few. */
const leftBy = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): { readonly rows: string; readonly counted: () => string } | undefined => {
  const key = keys[order.by]
  if (isNarrowed(catalogue, filter)) {
    const counted = () =>
      `${catalogue.facets} f WHERE ${everybodys(catalogue, { ...filter, minRating: undefined }, parameters)}`
    const where = everybodys(catalogue, filter, parameters)
    return {
      counted,
      rows: `SELECT f.item_id AS id, ${key} AS key, f.created_at FROM ${withStats(catalogue)} WHERE ${where}`
    }
  }
  if (filter.minRating === undefined || order.by === "rating") return undefined
  const rated = `item_stats s WHERE ${isRated(catalogue, filter, parameters)}`
  return {
    counted: () => rated,
    rows: `SELECT s.item_id AS id, ${key} AS key, s.listed_at AS created_at FROM ${rated}`
  }
}

/** Whether the rows are few, as a common table expression and as a condition on it. */
const fewness = ({ kind }: Catalogue, rows: string): { readonly with: string; readonly isFew: string } => ({
  with: `choice_${kind} AS MATERIALIZED (
      SELECT ${few} > (SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${few}) AS first) AS is_few
    ),`,
  isFew: `(SELECT is_few FROM choice_${kind})`
})

/** By popularity or rating: if few items match the filter, they are fetched and sorted, otherwise the index of the best is walked. */
const best = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): Pick<ItemSource, "with" | "page"> => {
  const left = leftBy(catalogue, filter, order, parameters)
  if (left === undefined) return { with: "", page: fromShelves(catalogue, filter, order, parameters, "true") }
  // Few items have a given tag or are featured.
  if (filter.tags !== undefined || filter.featured === true) {
    return { with: "", page: inOrder(filter, order, left.rows) }
  }
  const whole = fromStart(filter)
  const choice = fewness(catalogue, left.counted())
  return {
    with: choice.with,
    page: inOrder(
      filter,
      order,
      `(${inOrder(whole, order, `${left.rows} AND ${choice.isFew}`)})
      UNION ALL
      (${fromShelves(catalogue, whole, order, parameters, `NOT ${choice.isFew}`)})`
    )
  }
}

/**
 * Items with tags, in an order that has an index. PostgreSQL does not know how rare a tag is, and would read all items in that order to find few. So
 * they are counted first: few are found by the index of tags and sorted, otherwise the index of the order is walked.
 */
const fromTags = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): Pick<ItemSource, "with" | "page"> => {
  const tagged = `tagged_${catalogue.kind}`
  const counted = everybodys(catalogue, { ...filter, minRating: undefined }, parameters)
  const choice = fewness(catalogue, `${catalogue.facets} f WHERE ${counted}`)
  const where = everybodys(catalogue, filter, parameters)
  const from = filter.minRating === undefined ? `${catalogue.facets} f` : withStats(catalogue)
  const key = order.by === "price" ? valueSql(catalogue, filter, keys.price, parameters) : keys[order.by]
  const walked = fromFacets(catalogue, fromStart(filter), order, `${where} AND NOT ${choice.isFew}`, parameters)
  return {
    with: `${choice.with}
    ${tagged} AS MATERIALIZED (SELECT f.item_id AS id, ${key} AS key, f.created_at FROM ${from} WHERE ${where} AND ${choice.isFew}),`,
    page: inOrder(filter, order, `(SELECT * FROM ${tagged}) UNION ALL (${walked})`)
  }
}

const countFacets = (catalogue: Catalogue, filter: CatalogueFilter, where: string): string =>
  `SELECT count(*) FROM ${filter.minRating === undefined ? `${catalogue.facets} f` : facetsAndStats(catalogue)} WHERE ${where}`

/** The stored counts if they apply, otherwise a count of as few index rows as possible. */
const total = (catalogue: Catalogue, filter: CatalogueFilter, parameters: Parameters): string => {
  if (isNarrowed(catalogue, filter)) return countFacets(catalogue, filter, everybodys(catalogue, filter, parameters))
  if (filter.minRating !== undefined) {
    return `SELECT count(*) FROM item_stats s WHERE ${isRated(catalogue, filter, parameters)}`
  }
  const category = filter.categories === undefined ? "= ''" : `= ANY(${parameters.add(filter.categories, "text[]")})`
  return `coalesce((SELECT sum(items) FROM catalogue_counts WHERE kind = '${catalogue.kind}' AND category ${category}), 0)`
}

const everyones = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): Pick<ItemSource, "with" | "page"> => {
  if (byStats(order)) return best(catalogue, filter, order, parameters)
  // Few items have a given tag: they are sorted by their values.
  if (order.by === "price" && areMixed(catalogue, filter) && filter.tags === undefined) {
    return { with: "", page: fromCurrencies(catalogue, filter, order, parameters) }
  }
  if (filter.categories !== undefined && filter.categories.length > 1 && filter.tags === undefined) {
    return { with: "", page: fromCategories(catalogue, filter, order, parameters) }
  }
  const hasOrderIndex = order.by !== "price" || !areMixed(catalogue, filter)
  if (filter.tags !== undefined && hasOrderIndex) return fromTags(catalogue, filter, order, parameters)
  return { with: "", page: fromFacets(catalogue, filter, order, everybodys(catalogue, filter, parameters), parameters) }
}

/** A filter without a search. */
export const shelvedItems = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  order: CatalogueOrder,
  parameters: Parameters
): ItemSource => {
  if (filter.creatorId !== undefined) {
    const where = [...ofCreator(filter, parameters), ...conditions(catalogue, filter, parameters)].join(" AND ")
    return {
      with: "",
      page: fromFacets(catalogue, filter, order, where, parameters),
      total: countFacets(catalogue, filter, where)
    }
  }
  return { ...everyones(catalogue, filter, order, parameters), total: total(catalogue, filter, parameters) }
}
