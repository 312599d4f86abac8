import type { AgentNotClaimed, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { ownerOf } from "@agent-marketplace/core/identity/Owner"
import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { Effect } from "effect"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"

interface ListingQuery extends Partial<Omit<ListingFilter, "creatorId" | "search">> {
  readonly creator?: "me"
}

/** The options of a list as the store takes them; an empty text is as good as none, `creator=me` is the caller's owner. */
export const listingFilter = (
  { category, creator, limit, page, ...rest }: ListingQuery,
  search: string | undefined
): Effect.Effect<ListingFilter, AgentNotClaimed | InvalidApiKey> => {
  const filter: ListingFilter = {
    ...rest,
    ...pageOf({ ...(limit === undefined ? {} : { limit }), ...(page === undefined ? {} : { page }) }),
    category: category || undefined,
    search: search || undefined
  }
  return creator === undefined
    ? Effect.succeed(filter)
    : Effect.map(Effect.flatMap(currentCaller, ownerOf), (creatorId) => ({ ...filter, creatorId }))
}
