import { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Effect, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, PeerAddress } from "../edge/ClientAddress.ts"
import type { RequestRecord } from "../edge/CurrentRequest.ts"
import { InProcess } from "../edge/InProcess.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { retryAfter, setLimitHeaders, tightestOf, windowName } from "./LimitHeaders.ts"
import { unknownKeys, usesOf } from "./TierLimits.ts"
import type { Metered } from "./TierLimits.ts"
import { RateLimits } from "./RateLimits.ts"
import type { Standing, Use } from "./RateLimits.ts"

/**
 * How many keys that are not known to be valid are looked up concurrently. A look-up counts as one of an unknown key until its result is
 * known, so this must be far below that limit: otherwise many valid keys of one address, after a restart for example, would be refused.
 */
const lookupsAtOnce = 8

/** Counts requests against their limits. */
export const makeLimitRequest = Effect.gen(function* () {
  const clock = yield* MarketClock
  const limits = yield* RateLimits
  const metrics = yield* HttpMetrics
  const { trustedProxies } = yield* HttpOptions
  const trusted = new Set(trustedProxies)
  const lookups = yield* Semaphore.make(lookupsAtOnce)

  const addressOf = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.map(PeerAddress, (peer) => () => clientAddress(request, trusted, peer))

  /** A soft limit changes where the response comes from. A hard one refuses the request. */
  const exceeded = (standing: Standing, record: RequestRecord, now: number): Effect.Effect<void, RateLimited> => {
    metrics.limited(standing.limit.name)
    if (standing.limit.soft) {
      record.pastSoftLimit = true
      return Effect.void
    }
    record.headers["retry-after"] = retryAfter(standing, now)
    const { limit } = standing
    return Effect.fail(new RateLimited({ resetAt: standing.resetAt, limit: limit.limit, window: windowName(limit) }))
  }

  const release = (uses: ReadonlyArray<Use>): Effect.Effect<void> =>
    Effect.flatMap(clock.lastKnown, (now) =>
      limits.take(
        uses.map((use) => ({ ...use, release: true })),
        now
      )
    )

  return {
    /** The client address that limits per address count. */
    addressOf,
    /**
     * The second step of the guard: counts the request and sets the limit headers. The operator and calls of the process itself are not
     * counted. `caller` is whose limits apply.
     */
    limitRequest: Effect.fnUntraced(function* (
      plan: Metered,
      request: HttpServerRequest.HttpServerRequest,
      record: RequestRecord,
      caller: Caller | null = record.caller
    ): Effect.fn.Return<void, RateLimited> {
      if (record.admin || (yield* InProcess) !== null) return
      const uses = usesOf(plan, caller, yield* addressOf(request))
      if (uses.length === 0) return
      const now = yield* clock.lastKnown
      const tightest = tightestOf(yield* limits.take(uses, now))
      if (tightest === undefined) return
      setLimitHeaders(record.headers, tightest)
      if (tightest.passed) return yield* exceeded(tightest, record, now)
      const takeBack = release(uses)
      record.takeBack = Effect.suspend(() => {
        record.onFailure = Effect.void
        return takeBack
      })
      if (plan.limit?.onlySuccess === true) record.onFailure = release(uses.filter(({ limit }) => limit === plan.limit))
    }),
    /**
     * Counts a key that is not known to be valid before it is looked up, and takes the count back if it is valid: a flood of forged keys
     * costs no more queries than the limit (LIMIT-12).
     */
    limitLookup: Effect.fnUntraced(function* <A, E>(
      request: HttpServerRequest.HttpServerRequest,
      record: RequestRecord,
      lookup: Effect.Effect<A, E>,
      isUnknown: (found: A) => boolean
    ): Effect.fn.Return<A, E | RateLimited> {
      const address = yield* addressOf(request)
      const uses = [{ limit: unknownKeys, subject: address() }]
      const now = yield* clock.lastKnown
      const [standing] = yield* limits.take(uses, now)
      if (standing?.passed === true) {
        setLimitHeaders(record.headers, standing)
        yield* exceeded(standing, record, now)
      }
      const found = yield* Effect.tapCause(lookup, () => release(uses))
      if (!isUnknown(found)) yield* release(uses)
      return found
    }, lookups.withPermit)
  }
})

export type LimitRequest = Effect.Success<typeof makeLimitRequest>
