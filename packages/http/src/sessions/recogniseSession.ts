import { servesWithoutAccount } from "@agent-marketplace/api/access/Access"
import type { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { Forbidden, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { actsAsOperator, callerOf, Sessions } from "@agent-marketplace/core/sessions/Sessions"
import type { SignedIn } from "@agent-marketplace/core/sessions/SessionStore"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RequestRecord } from "../edge/CurrentRequest.ts"
import { takesOperator } from "../edge/EndpointPlan.ts"
import type { EndpointPlan } from "../edge/EndpointPlan.ts"
import { makeRecentlyValid } from "../edge/RecentlyValid.ts"
import type { LimitRequest } from "../limits/limitRequest.ts"
import { SessionAccess } from "./SessionAccess.ts"

type Refused = Forbidden | RateLimited | StoreUnavailable

const invalid = new InvalidApiKey({ reason: "invalid" })

/** Sets what the session may do on the record. The operator's token opens the operator's endpoints alone, and so does its session. */
const admit = (
  plan: EndpointPlan,
  record: RequestRecord,
  signedIn: SignedIn
): InvalidApiKey | Forbidden | undefined => {
  record.session = signedIn
  record.caller = callerOf(signedIn)
  record.admin = takesOperator(plan) && actsAsOperator(signedIn)
  if (record.caller !== null || record.admin) return undefined
  const { _tag } = plan.access
  if (_tag === "OwnSession" || _tag === "Person") return new Forbidden({ required: ["account"] })
  return servesWithoutAccount(plan.access) ? undefined : new InvalidApiKey({ reason: "operator" })
}

/**
 * Identifies the person behind a request without a key: by the session of its cookie (SESSION-3, SESSION-4). Null if the request has no such
 * cookie.
 */
export const makeRecogniseSession = Effect.fnUntraced(function* (limitLookup: LimitRequest["limitLookup"]) {
  const sessions = yield* Sessions
  const access = yield* SessionAccess
  const cookie = Result.getOrUndefined(yield* Effect.result(access.cookie))
  const recentlyValid = makeRecentlyValid()

  return Effect.fnUntraced(function* (
    plan: EndpointPlan,
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord
  ): Effect.fn.Return<null | InvalidApiKey | undefined, Refused> {
    const presented = cookie?.read(request) ?? { _tag: "Missing" }
    if (presented._tag === "Missing") return null
    yield* access.checkPage(request)
    if (presented._tag === "Repeated") return invalid
    const { secret } = presented
    const authenticated = Effect.catchTag(sessions.authenticate(secret), "InvalidApiKey", () => Effect.succeed(null))
    const found = recentlyValid.has(secret)
      ? yield* authenticated
      : yield* limitLookup(request, record, authenticated, (signedIn) => signedIn === null)
    if (found === null || access.isOutdated(found)) return invalid
    recentlyValid.add(secret)
    const refused = admit(plan, record, found)
    if (refused instanceof Forbidden) return yield* refused
    return refused
  })
})
