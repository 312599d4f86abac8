/** A moment on two clocks, in milliseconds: a suspended machine stops the first, and an operator can move the second. */
export interface Moment {
  readonly monotonic: number
  readonly system: number
}

export const momentNow = (): Moment => ({ monotonic: performance.now(), system: Date.now() })

/** Longer ago than any process has run. */
export const longAgo: Moment = { monotonic: Number.NEGATIVE_INFINITY, system: Number.NEGATIVE_INFINITY }

/**
 * How long what a process knows of others is valid, in milliseconds. Announcements wait 2 seconds for a process that does not acknowledge them, so a
 * process that wakes later than that knows that it missed some (DATABASE-6).
 */
const lease = 1500

/** Whether the lease that began at this moment still runs, by both clocks. */
export const isLeased = (since: Moment): boolean => {
  const { monotonic, system } = momentNow()
  return monotonic - since.monotonic < lease && Math.abs(system - since.system) < lease
}
