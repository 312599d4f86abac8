import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Context } from "effect"
import type { Effect } from "effect"

/** A number of requests in a window that opens with the first of them. */
export interface Limit {
  /** Counters of different names never mix. */
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
  /** A request that exceeds a soft limit is answered nevertheless. */
  readonly soft: boolean
}

/** One request that counts against a limit, for one key, account or address. */
export interface Use {
  readonly limit: Limit
  readonly subject: string
  /** Takes back what an earlier use counted; never refused. */
  readonly release?: true
}

/** The state of a limit after a request. */
export interface Standing {
  readonly limit: Limit
  /** The requests that are left; 0 where the limit was exceeded. */
  readonly remaining: number
  /** Milliseconds since the epoch. */
  readonly resetAt: Timestamp
  /** The request exceeded the limit. */
  readonly passed: boolean
}

/**
 * The counters behind the limits of LIMIT-1, LIMIT-2, LIMIT-3, LIMIT-4, LIMIT-5 and LIMIT-6.
 *
 * Contract: a request that any hard limit refuses counts against none; the results are in the order of the uses. Never fails: while the
 * counters are unavailable, others are used.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    readonly take: (uses: ReadonlyArray<Use>, now: Timestamp) => Effect.Effect<ReadonlyArray<Standing>>
  }
>()("@agent-marketplace/http/limits/RateLimits") {}
