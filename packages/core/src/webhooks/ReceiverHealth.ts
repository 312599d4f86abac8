import { Timestamp } from "../clock/Timestamp.ts"

/** The recent failures of a receiver. Kept for each subscription and shared by all workers. */
export interface ReceiverHealth {
  /** The number of failed attempts since the last successful one. */
  readonly failures: number
  /** When the first of these failures happened; null if there are none. */
  readonly failingSince: Timestamp | null
  /** The circuit breaker is open until then, and nothing is sent. Null while it is closed. */
  readonly pausedUntil: Timestamp | null
}

/** The number of consecutive failures that opens the circuit. */
const tripsAt = 5
const firstPause = 5 * Timestamp.second
const longestPause = Timestamp.minute

/** A subscription is disabled after failures without a success for this long (WEBHOOK-13). */
const failureLimit = 5 * Timestamp.day

const healthy: ReceiverHealth = { failures: 0, failingSince: null, pausedUntil: null }

/** As long as the failures have lasted: 5, 10, 20, 40, then 60 seconds. Failures of requests that were in flight when it opened do not extend it. */
const pause = (health: ReceiverHealth, since: Timestamp, now: Timestamp): Timestamp =>
  health.pausedUntil !== null && health.pausedUntil > now
    ? health.pausedUntil
    : now + Math.min(Math.max(now - since, firstPause), longestPause)

/** The circuit breaker of a receiver, and the time limit for failures. Pure. */
export const ReceiverHealth: {
  readonly healthy: ReceiverHealth
  readonly succeeded: (health: ReceiverHealth) => ReceiverHealth
  readonly failed: (health: ReceiverHealth, now: Timestamp) => ReceiverHealth
  /** Ends the pause when the owner requests a send. Until one succeeds, attempts are still made one at a time. */
  readonly resumed: (health: ReceiverHealth) => ReceiverHealth
  /** At most one attempt at a time, because it is not known yet whether the receiver has recovered. */
  readonly isProbing: (health: ReceiverHealth) => boolean
  readonly isPaused: (health: ReceiverHealth, now: Timestamp) => boolean
  /** All attempts have failed for 5 days. */
  readonly hasFailedTooLong: (health: ReceiverHealth, now: Timestamp) => boolean
  /** The number of failures at which `isProbing` becomes true. */
  readonly tripsAt: number
} = {
  healthy,
  // Returns the same object if nothing changes, so that a store need not write it.
  succeeded: (health) => (health.failures === 0 && health.pausedUntil === null ? health : healthy),
  failed: (health, now) => {
    const failures = health.failures + 1
    const failingSince = health.failingSince ?? now
    return { failures, failingSince, pausedUntil: failures >= tripsAt ? pause(health, failingSince, now) : null }
  },
  resumed: (health) => (health.pausedUntil === null ? health : { ...health, pausedUntil: null }),
  isProbing: (health) => health.failures >= tripsAt,
  isPaused: (health, now) => health.pausedUntil !== null && health.pausedUntil > now,
  hasFailedTooLong: (health, now) => health.failingSince !== null && now - health.failingSince >= failureLimit,
  tripsAt
}
