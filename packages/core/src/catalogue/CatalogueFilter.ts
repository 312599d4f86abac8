import type { AccountId } from "../ids/Ids.ts"
import type { ListingStatus, PricingModel } from "../listings/Listing.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Visibility } from "../souls/Soul.ts"

/** Which items of the catalogue a list finds, and in which order: the same for souls and listings (SEARCH-1, SOUL-8). */
export interface CatalogueFilter {
  /** Any of these; undefined means every category. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Words and prefixes, all of which must occur in name, description, tags or creator (SEARCH-4). */
  readonly search?: string | undefined
  readonly minPrice?: Usdt | undefined
  readonly maxPrice?: Usdt | undefined
  readonly minRating?: number | undefined
  readonly featured?: boolean | undefined
  readonly pricingModel?: PricingModel | undefined
  /** Items that carry any of these. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Undefined: best match first where `search` is given, else newest. `popular` counts downloads and sales (SOUL-10). */
  readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
  /** Undefined: price ascending, all else descending. */
  readonly sortOrder?: "asc" | "desc" | undefined
  /** Items of this account only. */
  readonly creatorId?: AccountId | undefined
  /** With `creatorId`: in every state but deleted, instead of what everybody sees (SEARCH-2, SOUL-9). */
  readonly own?: boolean | undefined
  /** With `own`: only items in this state, a soul's visibility or a listing's status. */
  readonly state?: Visibility | ListingStatus | undefined
  readonly limit: number
  readonly offset: number
}

/** The most matches that a search counts or ranks; a common word stays as cheap as a rare one. */
export const searchCap = 1000

/** What an item is ordered by, and in which direction. */
export interface CatalogueOrder {
  readonly by: NonNullable<CatalogueFilter["sortBy"]> | "relevance"
  readonly direction: "asc" | "desc"
}

export const orderOf = (
  { sortBy, sortOrder }: Pick<CatalogueFilter, "sortBy" | "sortOrder">,
  searching: boolean
): CatalogueOrder => {
  const by = sortBy ?? (searching ? "relevance" : "newest")
  return { by, direction: sortOrder ?? (by === "price" ? "asc" : "desc") }
}
