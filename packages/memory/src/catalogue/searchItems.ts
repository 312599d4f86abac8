import type { CatalogueFilter, CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { orderOf, searchCap } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { ListingStats } from "@agent-marketplace/core/listings/Listing"
import { equalRates, rateOf, valueOf } from "@agent-marketplace/core/money/ExchangeRates"
import { SearchText } from "@agent-marketplace/core/text/SearchText"
import { popularityOf } from "@agent-marketplace/core/catalogue/Popularity"
import type { ItemId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables } from "../MarketTables.ts"
import { Timeline } from "../paging/Timeline.ts"
import type { Facets } from "./Facets.ts"
import { statsOf } from "./statsOf.ts"

/** The order of `sortBy=popular`: a function that reads the purchases only once. */
const popularityIn = (tables: MarketTables): ((item: ItemId) => number) => {
  const buyers = new Map<ItemId, Set<string>>()
  for (const { amount, buyerId, item, purchasedAt, status } of tables.purchases.values()) {
    if (status !== "completed" || amount === 0n || purchasedAt > tables.aged.until) continue
    const known = buyers.get(item.id) ?? new Set()
    buyers.set(item.id, known.add(buyerId))
  }
  return (item) =>
    popularityOf({
      sales: tables.sold.get(item) ?? 0,
      agedBuyers: buyers.get(item)?.size ?? 0,
      downloads: tables.downloads.get(item as SoulId)?.size ?? 0
    })
}

interface Item {
  readonly facets: Facets
}

interface Found<A> {
  readonly item: A
  readonly facets: Facets
  readonly stats: ListingStats
  /** How well the search matches; 0 without one. */
  readonly relevance: number
}

/** The weights of matches in name, tags, creator and description. */
const weights = [8, 4, 2, 1] as const

/** Zero unless every searched word is a prefix of a word of the item. */
const relevanceOf = ({ words }: Facets, wanted: ReadonlyArray<string>): number => {
  let relevance = 0
  for (const word of wanted) {
    const field = words.findIndex((text) => text.includes(` ${word}`))
    if (field < 0) return 0
    relevance += weights[field] ?? 0
  }
  return relevance
}

const isSeen = (facets: Facets, { creatorId, own, state }: CatalogueFilter): boolean => {
  if (creatorId !== undefined && facets.creatorId !== creatorId) return false
  if (creatorId !== undefined && own === true) return !facets.deleted && (state === undefined || facets.state === state)
  return facets.listed
}

/** Whether the value of the price in USDT is within the bounds (MONEY-8). */
const isPriced = (
  { currency, price }: Facets,
  { maxPrice, minPrice, rates = equalRates }: CatalogueFilter
): boolean => {
  const value = valueOf(rates, price, currency)
  return (minPrice === undefined || value >= minPrice) && (maxPrice === undefined || value <= maxPrice)
}

/** The value of the price in 10⁻¹² USDT, without rounding. */
const exactValue = ({ currency, price }: Facets, { rates = equalRates }: CatalogueFilter): bigint =>
  price * rateOf(rates, currency)

const passes = (facets: Facets, stats: ListingStats, filter: CatalogueFilter): boolean =>
  (filter.categories === undefined || filter.categories.includes(facets.category)) &&
  isPriced(facets, filter) &&
  (filter.minRating === undefined || stats.rating >= filter.minRating) &&
  (filter.featured === undefined || facets.featured === filter.featured) &&
  (filter.pricingModel === undefined || facets.pricingModel === filter.pricingModel) &&
  (filter.tags === undefined || filter.tags.some((tag) => facets.tags.includes(tag)))

const comparing = (
  tables: MarketTables,
  filter: CatalogueFilter,
  { by }: CatalogueOrder
): ((a: Found<unknown>, b: Found<unknown>) => number) => {
  switch (by) {
    case "price":
      return (a, b) => Number(exactValue(a.facets, filter) - exactValue(b.facets, filter))
    case "rating":
      return (a, b) => a.stats.rating - b.stats.rating
    case "newest":
      return (a, b) => a.facets.createdAt - b.facets.createdAt
    case "relevance":
      return (a, b) => a.relevance - b.relevance
    case "popular": {
      const popularity = popularityIn(tables)
      return (a, b) => popularity(a.facets.id) - popularity(b.facets.id)
    }
  }
}

/** One page of the items that match a filter, and their total; ties are newest first, and a search stops at its cap. */
export const searchItems = <A extends Item>(
  tables: MarketTables,
  items: Iterable<A>,
  filter: CatalogueFilter
): { readonly page: ReadonlyArray<Found<A>>; readonly total: number } => {
  const wanted = SearchText.wanted(filter.search)
  const found: Array<Found<A>> = []
  for (const item of items) {
    const { facets } = item
    if (!isSeen(facets, filter)) continue
    const stats = statsOf(tables, facets.id)
    if (!passes(facets, stats, filter)) continue
    const relevance = wanted === undefined ? 0 : relevanceOf(facets, wanted)
    if (wanted === undefined || relevance > 0) found.push({ item, facets, stats, relevance })
  }
  const newest = Timeline.newestFirst(found, ({ facets }) => facets.createdAt)
  const capped = wanted === undefined ? newest : newest.slice(0, searchCap)
  const order = orderOf(filter, wanted !== undefined)
  const compare = comparing(tables, filter, order)
  const sign = order.direction === "asc" ? 1 : -1
  const sorted = capped.sort((a, b) => sign * compare(a, b))
  return { page: sorted.slice(filter.offset, filter.offset + filter.limit), total: sorted.length }
}
