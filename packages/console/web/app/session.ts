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

const tabs = new BroadcastChannel("session")

/** Makes the other tabs of this browser read the session again, because it was started or ended here (CONSOLE-64). */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin only
export const announceSession = (): void => tabs.postMessage("changed")

/** Calls back when another tab has started or ended a session. Returns how to stop. */
export const onSessionChange = (changed: () => void): (() => void) => {
  tabs.addEventListener("message", changed)
  return () => tabs.removeEventListener("message", changed)
}
