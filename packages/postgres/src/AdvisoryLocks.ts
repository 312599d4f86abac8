/**
 * Every advisory lock that the market takes in its database, in one list, so that no two are the same. Those with one 64-bit key and those
 * with a class and a key never meet.
 */
export const advisoryLocks = {
  /** Exclusive: one process migrates at a time. */
  migrations: 7_236_518_941,
  /** Exclusive: one process fans events out at a time. */
  eventFanOut: 7_236_518_942,
  /** Shared to include a transfer in the simulated chain, exclusive to conclude something from its final blocks. */
  simulatedChain: 7_236_518_943
} as const

/** The classes of locks that have a key each. */
export const advisoryLockClasses = {
  /** Each transaction that appends events shares the number that the sequence had: `event_horizon()` of migration 0001. */
  appendingEvents: 723_651,
  /** Each process's listening connection shares it, so that the others can count who listens. */
  listeners: 581_202
} as const
