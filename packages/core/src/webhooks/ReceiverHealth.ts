import { Timestamp } from "../clock/Timestamp.ts"

/** How a receiver has been doing; it belongs to one subscription and is the same for every worker. */
export interface ReceiverHealth {
  /** Attempts that failed since the last one that succeeded. */
  readonly failures: number
  /** When the first of those was; null where there are none. */
  readonly failingSince: Timestamp | null
  /** The circuit breaker: nothing is sent before then. Null while it is closed. */
  readonly pausedUntil: Timestamp | null
}

/** After this many failures in a row the circuit opens. */
const tripsAt = 5
const firstPause = 5 * Timestamp.second
const longestPause = Timestamp.minute

/** Nothing but failures for so long disables the subscription (WEBHOOK-13). */
const patience = 5 * Timestamp.day

const healthy: ReceiverHealth = { failures: 0, failingSince: null, pausedUntil: null }

/** As long as it has been failing: 5, 10, 20, 40, then 60 seconds. What was on its way when it opened prolongs nothing. */
const pause = (health: ReceiverHealth, since: Timestamp, now: Timestamp): Timestamp =>
  health.pausedUntil !== null && health.pausedUntil > now
    ? health.pausedUntil
    : now + Math.min(Math.max(now - since, firstPause), longestPause)

/** The circuit breaker of one receiver, and the 5 days after which it is given up. Pure. */
export const ReceiverHealth: {
  readonly healthy: ReceiverHealth
  readonly succeeded: (health: ReceiverHealth) => ReceiverHealth
  readonly failed: (health: ReceiverHealth, now: Timestamp) => ReceiverHealth
  /** Its owner asks for a send: the pause is over, while what is sent still goes one at a time until one succeeds. */
  readonly asked: (health: ReceiverHealth) => ReceiverHealth
  /** At most one attempt at a time: whether the receiver is back is not known yet. */
  readonly isProbing: (health: ReceiverHealth) => boolean
  readonly isPaused: (health: ReceiverHealth, now: Timestamp) => boolean
  /** Nothing but failures for 5 days. */
  readonly isGivenUp: (health: ReceiverHealth, now: Timestamp) => boolean
  /** The number of failures from which `isProbing` holds. */
  readonly tripsAt: number
} = {
  healthy,
  // The same object where nothing changes, so that a store need not write it.
  succeeded: (health) => (health.failures === 0 && health.pausedUntil === null ? health : healthy),
  failed: (health, now) => {
    const failures = health.failures + 1
    const failingSince = health.failingSince ?? now
    return { failures, failingSince, pausedUntil: failures >= tripsAt ? pause(health, failingSince, now) : null }
  },
  asked: (health) => (health.pausedUntil === null ? health : { ...health, pausedUntil: null }),
  isProbing: (health) => health.failures >= tripsAt,
  isPaused: (health, now) => health.pausedUntil !== null && health.pausedUntil > now,
  isGivenUp: (health, now) => health.failingSince !== null && now - health.failingSince >= patience,
  tripsAt
}
