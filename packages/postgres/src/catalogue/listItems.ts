import type { CatalogueFilter, CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { orderOf, searchCap } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { SearchText } from "@agent-marketplace/core/text/SearchText"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import type { ListLane } from "../connect/replicaReads.ts"
import type { Catalogue } from "./Catalogue.ts"
import { foundItems } from "./foundItems.ts"
import { bounds, fromStart, orderSql } from "./ItemSource.ts"
import type { ItemSource } from "./ItemSource.ts"
import { Parameters } from "./Parameters.ts"
import { shelvedItems } from "./shelvedItems.ts"

const limits: ReadonlySet<number> = new Set([10, 20, 50, 100])

/**
 * Whether a page is requested often enough to keep its statement prepared. The limit and offset are part of the text, and a connection
 * keeps a hundred statements.
 */
const isUsualPage = (limit: number, offset: number): boolean => offset === 0 && limits.has(limit)

/** How the items of a page are rendered. */
export interface Shown {
  readonly catalogues: ReadonlyArray<Catalogue>
  /** The table or tables of the items, joined to `page.id`. */
  readonly from: string
  /** The JSON text of one item, from these tables and `item_stats`. */
  readonly json: string
}

interface Query {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
  /** Whether the statement is worth preparing. */
  readonly prepared: boolean
  readonly lane: ListLane
}

/** The pages of several catalogues, merged in one order. */
const merged = (sources: ReadonlyArray<ItemSource>, filter: CatalogueFilter, order: CatalogueOrder): string => {
  const { limit, offset } = bounds(filter)
  return `SELECT * FROM (${sources.map(({ page }) => `(${page})`).join(" UNION ALL ")}) AS item
    ORDER BY ${orderSql(order, "key", "created_at", "id")} LIMIT ${limit} OFFSET ${offset}`
}

const totalOf = (sources: ReadonlyArray<ItemSource>, searching: boolean): string => {
  const sum = sources.map(({ total }) => `(${total})`).join(" + ")
  return searching ? `least(${sum}, ${searchCap})` : sum
}

const filters = ["minPrice", "maxPrice", "minRating", "featured", "pricingModel", "tags", "creatorId"] as const

/** The one statement for a filter; none if nothing can match. */
export const itemsQuery = (filter: CatalogueFilter, { catalogues, from, json }: Shown): Query | undefined => {
  const words = SearchText.wanted(filter.search)
  if (words?.length === 0 || filter.categories?.length === 0) return undefined
  const order = orderOf(filter, words !== undefined)
  const parameters = new Parameters()
  const distinct = filter.categories === undefined ? filter : { ...filter, categories: [...new Set(filter.categories)] }
  const requested = catalogues.length === 1 ? distinct : fromStart(distinct)
  const sources = catalogues.map((catalogue) =>
    words === undefined
      ? shelvedItems(catalogue, requested, order, parameters)
      : foundItems(catalogue, requested, words, order, parameters)
  )
  const page = sources.length === 1 ? (sources[0]?.page ?? "") : merged(sources, filter, order)
  // Statements that always need the same plan are prepared: lists without filters, and searches, whose function plans for itself.
  const plain = filters.every((name) => filter[name] === undefined)
  const { limit, offset } = bounds(filter)
  const prepared = isUsualPage(limit, offset) && (plain || (words !== undefined && filter.creatorId === undefined))
  return {
    prepared,
    lane: words === undefined ? "lists" : "searches",
    parameters: parameters.values,
    text: `
  WITH ${sources.map((source) => source.with).join("\n  ")}
  page AS (${page})
  SELECT (${totalOf(sources, words !== undefined)})::int AS total, (
    SELECT '[' || coalesce(
      string_agg(${json}, ',' ORDER BY ${orderSql(order, "key", "page.created_at", "page.id")}), '') || ']'
    FROM page ${from} JOIN item_stats ON item_id = page.id
  ) AS json`
  }
}

interface Listed {
  readonly json: string
  readonly total: number
}

/**
 * The items that match a filter. A search takes the words of `SearchText.wanted` as prefixes, all of which must occur. Any text is
 * accepted: a search that contains no word finds nothing, a blank search is ignored.
 */
export const listItems = (
  { readList }: Pick<Database["Service"], "readList">,
  filter: CatalogueFilter,
  shown: Shown
): Effect.Effect<Listed, StoreUnavailable> => {
  const nothing = { json: "[]", total: 0 }
  const query = itemsQuery(filter, shown)
  if (query === undefined) return Effect.succeed(nothing)
  return Effect.map(
    readList<Listed>(query.text, query.parameters, query.prepared, query.lane),
    ([row]) => row ?? nothing
  )
}
