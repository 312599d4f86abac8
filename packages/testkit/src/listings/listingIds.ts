import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { Effect } from "effect"

/** A filter as tests write it: one category, and pages by their number. */
export interface PageFilter extends Partial<Omit<CatalogueFilter, "categories" | "offset">> {
  readonly category?: string | undefined
  readonly page?: number
}

export const paged = ({ category, limit = 100, page = 1, ...rest }: PageFilter): CatalogueFilter => ({
  ...rest,
  ...(category === undefined ? {} : { categories: [category] }),
  limit,
  offset: (page - 1) * limit
})

/** The ids that a filter finds, in order. */
export const listingIds = Effect.fnUntraced(function* (filter: PageFilter) {
  const listings = yield* ListingStore
  const { json } = yield* listings.list(paged(filter), "listing", "skill")
  return (JSON.parse(json) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
})
