import { useSyncExternalStore } from "react"

let isReachable = true
const listeners = new Set<() => void>()

const report = (reached: boolean): void => {
  if (reached === isReachable) return
  isReachable = reached
  for (const listener of listeners) listener()
}

/** `fetch` that records whether the market can be reached: every response says yes, a broken connection says no. */
export const watchedFetch: typeof fetch = async (url, init) => {
  try {
    const response = await fetch(url, init)
    report(true)
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) report(false)
    throw error
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  addEventListener("online", listener)
  addEventListener("offline", listener)
  return () => {
    listeners.delete(listener)
    removeEventListener("online", listener)
    removeEventListener("offline", listener)
  }
}

/** Whether the browser has no network, or the last request found no market. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, () => !navigator.onLine || !isReachable)
