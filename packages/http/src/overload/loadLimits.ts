import type { LoadBoundsOf } from "./LoadBounds.ts"

/** What was measured since the limits were last adjusted. */
export interface LoadWindow {
  readonly elapsedMillis: number
  /** The requests that ended. */
  readonly finished: number
  /** Those of them that took longer than the target, without the time in line. */
  readonly slow: number
  /** Requests in progress at the end of the window. */
  readonly inProgress: number
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly utilization: number
  /** Whether several callers had requests at the same time. */
  readonly severalCallers: boolean
  readonly overloaded: boolean
}

export interface LoadLimits {
  /** How many requests may be in progress. */
  readonly limit: number
  /** How many of them may be one caller's. */
  readonly share: number
}

/** A window lasts longer only if no request arrives or ends. After so many times its length, earlier measurements say nothing about the present. */
const forgottenAfter = 20

/** Whether requests take longer than the target: the time of each grows with their number, so there are too many at once. */
const isLate = ({ finished, inProgress, slow }: LoadWindow, { floor }: LoadBoundsOf): boolean =>
  finished === 0 ? inProgress >= floor : slow * 10 > finished

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most))

/**
 * The limits for the next window (LOAD-1, LOAD-3). A late process gets as many requests at once as it ended in the target time (Little's
 * law); otherwise its limit grows, if at least half of it is used. While it is busy for several callers, or late with half of the limit used,
 * the share of one is halved; otherwise it grows.
 */
export const nextLimits = ({ limit, share }: LoadLimits, window: LoadWindow, bounds: LoadBoundsOf): LoadLimits => {
  const { busy, ceiling, leastShare, targetMillis, windowMillis } = bounds
  const { elapsedMillis, finished, inProgress, overloaded, severalCallers, utilization } = window
  const isBusy = utilization > busy
  const floor = overloaded && isBusy ? bounds.overloadFloor : bounds.floor
  if (elapsedMillis >= forgottenAfter * windowMillis && inProgress < floor)
    return { limit: bounds.floor, share: ceiling }
  const late = isLate(window, bounds)
  const sustained = Math.floor((finished / elapsedMillis) * targetMillis)
  const isUsed = inProgress * 2 >= limit
  const crowded = severalCallers && (isBusy || (late && isUsed))
  const grown = isUsed ? Math.ceil(limit * 1.125) : limit
  return {
    limit: late ? between(floor, sustained, limit) : between(floor, grown, ceiling),
    share: crowded
      ? between(leastShare, Math.floor(Math.min(share, inProgress) / 2), ceiling)
      : between(leastShare, Math.ceil(share * 1.25), ceiling)
  }
}
