import { SearchText } from "@agent-marketplace/core/text/SearchText"
import type { ListingStats } from "@agent-marketplace/core/listings/Listing"
import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { searchCap } from "@agent-marketplace/core/listings/ListingStore"
import { Index } from "../Index.ts"
import type { MarketTables, SearchWords, StoredListing } from "../MarketTables.ts"
import { Timeline } from "../paging/Timeline.ts"
import { statsOf } from "./statsOf.ts"

export interface FoundListing {
  readonly stored: StoredListing
  readonly stats: ListingStats
  /** How well the search matches; 0 without one. */
  readonly relevance: number
}

const created = ({ stored }: FoundListing) => stored.listing.createdAt

/** What a match counts for in name, tags, creator and description. */
const weights = [8, 4, 2, 1] as const

/** Zero unless every word starts a word of the listing. */
const relevanceOf = (words: SearchWords, wanted: ReadonlyArray<string>): number => {
  let relevance = 0
  for (const word of wanted) {
    const field = words.findIndex((text) => text.includes(` ${word}`))
    if (field < 0) return 0
    relevance += weights[field] ?? 0
  }
  return relevance
}

const passes = ({ listing }: StoredListing, stats: ListingStats, filter: ListingFilter): boolean =>
  (filter.creatorId === undefined
    ? listing.status === "approved" && !listing.withheld
    : listing.status !== "deleted") &&
  (filter.category === undefined || listing.category === filter.category) &&
  (filter.minPrice === undefined || listing.price >= filter.minPrice) &&
  (filter.maxPrice === undefined || listing.price <= filter.maxPrice) &&
  (filter.minRating === undefined || stats.rating >= filter.minRating) &&
  (filter.featured === undefined || listing.featured === filter.featured) &&
  (filter.tags === undefined || filter.tags.some((tag) => listing.tags.includes(tag)))

/** What passes the filter, newest first; a search stops at its cap. */
const matching = (tables: MarketTables, filter: ListingFilter): Array<FoundListing> => {
  const candidates =
    filter.creatorId === undefined
      ? tables.listings.values()
      : Index.records(tables.listingsOf, filter.creatorId, tables.listings)
  const wanted = SearchText.wanted(filter.search)
  const found: Array<FoundListing> = []
  for (const stored of candidates) {
    const stats = statsOf(tables, stored.listing.id)
    if (!passes(stored, stats, filter)) continue
    const relevance = wanted === undefined ? 0 : relevanceOf(stored.words, wanted)
    if (wanted === undefined || relevance > 0) found.push({ stored, stats, relevance })
  }
  const sorted = Timeline.newestFirst(found, created)
  return wanted === undefined ? sorted : sorted.slice(0, searchCap)
}

type Ascending = (a: FoundListing, b: FoundListing) => number

const orders: Readonly<Record<NonNullable<ListingFilter["sortBy"]> | "relevance", Ascending>> = {
  price: (a, b) => Number(a.stored.listing.price - b.stored.listing.price),
  rating: (a, b) => a.stats.rating - b.stats.rating,
  popular: (a, b) => a.stats.sales - b.stats.sales,
  newest: (a, b) => a.stored.listing.createdAt - b.stored.listing.createdAt,
  relevance: (a, b) => a.relevance - b.relevance
}

/** Everything that the filter lets through, in its order; ties newest first. */
export const searchListings = (tables: MarketTables, filter: ListingFilter): ReadonlyArray<FoundListing> => {
  const by = filter.sortBy ?? (filter.search === undefined ? "newest" : "relevance")
  const sign = (filter.sortOrder ?? (by === "price" ? "asc" : "desc")) === "asc" ? 1 : -1
  const compare = orders[by]
  return matching(tables, filter).sort((a, b) => sign * compare(a, b))
}
