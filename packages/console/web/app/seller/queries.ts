import { queryOptions } from "@tanstack/react-query"
import { market } from "../market.ts"

/** An own SOUL with its state and the reason of it. */
export const soulQuery = (slug: string) =>
  queryOptions({ queryKey: ["items", "soul", slug], queryFn: async () => (await market.souls.get(slug)).soul })

/** An own listing. */
export const listingQuery = (id: string) =>
  queryOptions({ queryKey: ["items", "listing", id], queryFn: () => market.listings.get(id) })
