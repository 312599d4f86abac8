import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import { queryOptions } from "@tanstack/react-query"
import { call } from "./market.ts"

const current = call("GET /api/v1/sessions/current")

/** The session of this browser; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await current()
    } catch (error) {
      if (error instanceof MarketplaceError && error.statusCode === 401) return null
      throw error
    }
  },
  staleTime: 60_000
})
