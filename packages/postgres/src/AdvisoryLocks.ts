/**
 * Every advisory lock that the market takes in its database, in one list, so that no two share a number. Locks with one 64-bit key
 * never conflict with locks that have a class and a key.
 */
export const advisoryLocks = {
  /** Exclusive: one process migrates at a time. */
  migrations: 7_236_518_941,
  /** Exclusive: one process fans events out at a time. */
  eventFanOut: 7_236_518_942,
  /** Shared while a transfer is included in the simulated chain, exclusive while a conclusion is drawn from its final blocks. */
  simulatedChain: 7_236_518_943,
  /** Shared by each settlement, before it reads; exclusive to decide that an account without money is erased. */
  settlements: 7_236_518_944,
  /** Exclusive: one process publishes advisories at a time. */
  advisories: 7_236_518_945,
  /** Exclusive: one process creates notices from events at a time. */
  noticeFanOut: 7_236_518_946,
  /** Exclusive: one audit at a time continues from the last checkpoint. */
  ledgerCheckpoints: 7_236_518_947,
  /** Exclusive: one process makes or drops partitions of deliveries at a time (migration 0051). */
  deliveryPartitions: 7_236_518_948,
  /** Exclusive: one process makes partitions of the tables whose rows are numbered at a time (migration 0054). */
  numberedPartitions: 7_236_518_949
} as const

/** The classes of locks that also have a key. */
export const advisoryLockClasses = {
  /** Each transaction that appends events shares the sequence number current when it started: `event_horizon()` of migration 0001. */
  appendingEvents: 723_651,
  /** With the number of a process: shared by its listening connection, so that the other processes know who listens. */
  listeners: 581_202,
  /** With the hash of a key of a name: changes that claim names that look alike wait for each other (NAME-1). */
  names: 723_652,
  /** With the hash of a domain: proofs of one domain by several accounts wait for each other (DOMAIN-6). */
  domains: 723_653,
  /** With the hash of a digest: shared to add a release or a verdict of these bytes, exclusive to purge them (PURGE-6). */
  digests: 723_654,
  /** With the hash of a keyed hash of an e-mail address: confirmations to one address are counted one after the other (NOTIFY-10). */
  confirmations: 723_655
} as const
