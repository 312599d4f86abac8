import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { AgentNotClaimed, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { ownerOf } from "@agent-marketplace/core/identity/Caller"
import { categoriesWithin } from "@agent-marketplace/core/souls/SoulCategory"
import { Effect } from "effect"
import { currentCaller } from "../edge/CurrentRequest.ts"

interface CatalogueQuery extends Partial<
  Omit<CatalogueFilter, "categories" | "creatorId" | "own" | "state" | "limit" | "offset">
> {
  readonly category?: string | undefined
  readonly query?: string | undefined
}

/** The creator of the listed items: `me`, an account, or any creator if empty. */
interface Whose {
  readonly creator: string | undefined
  /** The requested state, and the names of the parameters for state and creator. */
  readonly state: CatalogueFilter["state"]
  readonly names: { readonly creator: string; readonly state: string }
}

const onlyWithMe = ({ names }: Whose): ValidationFailed =>
  new ValidationFailed({ issues: [{ path: names.state, message: `needs ${names.creator}=me` }] })

/** The parameters of a list as the store takes them (SEARCH-1, SOUL-8); an empty text counts as absent. */
export const catalogueFilter = (
  { category, query, search, ...rest }: CatalogueQuery,
  page: Pick<CatalogueFilter, "limit" | "offset">,
  whose: Whose
): Effect.Effect<CatalogueFilter, AgentNotClaimed | InvalidApiKey | ValidationFailed> => {
  const filter: CatalogueFilter = {
    ...rest,
    ...page,
    categories: category ? categoriesWithin(category) : undefined,
    search: search || query || undefined
  }
  const { creator, state } = whose
  if (creator === "me") {
    return Effect.map(Effect.flatMap(currentCaller, ownerOf), (creatorId) => ({
      ...filter,
      creatorId,
      own: true,
      state
    }))
  }
  if (state !== undefined) return Effect.fail(onlyWithMe(whose))
  return Effect.succeed(creator ? { ...filter, creatorId: creator as AccountId } : filter)
}
