import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Effect, Layer } from "effect"
import type { Limit, Standing, Use } from "./RateLimits.ts"
import { RateLimits } from "./RateLimits.ts"

interface Window {
  count: number
  resetAt: Timestamp
}

/** The most subjects that one limit remembers. Beyond it the oldest are forgotten. */
const capacity = 100_000

/** Each limit has its own table, so that a flood of addresses cannot push out the counters of keys. */
const makeTable = () => {
  const windows = new Map<string, Window>()
  const makeRoom = (now: Timestamp) => {
    for (const [subject, window] of windows) if (window.resetAt <= now) windows.delete(subject)
    for (const subject of windows.keys()) {
      if (windows.size < capacity * 0.9) return
      windows.delete(subject)
    }
  }
  return (subject: string, now: Timestamp, windowMillis: number): Window => {
    const known = windows.get(subject)
    if (known !== undefined && known.resetAt > now && known.resetAt <= now + windowMillis) return known
    if (known !== undefined) windows.delete(subject)
    else if (windows.size >= capacity) makeRoom(now)
    const fresh = { count: 0, resetAt: now + windowMillis }
    windows.set(subject, fresh)
    return fresh
  }
}

const standing = (limit: Limit, window: Window, passed: boolean): Standing => ({
  limit,
  remaining: Math.max(0, limit.limit - window.count),
  resetAt: window.resetAt,
  passed
})

/** Counters in this process: synchronous, of bounded size, lost with the process. */
export const makeFixedWindows = (): ((uses: ReadonlyArray<Use>, now: Timestamp) => ReadonlyArray<Standing>) => {
  const tables = new Map<string, ReturnType<typeof makeTable>>()
  const tableOf = (limit: Limit) => {
    const known = tables.get(limit.name)
    if (known !== undefined) return known
    const table = makeTable()
    tables.set(limit.name, table)
    return table
  }
  return (uses, now) => {
    const windows = uses.map(({ limit, subject }) => tableOf(limit)(subject, now, limit.windowSeconds * 1000))
    const passed = uses.map(({ release, limit }, i) => release === undefined && (windows[i]?.count ?? 0) >= limit.limit)
    const refused = uses.some(({ limit }, i) => passed[i] === true && !limit.soft)
    return uses.map(({ release, limit }, i) => {
      const window = windows[i] ?? { count: 0, resetAt: now }
      const over = passed[i] === true
      if (release === true) window.count = Math.max(0, window.count - 1)
      else if (!refused && !over) window.count++
      return standing(limit, window, over)
    })
  }
}

/** Counts in this process alone: with several server processes, each of them grants the whole limit. */
export const MemoryRateLimits = {
  layer: Layer.sync(RateLimits, () => {
    const take = makeFixedWindows()
    return RateLimits.of({ take: (uses, now) => Effect.succeed(take(uses, now)) })
  }),
  /** `RATE_LIMITS=off`: nothing is limited and no response carries limit headers (CONFIG-8). */
  layerOff: Layer.succeed(RateLimits, { take: () => Effect.succeed([]) })
}
