import type { CatalogueFilter, CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { Catalogue } from "./Catalogue.ts"
import { priceConditions } from "./Prices.ts"
import type { Parameters } from "./Parameters.ts"

/** SQL for the items of a page and for their total number. */
export interface ItemSource {
  /** Common table expressions, each followed by a comma. */
  readonly with: string
  /** A query for `(id, key, created_at)` in order, limited to the page. */
  readonly page: string
  /** A query for one number. */
  readonly total: string
}

/** Facets joined with the item's counters. */
export const facetsAndStats = ({ facets }: Catalogue): string =>
  `${facets} f JOIN item_stats s ON s.item_id = f.item_id`

/** The condition on a category column; none if the filter means every category. */
const categoryCondition = (
  { categories }: Pick<CatalogueFilter, "categories">,
  parameters: Parameters
): ReadonlyArray<string> => {
  if (categories === undefined) return []
  // A single category is compared by equality, so that an index that starts with it also returns the order of its next columns.
  if (categories.length === 1) return [`f.category = ${parameters.add(categories[0], "text")}`]
  return [`f.category = ANY(${parameters.add(categories, "text[]")})`]
}

/** The filter's conditions on facets `f` and stats `s`, without the creator and the search. */
export const conditions = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  parameters: Parameters
): ReadonlyArray<string> => [
  ...categoryCondition(filter, parameters),
  ...priceConditions(catalogue, filter, parameters),
  ...(filter.minRating === undefined ? [] : [`s.rating >= ${parameters.add(filter.minRating, "float8")}`]),
  ...(filter.featured === undefined ? [] : [filter.featured ? "f.featured" : "NOT f.featured"]),
  ...(filter.pricingModel === undefined ? [] : [`f.pricing_model = ${parameters.add(filter.pricingModel, "text")}`]),
  ...(filter.tags === undefined ? [] : [`f.tags && ${parameters.add(filter.tags, "text[]")}`])
]

/** The items of the creator that a filter names: all of them for the creator, otherwise the public ones. */
export const ofCreator = (
  { creatorId, own, state }: CatalogueFilter,
  parameters: Parameters
): ReadonlyArray<string> => [
  `f.creator_id = ${parameters.add(creatorId, "text")}`,
  ...(own === true ? [] : ["f.approved"]),
  ...(own === true && state !== undefined ? [`f.state = ${parameters.add(state, "text")}`] : [])
]

const largest = 2 ** 31 - 1

const asInteger = (value: number): number => Math.min(Math.max(Math.trunc(value), 0), largest)

/**
 * The page as numbers in the text, so that a prepared plan shows how little of an index it will read.
 */
export const bounds = ({ limit, offset }: CatalogueFilter): { readonly limit: number; readonly offset: number } => ({
  limit: asInteger(limit),
  offset: asInteger(offset)
})

/** From the first item to the last item of the requested page: the result is merged with other pages and cut after that. */
export const fromStart = (filter: CatalogueFilter): CatalogueFilter => {
  const { limit, offset } = bounds(filter)
  return { ...filter, limit: limit + offset, offset: 0 }
}

/**
 * The order as SQL, from SQL for the key, the time and the id. Ties are ordered newest first, except in the unusual direction of
 * popularity, ratings and times, where they are reversed: so one index serves both directions.
 */
export const orderSql = ({ by, direction }: CatalogueOrder, key: string, createdAt: string, id: string): string => {
  const way = direction === "asc" ? "ASC" : "DESC"
  const ties = by === "price" || by === "relevance" ? "DESC" : way
  return `${key} ${way}, ${createdAt} ${ties}, ${id} ${ties}`
}
