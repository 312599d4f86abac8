import type { EndpointLimit } from "@agent-marketplace/api/access/EndpointLimits"
import { PayloadTooLarge, RateLimited, ServiceOverloaded } from "@agent-marketplace/api/errors/HttpFault"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { StoreUnavailable, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { OauthError } from "@agent-marketplace/core/oauth/OauthError"
import { Cause, Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentRequest } from "../edge/CurrentRequest.ts"
import type { RequestRecord } from "../edge/CurrentRequest.ts"
import { Failures } from "../edge/Failures.ts"
import { InProcess } from "../edge/InProcess.ts"
import { makeLimitRequest } from "../limits/limitRequest.ts"
import { LoadShedding } from "../overload/LoadShedding.ts"

/** The method and the path of an endpoint of OAuth. */
export interface OauthRoute {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
}

type Response = HttpServerResponse.HttpServerResponse

const statusOf = (error: string): number => (error === "invalid_client" ? 401 : 400)

interface Refusal {
  readonly status: number
  readonly error: string
  readonly description: string
  readonly headers?: Record<string, string>
}

/** Failures of the market itself, which reach people on pages only. */
const isMarketFailure = (failure: unknown): failure is Failure =>
  typeof failure === "object" && failure !== null && "_tag" in failure && failure._tag !== "InternalFault"

const json = ({ description, error, headers, status }: Refusal): Response =>
  HttpServerResponse.jsonUnsafe({ error, error_description: description }, { status, headers })

/** A failure in the form of RFC 6749, 5.2. */
const refusalOf = (failure: unknown): Refusal => {
  if (failure instanceof OauthError) {
    const { description, error } = failure
    const headers = error === "invalid_client" ? { headers: { "www-authenticate": "Basic" } } : {}
    return { status: statusOf(error), error, description, ...headers }
  }
  if (failure instanceof ValidationFailed) {
    const description = failure.issues.map(({ message, path }) => `${path} ${message}`).join("; ")
    const isUri = failure.issues.some(({ path }) => path.startsWith("redirect_uris"))
    return { status: 400, error: isUri ? "invalid_redirect_uri" : "invalid_client_metadata", description }
  }
  if (failure instanceof RateLimited) {
    return { status: 429, error: "temporarily_unavailable", description: "Too many requests: see Retry-After." }
  }
  if (failure instanceof PayloadTooLarge) {
    return { status: 413, error: "invalid_request", description: `The body must be at most ${failure.maxBytes} bytes.` }
  }
  if (failure instanceof StoreUnavailable || failure instanceof ServiceOverloaded) {
    const headers = { "retry-after": "1" }
    return { status: 503, error: "temporarily_unavailable", description: "Try again soon.", headers }
  }
  if (isMarketFailure(failure)) {
    const { body, status } = toWire(failure, "")
    return { status, error: "invalid_request", description: body.error.message }
  }
  return { status: 500, error: "server_error", description: "Something went wrong on our side." }
}

/** Turns a handler's failure into a response. Pages have an error page of their own. */
export type Refused = (refusal: Refusal) => Response

/**
 * Adds a route of OAuth's own to the router: counted against the limits of its client's address, logged as every route, and with failures
 * in the form of OAuth's RFCs (OAUTH-21).
 */
export const makeOauthEndpoint = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const failures = yield* Failures
  const { addressOf, limitRequest } = yield* makeLimitRequest
  const { admit } = yield* LoadShedding

  /** Only reads count as requests in progress (LOAD-1). Other requests, such as a person's consent, read their body while they are handled. */
  const admitted = Effect.fnUntraced(function* <E, R>(
    method: OauthRoute["method"],
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord,
    handled: Effect.Effect<Response, E, R>
  ): Effect.fn.Return<Response, E | ServiceOverloaded, R> {
    if (method !== "GET" || (yield* InProcess) !== null) return yield* handled
    return yield* admit(record, "read", (yield* addressOf(request))(), handled)
  })

  return <E>(
    { method, path }: OauthRoute,
    limit: EndpointLimit,
    handler: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Response, E, HttpRouter.RouteContext>,
    refused: Refused = json
  ) => {
    const metered = { limit, unmetered: true, control: false }
    const handled = Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const record = Context.getUnsafe(fiber.context, CurrentRequest)
      record.route = path
      return limitRequest(metered, request, record).pipe(
        Effect.andThen(admitted(method, request, record, handler(request))),
        Effect.tapErrorTag("ServiceOverloaded", () => record.takeBack),
        Effect.catchCause((cause: Cause.Cause<unknown>) => {
          const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
          return failure instanceof OauthError
            ? Effect.succeed(refused(refusalOf(failure)))
            : Effect.map(failures.of(cause, record.id), (known) => refused(refusalOf(known)))
        }),
        Effect.tap((response) => (response.status >= 400 ? record.onFailure : Effect.void))
      )
    })
    return router.add(method, path, handled)
  }
})
