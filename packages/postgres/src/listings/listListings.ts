import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { ListingFace, ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { SearchText } from "@agent-marketplace/core/text/SearchText"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { isUsualPage } from "../paging/isUsualPage.ts"
import { foundListings } from "./foundListings.ts"
import { ListingOrder } from "./ListingOrder.ts"
import type { ListingSource } from "./ListingSource.ts"
import { bounds } from "./ListingSource.ts"
import { Parameters } from "./Parameters.ts"
import { shelvedListings } from "./shelvedListings.ts"

/** The JSON of a face, from `listings` and `item_stats`: what `ListingJson` closes its heads with. */
const faces: Readonly<Record<ListingFace, string>> = {
  listing: `listing_head || ',"stats":{"sales":' || sales || ',"rating":' || rating || ',"reviews":' || reviews || '}}'`,
  skill: `skill_head || ',"rating":' || rating || '}'`
}

const query = (source: ListingSource, order: ListingOrder, face: ListingFace): string => `
  WITH ${source.with}
  page AS (${source.page})
  SELECT (${source.total})::int AS total, (
    SELECT '[' || coalesce(
      string_agg(${faces[face]}, ',' ORDER BY ${ListingOrder.sql(order, "key", "page.created_at", "page.id")}), '') || ']'
    FROM page JOIN listings ON listings.id = page.id JOIN item_stats ON item_id = page.id
  ) AS json`

const filters = ["minPrice", "maxPrice", "minRating", "featured", "tags", "creatorId"] as const

/** The one statement that answers a filter; `kept` where it is worth preparing. None where nothing can be found. */
export const listingsQuery = (
  filter: ListingFilter,
  face: ListingFace
): { readonly text: string; readonly parameters: ReadonlyArray<unknown>; readonly kept: boolean } | undefined => {
  const words = SearchText.wanted(filter.search)
  if (words?.length === 0) return undefined
  const order = ListingOrder.of(filter, words !== undefined)
  const parameters = new Parameters()
  const source =
    words === undefined ? shelvedListings(filter, order, parameters) : foundListings(filter, words, order, parameters)
  // Planned once is what needs no other plan: lists without filters, and searches, whose function plans for itself.
  const plain = filters.every((name) => filter[name] === undefined)
  const { limit, offset } = bounds(filter)
  const kept = isUsualPage(limit, offset) && (plain || (words !== undefined && filter.creatorId === undefined))
  return { text: query(source, order, face), parameters: parameters.values, kept }
}

/**
 * The listings of a filter: see `ListingStore.list`. A search takes the words of `SearchText.wanted`, as prefixes, all of which must
 * occur. It answers whatever is typed: a search without any word finds nothing, a blank one is none.
 */
export const listListings = (
  database: Database["Service"],
  filter: ListingFilter,
  face: ListingFace
): Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable> => {
  const nothing = { json: "[]", total: 0 }
  const query = listingsQuery(filter, face)
  if (query === undefined) return Effect.succeed(nothing)
  const { kept, parameters, text } = query
  return Effect.map(database.readList<typeof nothing>(text, parameters, kept), ([row]) => row ?? nothing)
}
