import { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, PeerAddress } from "../edge/ClientAddress.ts"
import type { RequestRecord } from "../edge/CurrentRequest.ts"
import { InProcess } from "../edge/InProcess.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { retryAfter, setLimitHeaders, tightestOf, windowName } from "./LimitHeaders.ts"
import { usesOf } from "./LimitPlan.ts"
import type { Metered } from "./LimitPlan.ts"
import { RateLimits } from "./RateLimits.ts"

/**
 * The second step: counts the request against its limits and sets the limit headers. The operator and calls of the process itself are
 * not counted.
 */
export const makeLimitRequest = Effect.gen(function* () {
  const clock = yield* MarketClock
  const limits = yield* RateLimits
  const metrics = yield* HttpMetrics
  const { trustedProxies } = yield* HttpOptions
  const trusted = new Set(trustedProxies)

  return Effect.fnUntraced(function* (
    plan: Metered,
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord
  ): Effect.fn.Return<void, RateLimited> {
    if (record.admin || (yield* InProcess) !== null) return
    const peer = yield* PeerAddress
    const uses = usesOf(plan, record.caller, () => clientAddress(request, trusted, peer))
    if (uses.length === 0) return
    const now = yield* clock.now
    const tightest = tightestOf(yield* limits.take(uses, now))
    if (tightest === undefined) return
    setLimitHeaders(record.headers, tightest)
    if (!tightest.passed) return
    metrics.limited(tightest.limit.name)
    if (tightest.limit.soft) {
      record.pastSoftLimit = true
      return
    }
    record.headers["retry-after"] = retryAfter(tightest, now)
    return yield* new RateLimited({
      resetAt: tightest.resetAt,
      limit: tightest.limit.limit,
      window: windowName(tightest.limit)
    })
  })
})
