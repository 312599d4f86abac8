/** A moment on two clocks, in milliseconds: a suspended machine stops the first, and an administrator can set the second. */
export interface Moment {
  readonly monotonic: number
  readonly system: number
}

export const momentNow = (): Moment => ({ monotonic: performance.now(), system: Date.now() })

/** Longer ago than any process has run. */
export const longAgo: Moment = { monotonic: Number.NEGATIVE_INFINITY, system: Number.NEGATIVE_INFINITY }

/**
 * How long, in milliseconds, a process may rely on what it last read or received (DATABASE-6). Announcements wait 2 seconds for a process that may hold a lease and
 * does not acknowledge them, so a process whose lease has ended must assume that it missed some.
 */
export const lease = 1500

/** Whether the lease that began at this moment still runs, by both clocks. */
export const isLeased = (since: Moment): boolean => {
  const { monotonic, system } = momentNow()
  return monotonic - since.monotonic < lease && Math.abs(system - since.system) < lease
}

/** Whether the machine was suspended since then, or its clock was set: the two clocks have advanced by amounts that differ by more than 50 ms. */
export const isInterrupted = (since: Moment): boolean => {
  const { monotonic, system } = momentNow()
  return Math.abs(system - since.system - (monotonic - since.monotonic)) > 50
}
