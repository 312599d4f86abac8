import type { CatalogueFilter, CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { searchCap } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { Catalogue } from "./Catalogue.ts"
import { shelvesOf } from "./Catalogue.ts"
import type { ItemSource } from "./ItemSource.ts"
import { bounds, conditions, facetsAndStats, ofCreator, orderSql } from "./ItemSource.ts"
import type { Parameters } from "./Parameters.ts"
import { areMixed, isBounded, priceRanges, valueSql, wholeRange } from "./Prices.ts"
import { SearchVector } from "./SearchVector.ts"

const keys = {
  price: "found.price",
  newest: "found.created_at",
  popular: "s.popularity",
  rating: "s.rating",
  relevance: "found.relevance"
} as const

const best = `ORDER BY relevance DESC, created_at DESC, item_id DESC LIMIT ${searchCap}`

/** Searches all public items. */
const everywhere = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  words: ReadonlyArray<string>,
  parameters: Parameters
): string => {
  const { least, most } = wholeRange(catalogue, filter)
  const ranges = areMixed(catalogue, filter) && isBounded(filter) ? priceRanges(catalogue, filter) : undefined
  const given = [
    parameters.add(SearchVector.terms(words), "text[]"),
    parameters.add(filter.categories ?? null, "text[]"),
    parameters.add(shelvesOf(catalogue, filter) ?? null, "text[]"),
    parameters.add(least ?? null, "bigint"),
    parameters.add(most ?? null, "bigint"),
    parameters.add(filter.minRating ?? null, "float8"),
    parameters.add(filter.featured ?? null, "boolean"),
    parameters.add(filter.pricingModel ?? null, "text"),
    parameters.add(filter.tags ?? null, "text[]"),
    String(searchCap),
    ...(ranges === undefined
      ? []
      : [
          parameters.add(catalogue.currencies, "text[]"),
          parameters.add(
            ranges.map((range) => range.least),
            "bigint[]"
          ),
          parameters.add(
            ranges.map((range) => range.most),
            "bigint[]"
          )
        ])
  ]
  return `SELECT * FROM ${catalogue.search}(${given.join(", ")}) ${best}`
}

/** Searches the items of one creator, which are few: word by word, with the rules of the search function. */
const amongCreators = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  words: ReadonlyArray<string>,
  parameters: Parameters
): string => {
  const holds = (field: "n" | "t" | "c" | "d", word: string): string =>
    `f.words @@ ${parameters.add(SearchVector.query(field, word), "tsquery")}`
  const relevance = words.map(
    (word) =>
      `CASE WHEN ${holds("n", word)} THEN 8 WHEN ${holds("t", word)} THEN 4 WHEN ${holds("c", word)} THEN 2 ELSE 1 END`
  )
  const where = [
    ...ofCreator(filter, parameters),
    ...words.map((word) => holds("d", word)),
    ...conditions(catalogue, filter, parameters)
  ]
  return `SELECT f.item_id, ${relevance.join(" + ")} AS relevance, f.price, f.created_at
    FROM ${filter.minRating === undefined ? `${catalogue.facets} f` : facetsAndStats(catalogue)}
    WHERE ${where.join(" AND ")} ${best}`
}

/** A filter with a search: the `searchCap` best matches at most, in the requested order. */
export const foundItems = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  words: ReadonlyArray<string>,
  order: CatalogueOrder,
  parameters: Parameters
): ItemSource => {
  const search = filter.creatorId === undefined ? everywhere : amongCreators
  const { limit, offset } = bounds(filter)
  const key = order.by === "price" ? valueSql(catalogue, filter, keys.price, parameters) : keys[order.by]
  const stats = key.startsWith("s.") ? "JOIN item_stats s ON s.item_id = found.item_id" : ""
  const currency =
    order.by === "price" && areMixed(catalogue, filter) ? `JOIN ${catalogue.facets} f ON f.item_id = found.item_id` : ""
  const found = `found_${catalogue.kind}`
  return {
    with: `${found} AS MATERIALIZED (${search(catalogue, filter, words, parameters)}),`,
    page: `SELECT found.item_id AS id, ${key} AS key, found.created_at FROM ${found} AS found ${stats} ${currency}
      ORDER BY ${orderSql(order, key, "found.created_at", "found.item_id")} LIMIT ${limit} OFFSET ${offset}`,
    total: `SELECT count(*) FROM ${found}`
  }
}
