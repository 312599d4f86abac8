import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { Currency } from "@agent-marketplace/core/money/ExchangeRates"
import { currencies } from "@agent-marketplace/core/money/ExchangeRates"
import { mainCategories, personaCategories } from "@agent-marketplace/core/souls/SoulCategory"

/** A kind of item and the tables that its lists are read from. */
export interface Catalogue {
  readonly kind: "listing" | "soul"
  /** One row for each item, with the fields that lists filter and sort by. */
  readonly facets: string
  /** The function that searches the facets. */
  readonly search: string
  /** The currencies of prices. With several, the facets have a column `currency`. */
  readonly currencies: ReadonlyArray<Currency>
}

export const listingCatalogue: Catalogue = {
  kind: "listing",
  facets: "listing_facets",
  search: "search_listings",
  currencies
}

export const soulCatalogue: Catalogue = {
  kind: "soul",
  facets: "soul_facets",
  search: "search_souls",
  currencies: ["USDC"]
}

const soulCategories: ReadonlySet<string> = new Set([...mainCategories, ...personaCategories])

const otherSouls = "soul:"

/**
 * The shelf of a soul in `item_stats`, beside the shelves of listings, which are named after their categories. A soul's category may
 * be any slug, so all categories other than the named ones share a shelf.
 */
export const soulShelf = (category: string): string => (soulCategories.has(category) ? `soul:${category}` : otherSouls)

const soulShelves = [...[...soulCategories].map(soulShelf), otherSouls]

/** The shelves on which a filter may find items; undefined if only the database can tell. */
export const shelvesOf = (catalogue: Catalogue, { categories }: CatalogueFilter): ReadonlyArray<string> | undefined => {
  if (catalogue.kind === "listing") return categories
  return categories === undefined ? soulShelves : [...new Set(categories.map(soulShelf))]
}

/** Whether all items on these shelves have one of the filter's categories. */
export const shelvesCover = (catalogue: Catalogue, { categories }: CatalogueFilter): boolean =>
  catalogue.kind === "listing" ||
  categories === undefined ||
  categories.every((category) => soulCategories.has(category))
