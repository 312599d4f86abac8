/** A moment on two clocks, in milliseconds: a suspended machine stops the first, and an administrator can set the second. */
export interface Moment {
  readonly monotonic: number
  readonly system: number
}

export const momentNow = (): Moment => ({ monotonic: performance.now(), system: Date.now() })

/** Longer ago than any process has run. */
export const longAgo: Moment = { monotonic: Number.NEGATIVE_INFINITY, system: Number.NEGATIVE_INFINITY }

/**
 * How long, in milliseconds, a process may rely on what it last read or received. Announcements wait 2 seconds for a process that PostgreSQL counts as a
 * listener and that does not acknowledge them, so a process that wakes later than that must assume that it missed some (DATABASE-6).
 */
export const lease = 1500

/** Whether the lease that began at this moment still runs, by both clocks. */
export const isLeased = (since: Moment): boolean => {
  const { monotonic, system } = momentNow()
  return monotonic - since.monotonic < lease && Math.abs(system - since.system) < lease
}
