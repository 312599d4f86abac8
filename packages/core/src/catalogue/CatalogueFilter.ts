import type { AccountId } from "../ids/Ids.ts"
import type { ListingStatus, PricingModel } from "../listings/Listing.ts"
import type { FixedRates } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Visibility } from "../souls/Soul.ts"

/** The filter and order of a list of the catalogue, the same for souls and listings (SEARCH-1, SOUL-8). */
export interface CatalogueFilter {
  /** Any of these; undefined means every category. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Words and prefixes that must all occur in the name, description, tags or creator (SEARCH-4). */
  readonly search?: string | undefined
  /** The bounds of the price's value in USDT (MONEY-8). */
  readonly minPrice?: Usdt | undefined
  readonly maxPrice?: Usdt | undefined
  /** The rates that prices are filtered and sorted by; undefined means equal rates. */
  readonly rates?: FixedRates | undefined
  readonly minRating?: number | undefined
  readonly featured?: boolean | undefined
  readonly pricingModel?: PricingModel | undefined
  /** Items with any of these tags. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** `price` is the value in USDT before it is rounded. Undefined: best match first if `search` is given, otherwise newest first. `popular` counts downloads and sales (SOUL-10). */
  readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
  /** Undefined: ascending for price, otherwise descending. */
  readonly sortOrder?: "asc" | "desc" | undefined
  /** Items of this account only. */
  readonly creatorId?: AccountId | undefined
  /** With `creatorId`: items in every state except deleted, instead of public ones (SEARCH-2, SOUL-9). */
  readonly own?: boolean | undefined
  /** With `own`: only items in this state, a soul's visibility or a listing's status. */
  readonly state?: Visibility | ListingStatus | undefined
  readonly limit: number
  readonly offset: number
}

/** A search counts and ranks at most this many matches, so that a common word costs no more than a rare one. */
export const searchCap = 1000

/** The sort key and direction. */
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
