import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { mainCategories, personaCategories } from "@agent-marketplace/core/souls/SoulCategory"

/** A kind of item with the tables it is listed from. */
export interface Catalogue {
  readonly kind: "listing" | "soul"
  /** One row for each item, with what lists filter and sort by. */
  readonly facets: string
  /** The function that searches the facets. */
  readonly search: string
}

export const listingCatalogue: Catalogue = { kind: "listing", facets: "listing_facets", search: "find_listings" }

export const soulCatalogue: Catalogue = { kind: "soul", facets: "soul_facets", search: "find_souls" }

const soulCategories: ReadonlySet<string> = new Set([...mainCategories, ...personaCategories])

const otherSouls = "soul:"

/**
 * The shelf on which a soul stands in `item_stats`, among the shelves of listings, which are named after their categories. A soul's category may
 * be any slug, so that all but the named ones share a shelf.
 */
export const soulShelf = (category: string): string => (soulCategories.has(category) ? `soul:${category}` : otherSouls)

const soulShelves = [...[...soulCategories].map(soulShelf), otherSouls]

/** The shelves on which a filter may find items; undefined where only the database knows them. */
export const shelvesOf = (catalogue: Catalogue, { categories }: CatalogueFilter): ReadonlyArray<string> | undefined => {
  if (catalogue.kind === "listing") return categories
  return categories === undefined ? soulShelves : [...new Set(categories.map(soulShelf))]
}

/** Whether everything on these shelves is of the categories that a filter names. */
export const shelvesCover = (catalogue: Catalogue, { categories }: CatalogueFilter): boolean =>
  catalogue.kind === "listing" ||
  categories === undefined ||
  categories.every((category) => soulCategories.has(category))
