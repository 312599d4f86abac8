import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { AgentNotClaimed, InvalidApiKey, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { ListingStatus } from "@agent-marketplace/core/listings/Listing"
import type { PageRequest } from "@agent-marketplace/core/paging/Page"
import { Effect } from "effect"
import { catalogueFilter } from "../catalogue/catalogueFilter.ts"
import { pageOf } from "../paging/PageOf.ts"

type Query = Omit<Parameters<typeof catalogueFilter>[0], never> & {
  readonly creator?: string
  readonly status?: ListingStatus
  readonly page?: number
  readonly limit?: number
}

/** The parameters of both faces of listings as the store takes them (SEARCH-1, SEARCH-2). */
export const listingFilter = ({
  creator,
  limit,
  page,
  status,
  ...query
}: Query): Effect.Effect<
  { readonly filter: CatalogueFilter; readonly page: PageRequest },
  AgentNotClaimed | InvalidApiKey | ValidationFailed
> => {
  const request = pageOf({ ...(limit === undefined ? {} : { limit }), ...(page === undefined ? {} : { page }) })
  const place = { limit: request.limit, offset: (request.page - 1) * request.limit }
  const names = { creator: "creator", state: "status" }
  return Effect.map(catalogueFilter(query, place, { creator, state: status, names }), (filter) => ({
    filter,
    page: request
  }))
}
