import { Access, checkAccess } from "@agent-marketplace/api/access/Access"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import { BodyLimit } from "@agent-marketplace/api/access/BodyLimit"
import { RateLimit, Unmetered } from "@agent-marketplace/api/access/RateLimit"
import { ErrorFormat } from "@agent-marketplace/api/access/ErrorFormat"
import type { ErrorFormatName } from "@agent-marketplace/api/access/ErrorFormat"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { PayloadTooLarge, RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Forbidden, InvalidApiKey, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { Issue, MarketError, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { matchesSecret } from "@agent-marketplace/telemetry/SharedSecret"
import { Context, Effect, Layer, Schema, SchemaAST } from "effect"
import type { Cause } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { retryAfter, setLimitHeaders, tightestOf, windowName } from "../limits/LimitHeaders.ts"
import { usesOf } from "../limits/LimitPlan.ts"
import type { Metered } from "../limits/LimitPlan.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { clientAddress, PeerAddress } from "./ClientAddress.ts"
import { credentialOf } from "./Credential.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import type { RequestRecord } from "./CurrentRequest.ts"
import { makeEveryIssue } from "./EveryIssue.ts"
import type { EveryIssue } from "./EveryIssue.ts"
import { failureOf, isUnfit } from "./Failure.ts"
import { failureResponse } from "./FailureResponse.ts"
import { hostUserOf } from "./HostUserOf.ts"
import { InProcess } from "./InProcess.ts"
import { isRepeated } from "./RepeatedHeader.ts"
import { admitBody } from "./RequestBody.ts"
import { urlIssues } from "./RequestUrl.ts"

/** What the annotations of an endpoint say, read once when the routes are built. */
interface Plan extends Metered {
  readonly route: string
  readonly access: AccessRule
  readonly errorFormat: ErrorFormatName
  readonly maxBytes: number
  readonly takesBody: boolean
  readonly takesIdempotencyKey: boolean
  readonly parameters: ReadonlySet<string>
}

const parametersOf = (query: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(query) ? query.propertySignatures.map(({ name }) => String(name)) : []

const planOf = ({ annotations, headers, method, path, payload, query }: HttpApiEndpoint.Top): Plan => ({
  route: path,
  access: Context.get(annotations, Access),
  limit: Context.get(annotations, RateLimit),
  unmetered: Context.get(annotations, Unmetered),
  errorFormat: Context.get(annotations, ErrorFormat),
  maxBytes: Context.get(annotations, BodyLimit),
  takesBody: payload.size > 0 && method !== "GET",
  takesIdempotencyKey: headers !== undefined,
  parameters: new Set(query === undefined ? [] : parametersOf(query.ast))
})

const repeatedKey: Issue = { path: "idempotency-key", message: "must be given once" }

/** What a schema would not see, or not as it was sent. */
const unseen = (plan: Plan, request: HttpServerRequest.HttpServerRequest): ReadonlyArray<Issue> => {
  const inUrl = urlIssues(request.originalUrl, plan.parameters)
  return plan.takesIdempotencyKey && isRepeated(request, repeatedKey.path) ? [...inUrl, repeatedKey] : inUrl
}

const isFailure = (u: unknown): u is MarketError | HttpFault => typeof u === "object" && u !== null && "_tag" in u

/** Handlers fail with the market's own errors; the edge turns them into what is sent, so nothing is ever encoded by this. */
const MarketFailure = Schema.declare(isFailure)

/**
 * The outermost middleware of every endpoint. In this order: who is calling, rate limits, refusal of the wrong caller, what
 * the transport allows; then decoding and the handler. Every failure leaves it in the envelope of the endpoint's surface.
 */
export class EndpointGuard extends HttpApiMiddleware.Service<EndpointGuard>()(
  "@agent-marketplace/http/edge/EndpointGuard",
  {
    error: MarketFailure
  }
) {
  static readonly layer = Layer.effect(
    EndpointGuard,
    Effect.gen(function* () {
      const identity = yield* Identity
      const clock = yield* MarketClock
      const limits = yield* RateLimits
      const metrics = yield* HttpMetrics
      const options = yield* HttpOptions
      const users = yield* HostUsers
      const everyIssueOf = yield* makeEveryIssue
      const isAdmin = matchesSecret(options.adminToken)
      const trusted = new Set(options.trustedProxies)
      const signupIsOpen = options.signup === "open"

      const takesAdmin = (rule: AccessRule): boolean =>
        rule._tag === "Admin" || rule._tag === "Signup" || (rule._tag === "Write" && rule.orAdmin)

      const enter = <E>(caller: Effect.Effect<Caller, InvalidApiKey | E>, record: RequestRecord) =>
        Effect.matchEffect(caller, {
          onSuccess: (found) =>
            Effect.sync(() => {
              record.caller = found
            }),
          onFailure: (error) => (error instanceof InvalidApiKey ? Effect.succeed(error) : Effect.fail(error))
        })

      /** Fills in the caller; answers with why there is none. */
      const identify = Effect.fnUntraced(function* (
        plan: Plan,
        request: HttpServerRequest.HttpServerRequest,
        record: RequestRecord
      ): Effect.fn.Return<InvalidApiKey | void, StoreUnavailable | ValidationFailed> {
        if (plan.access._tag === "Public") return
        const insider = yield* InProcess
        if (insider?._tag === "Operator") {
          record.admin = takesAdmin(plan.access)
          return
        }
        if (insider?._tag === "User") return yield* enter(identity.recognise(insider.user), record)
        const credential = credentialOf(request, plan.errorFormat === "soul-create")
        if (credential._tag === "Token" && takesAdmin(plan.access) && isAdmin(credential.token)) {
          record.admin = true
          return
        }
        if (plan.access._tag === "Signup" && signupIsOpen) return
        const user = yield* hostUserOf(users, request, credential)
        if (user !== null) return yield* enter(identity.recognise(user), record)
        if (credential._tag !== "Token") {
          return new InvalidApiKey({ reason: credential._tag === "Missing" ? "missing" : "invalid" })
        }
        return yield* enter(identity.authenticate(credential.token), record)
      })

      const meter = Effect.fnUntraced(function* (
        plan: Plan,
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

      const refusal = (
        plan: Plan,
        record: RequestRecord,
        invalid: InvalidApiKey | void
      ): Effect.Effect<void, MarketError> => {
        if (invalid instanceof InvalidApiKey) return Effect.fail(invalid)
        if (record.caller === null) return Effect.void
        if (plan.access._tag === "Signup") return Effect.fail(new Forbidden({ required: ["admin"] }))
        return Effect.fromResult(checkAccess(plan.access, record.caller))
      }

      const admit = Effect.fnUntraced(function* (
        plan: Plan,
        request: HttpServerRequest.HttpServerRequest,
        record: RequestRecord,
        everyIssue: EveryIssue
      ): Effect.fn.Return<void, MarketError | HttpFault> {
        const invalid = yield* identify(plan, request, record)
        yield* meter(plan, request, record)
        yield* refusal(plan, record, invalid)
        if (plan.errorFormat === "never") return
        if (plan.takesBody) yield* admitBody(request, plan.maxBytes)
        else if (Number(request.headers["content-length"] ?? 0) > plan.maxBytes) {
          return yield* new PayloadTooLarge({ maxBytes: plan.maxBytes })
        }
        const issues = unseen(plan, request)
        if (issues.length > 0) return yield* new ValidationFailed({ issues: yield* everyIssue(issues) })
      })

      return (httpEffect, { endpoint }) => {
        const plan = planOf(endpoint)
        const everyIssue = everyIssueOf(endpoint)
        const failure = (cause: Cause.Cause<unknown>, record: RequestRecord) =>
          isUnfit(cause)
            ? Effect.map(everyIssue([]), (issues) => new ValidationFailed({ issues }))
            : failureOf(cause, record.id)
        return Effect.withFiber((fiber) => {
          const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          const record = Context.getUnsafe(fiber.context, CurrentRequest)
          record.route = plan.route
          const answered = Effect.flatMap(
            admit(plan, request, record, everyIssue),
            () => httpEffect as Effect.Effect<HttpServerResponse.HttpServerResponse>
          )
          return Effect.catchCause(answered, (cause) =>
            Effect.map(failure(cause, record), (found) => failureResponse(found, plan.errorFormat, record.id))
          )
        })
      }
    })
  )
}
