import type { QueryClient } from "@tanstack/react-query"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { market } from "./market.ts"

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
  if (keys === undefined) void client.invalidateQueries()
  else for (const key of keys) void client.invalidateQueries({ queryKey: [key] })
}

/** Renews lists as events of the account arrive. Returns whether the browser is offline. */
export const useLive = (enabled: boolean): boolean => {
  const client = useQueryClient()
  const [offline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine)
    addEventListener("online", update)
    addEventListener("offline", update)
    return () => {
      removeEventListener("online", update)
      removeEventListener("offline", update)
    }
  }, [])
  useEffect(() => {
    if (!enabled) return undefined
    const ending = new AbortController()
    const follow = async () => {
      for await (const { event } of market.events.stream({ signal: ending.signal })) refresh(client, event)
    }
    follow().catch(() => undefined)
    return () => ending.abort()
  }, [client, enabled])
  return offline
}
