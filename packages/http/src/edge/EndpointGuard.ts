import { access, checkAccess, checkFreeze, checkStepUp } from "@agent-marketplace/api/access/Access"
import { reasonText } from "@agent-marketplace/api/admin/Reason"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { PayloadTooLarge } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Forbidden, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { Issue, MarketError } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { makeChallenge } from "../oauth/Challenge.ts"
import { makeLimitRequest } from "../limits/limitRequest.ts"
import { LoadShedding } from "../overload/LoadShedding.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import type { RequestRecord } from "./CurrentRequest.ts"
import { planOf } from "./EndpointPlan.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import { failureResponse } from "./FailureResponse.ts"
import { Failures, isUndecodable, partIssues } from "./Failures.ts"
import { makeIdentifyCaller } from "./identifyCaller.ts"
import type { Identified } from "./identifyCaller.ts"
import { InProcess } from "./InProcess.ts"
import { makeIdentify } from "./makeIdentify.ts"
import { operatorHeader, operatorName, targetOf } from "./Operator.ts"
import { literalIssues } from "./NumberLiterals.ts"
import { admitBody, admitUnusedBody, hasBody, jsonBody } from "./RequestBody.ts"
import { makeReadPositions, positionIssues } from "./ReadPositions.ts"
import { isRepeated } from "./RequestHeaders.ts"
import { makeRequestIssues } from "./RequestIssues.ts"
import { urlIssues } from "./RequestUrl.ts"
import { unknownFields } from "./unknownFields.ts"

const isFailure = (u: unknown): u is MarketError | HttpFault => typeof u === "object" && u !== null && "_tag" in u

/** Handlers fail with the market's own errors and the guard turns them into responses, so this schema never encodes anything. */
const MarketFailure = Schema.declare(isFailure)

const checkOwn = (access: EndpointPlan["access"], caller: Caller, servesFrozen: boolean) =>
  access._tag === "Signup"
    ? Result.fail(new Forbidden({ required: ["admin"] }))
    : Result.flatMap(checkAccess(access, caller), () => (servesFrozen ? Result.void : checkFreeze(caller)))

/** The third step: refuses a request without a valid key, a key that may not call the endpoint, and writes of frozen accounts and agents. */
const checkCaller = (
  { access, servesFrozen, stepUp }: EndpointPlan,
  { admin, caller }: RequestRecord,
  identified: Identified,
  now: StoreEffect<Timestamp>
): Effect.Effect<void, MarketError | HttpFault> => {
  if (identified !== undefined) return Effect.fail(identified)
  if (caller === null) return Effect.void
  const needsStepUp = stepUp === true || (stepUp === "operator" && admin)
  const checked = Effect.fromResult(admin ? Result.void : checkOwn(access, caller, servesFrozen))
  if (!needsStepUp) return checked
  return Effect.andThen(
    checked,
    Effect.flatMap(now, (at) => Effect.fromResult(checkStepUp(caller, at)))
  )
}

/** Whose limits apply. The endpoint may be public: then any credential is only used for this, and an invalid one is not refused (LIMIT-11). */
const limitedCaller = (
  { limit }: EndpointPlan,
  request: HttpServerRequest.HttpServerRequest,
  { caller, identify }: RequestRecord
): Effect.Effect<Caller | null> =>
  limit?.per === "caller" ? Effect.orElseSucceed(identify(request, access.anyKey), () => null) : Effect.succeed(caller)

/** The name of the operator and the subject of the action (OPERATOR-16, OPERATOR-25). A session acts in the name of its account. */
const noteOperator = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  record: RequestRecord,
  params: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<void, ValidationFailed> {
  const insider = yield* InProcess
  const given = insider?._tag === "Operator" ? insider.name : operatorHeader(request.headers["x-operator"])
  const account = record.session?.account
  const name = operatorName(account?.id ?? given)
  if (Result.isFailure(name)) return yield* new ValidationFailed({ issues: [name.failure] })
  record.operator = { name: name.success, requestId: record.id, target: targetOf(params) }
})

const decodeReason = Schema.decodeUnknownEffect(
  Schema.Struct({ reason: Schema.optionalKey(Schema.NullOr(reasonText)) }),
  { errors: "all" }
)

/** The reason that an operator's request gives, for the log of actions (OPERATOR-14). */
const noteReason = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  record: RequestRecord
): Effect.fn.Return<ReadonlyArray<Issue>> {
  const { operator } = record
  if (operator === null) return []
  const body = yield* Effect.orElseSucceed(jsonBody(request), () => undefined)
  return yield* Effect.match(decodeReason(body ?? {}), {
    onFailure: (error) => partIssues("Payload", error).filter(({ path }) => path === "reason"),
    onSuccess: ({ reason = null }) => {
      record.operator = { ...operator, reason }
      return []
    }
  })
})

/** The fourth step: reads the body within its limit. A body that the endpoint ignores must be JSON, too. */
const admitRequest = (
  { bodyTypes, ignoresBody, maxBytes, takesBody }: EndpointPlan,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<void, MarketError | HttpFault> => {
  if (takesBody) return admitBody(request, maxBytes, bodyTypes)
  if (ignoresBody && hasBody(request)) return admitUnusedBody(request, maxBytes)
  return Number(request.headers["content-length"] ?? 0) > maxBytes
    ? Effect.fail(new PayloadTooLarge({ maxBytes }))
    : Effect.void
}

const repeatedKey: Issue = { path: "idempotency-key", message: "must be given once" }

/** Faults of the request that no schema detects: the encoding of the URL, and headers that are malformed or were sent twice. */
const transportIssues = (
  { parameters, takesIdempotencyKey }: EndpointPlan,
  request: HttpServerRequest.HttpServerRequest
): ReadonlyArray<Issue> => {
  const inUrl = urlIssues(request.originalUrl, parameters)
  const inPosition = positionIssues(request)
  const issues = inPosition.length === 0 ? inUrl : [...inUrl, ...inPosition]
  return takesIdempotencyKey && isRepeated(request, repeatedKey.path) ? [...issues, repeatedKey] : issues
}

/**
 * The unknown fields of a closed body, and amounts that parsing would round. A body that is not JSON has neither. Every operation of the
 * operator accepts a reason (OPERATOR-24).
 */
const bodyIssues = Effect.fnUntraced(function* (
  { access, closedBody, fields }: EndpointPlan,
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<ReadonlyArray<Issue>> {
  const rounded = literalIssues(yield* Effect.orDie(request.text)).filter(
    ({ path }) => fields === undefined || fields.has(path.split(".", 1)[0] ?? "")
  )
  if (closedBody === undefined) return rounded
  const unknown = yield* Effect.match(jsonBody(request), {
    onFailure: () => [],
    onSuccess: (body) =>
      unknownFields(closedBody.schema, body).filter(
        ({ path }) => path.startsWith(closedBody.within) && !(access._tag === "Admin" && path === "reason")
      )
  })
  return [...unknown, ...rounded]
})

/** The caller whose requests are counted together in an overload (LOAD-3): an account with its agents, or the operator. Undefined without a key. */
const subjectOf = ({ admin, caller }: RequestRecord): string | undefined =>
  admin ? "operator" : caller === null ? undefined : (caller.accountId ?? caller.keyId)

/**
 * The pipeline in front of every handler. Its steps, in this order: identify the caller, count against the rate limits, check access, read
 * the body, wait for a place among the requests in progress (LOAD-1), decode the body and collect every issue, call the handler. Every failure is sent in the error format of the endpoint.
 */
export class EndpointGuard extends HttpApiMiddleware.Service<EndpointGuard>()(
  "@agent-marketplace/http/edge/EndpointGuard",
  { error: MarketFailure }
) {
  static readonly layer = Layer.effect(
    EndpointGuard,
    Effect.gen(function* () {
      const { addressOf, limitLookup, limitRequest } = yield* makeLimitRequest
      const { admit } = yield* LoadShedding
      const identifyCaller = yield* makeIdentifyCaller(limitLookup)
      const requestIssues = yield* makeRequestIssues
      const clock = yield* MarketClock
      const failures = yield* Failures
      const withPosition = yield* makeReadPositions
      const challengeOf = makeChallenge((yield* Authorization).issuer)

      return (decodeAndHandle, { endpoint, group }) => {
        const plan = planOf(endpoint, group)
        const everyIssue = requestIssues(endpoint)

        /** The last steps, which take a place among the requests in progress until the response starts. */
        const handle = Effect.fnUntraced(function* (
          request: HttpServerRequest.HttpServerRequest,
          record: RequestRecord
        ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, MarketError | HttpFault> {
          if (plan.errorFormat !== "never") {
            let issues = transportIssues(plan, request)
            if (plan.takesBody)
              issues = [...issues, ...(yield* bodyIssues(plan, request)), ...(yield* noteReason(request, record))]
            if (issues.length > 0) return yield* new ValidationFailed({ issues: yield* everyIssue(issues) })
          }
          const handled = decodeAndHandle as Effect.Effect<HttpServerResponse.HttpServerResponse>
          return yield* withPosition(handled, request, record)
        })

        const pipeline = Effect.fnUntraced(function* (
          request: HttpServerRequest.HttpServerRequest,
          record: RequestRecord,
          params: Readonly<Record<string, string | undefined>>
        ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, MarketError | HttpFault> {
          record.identify = makeIdentify(identifyCaller, plan, record, yield* InProcess)
          const identified = yield* identifyCaller(plan, request, record)
          yield* limitRequest(plan, request, record, yield* limitedCaller(plan, request, record))
          yield* checkCaller(plan, record, identified, clock.now)
          if (record.admin) yield* noteOperator(request, record, params)
          if (plan.errorFormat !== "never") yield* admitRequest(plan, request)
          const handled = handle(request, record)
          if (plan.priority === "exempt" || (yield* InProcess) !== null) return yield* handled
          const subject = subjectOf(record) ?? (yield* addressOf(request))()
          return yield* admit(record, plan.priority, subject, handled).pipe(
            Effect.tapErrorTag("ServiceOverloaded", () => record.takeBack)
          )
        })

        return Effect.withFiber((fiber) => {
          const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          const record = Context.getUnsafe(fiber.context, CurrentRequest)
          const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
          record.route = plan.route
          return Effect.catchCause(pipeline(request, record, params), (cause) =>
            Effect.map(
              isUndecodable(cause)
                ? Effect.map(everyIssue([]), (issues) => new ValidationFailed({ issues }))
                : failures.of(cause, record.id),
              (failure) => failureResponse(failure, plan.errorFormat, record.id, challengeOf(failure, plan.route))
            ).pipe(Effect.tap(record.onFailure))
          )
        })
      }
    })
  )
}
