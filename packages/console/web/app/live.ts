import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import type { QueryClient } from "@tanstack/react-query"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useOffline } from "./connection.ts"
import { isSignedOut, market } from "./market.ts"
import { sessionQuery } from "./session.ts"

/** The lists that an event of the account changes, by the first part of its type. */
const stale: Readonly<Record<string, ReadonlyArray<string>>> = {
  approval: ["approvals", "budget", "wallet", "agents"],
  purchase: ["purchases", "sales", "wallet", "budget", "approvals", "spending"],
  deposit: ["wallet"],
  withdrawal: ["wallet", "withdrawals"],
  subscription: ["subscriptions", "purchases", "wallet"],
  agent: ["agents"],
  listing: ["items"],
  soul: ["items"],
  release: ["items", "releases"],
  review: ["items", "reviews"],
  advisory: ["advisories", "purchases"],
  refund: ["purchases", "sales", "wallet"]
}

const refresh = (client: QueryClient, type: string): void => {
  const keys = stale[type.split(".")[0] ?? ""]
  // Each event may be sent to endpoints of the account.
  void client.invalidateQueries({ queryKey: ["deliveries"] })
  if (keys === undefined) void client.invalidateQueries()
  else for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
}

/** The time before a stream that was refused, or a market that was not reached, is tried again, in milliseconds. */
const pause = 3000

const wait = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pause)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Follows the events of the account until the session ends (CONSOLE-69). The client opens a broken stream again by itself, but not one that never opened. */
const follow = async (client: QueryClient, { signal }: AbortController): Promise<void> => {
  while (!signal.aborted) {
    try {
      for await (const { event } of market.events.stream({ signal })) refresh(client, event)
    } catch (error) {
      if (isSignedOut(error)) {
        void client.invalidateQueries(sessionQuery)
        return
      }
    }
    await wait(signal)
  }
}

/**
 * Renews lists as events of the account arrive. Returns whether the market cannot be reached; then it is tried every 3 seconds, and
 * everything on the page is read again afterwards (CONSOLE-65).
 */
export const useLive = ({ account, id }: Session): boolean => {
  const client = useQueryClient()
  const offline = useOffline()
  const enabled = account !== null
  const missed = useRef(false)
  useEffect(() => {
    if (!offline) {
      if (missed.current) void client.invalidateQueries()
      missed.current = false
      return undefined
    }
    missed.current = true
    const timer = setInterval(() => void client.refetchQueries(sessionQuery), pause)
    return () => clearInterval(timer)
  }, [client, offline])
  useEffect(() => {
    if (!enabled) return undefined
    const ending = new AbortController()
    void follow(client, ending)
    return () => ending.abort()
    // A new session follows anew, because the stream of an ended one does not open again.
  }, [client, enabled, id])
  return offline
}
