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
  /** How many reads one caller may start per millisecond, if its share is the least and the process is still busy. */
  readonly pace: number
}

/** A window lasts longer only if no request arrives or ends. After so many times its length, earlier measurements say nothing about the present. */
const forgottenAfter = 20

/** Whether requests take longer than the target: the time of each grows with their number, so there are too many at once. */
const isLate = ({ finished, inProgress, slow }: LoadWindow, { floor }: LoadBoundsOf): boolean =>
  finished === 0 ? inProgress >= floor : slow * 10 > finished

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most))

/** Halved or grown, as the share. `ended` is the requests that ended per millisecond; if there are none, the pace stays. */
const nextPace = (pace: number, crowded: boolean, ended: number, { leastPart, windowMillis }: LoadBoundsOf): number => {
  if (!crowded) return pace * 1.25 > ended ? Infinity : pace * 1.25
  return ended === 0 ? pace : Math.max(leastPart * ended, 1 / windowMillis, Math.min(pace, ended) / 2)
}

/**
 * The limits for the next window (LOAD-1, LOAD-3). A late process gets as many requests at once as it ended in the target time (Little's
 * law); otherwise its limit grows, if at least half of it is used. While it is busy for several callers, or late with half of the limit used,
 * the share of one is halved, and once it is the least, its pace; otherwise they grow.
 */
export const nextLimits = (
  { limit, pace, share }: LoadLimits,
  window: LoadWindow,
  bounds: LoadBoundsOf
): LoadLimits => {
  const { busy, ceiling, leastShare, targetMillis, windowMillis } = bounds
  const { elapsedMillis, finished, inProgress, overloaded, severalCallers, utilization } = window
  const isBusy = utilization > busy
  const floor = overloaded && isBusy ? bounds.overloadFloor : bounds.floor
  if (elapsedMillis >= forgottenAfter * windowMillis && inProgress < floor)
    return { limit: bounds.floor, share: ceiling, pace: Infinity }
  const late = isLate(window, bounds)
  const sustained = Math.floor((finished / elapsedMillis) * targetMillis)
  const isUsed = inProgress * 2 >= limit
  const crowded = severalCallers && (isBusy || (late && isUsed))
  const grown = isUsed ? Math.ceil(limit * 1.125) : limit
  const nextShare = crowded ? Math.floor(Math.min(share, inProgress) / 2) : Math.ceil(share * 1.25)
  return {
    limit: late ? between(floor, sustained, limit) : between(floor, grown, ceiling),
    share: between(leastShare, nextShare, ceiling),
    pace: crowded && share > leastShare ? pace : nextPace(pace, crowded, finished / elapsedMillis, bounds)
  }
}
