import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { Effect } from "effect"

/** The ids that a filter finds, in their order. */
export const listingIds = Effect.fnUntraced(function* (filter: Partial<ListingFilter>) {
  const listings = yield* ListingStore
  const { json } = yield* listings.list({ page: 1, limit: 100, ...filter }, "listing")
  return (JSON.parse(json) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
})
