import { MethodNotAllowed, RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { MarketError } from "@agent-marketplace/core/errors/MarketError"
import { Cause, Context, Effect, Option } from "effect"
import type { Types } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { belowMount, Mount } from "../mount/Mount.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { RequestLog } from "../observability/RequestLog.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import type { RequestRecord } from "./CurrentRequest.ts"
import { failureResponse } from "./FailureResponse.ts"
import { Failures } from "./Failures.ts"
import { requestIdOf } from "./RequestHeaders.ts"
import { legible } from "./RequestUrl.ts"

type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled, CurrentRequest>

/** The status that load balancers log for a client that disconnected before the response. */
const clientClosed = 499

const startRecord = (request: HttpServerRequest.HttpServerRequest): RequestRecord => {
  const id = requestIdOf(request.headers["x-request-id"])
  return {
    id,
    method: request.method,
    startedAt: performance.now(),
    route: "unmatched",
    caller: null,
    admin: false,
    pastSoftLimit: false,
    headers: { "x-request-id": id }
  }
}

const withoutHost = new ValidationFailed({ issues: [{ path: "headers.host", message: "is required" }] })

/** Only for requests from a socket: those of a fetch handler carry their host in the URL. */
const lacksHost = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["host"] === undefined && (request.source as { readonly httpVersion?: string }).httpVersion === "1.1"

/** The router would treat the text after a `;` as a query. */
const hasMatrix = (url: string): boolean => {
  const at = url.indexOf(";")
  return at !== -1 && !url.slice(0, at).includes("?")
}

const refusal = (
  request: HttpServerRequest.HttpServerRequest,
  url: string | undefined
): ValidationFailed | RouteNotFound | undefined => {
  if (lacksHost(request)) return withoutHost
  return url === undefined || hasMatrix(url) ? new RouteNotFound() : undefined
}

const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

/**
 * Surrounds the router: every response carries `X-Request-Id` and is counted and logged, also where no route was found or a route failed
 * outside of its guard.
 */
export const makeRequestContext = Effect.fnUntraced(function* (allowedMethods: (url: string) => ReadonlyArray<string>) {
  const metrics = yield* HttpMetrics
  const log = yield* RequestLog
  const mount = yield* Mount
  const failures = yield* Failures

  const report = (record: RequestRecord, status: number): void => {
    const millis = performance.now() - record.startedAt
    metrics.ended(record.method, record.route, status, millis / 1000)
    log.write({
      requestId: record.id,
      method: record.method,
      route: record.route,
      status,
      durationMs: millis,
      keyId: record.caller?.keyId ?? null
    })
  }

  const finish = (record: RequestRecord, response: HttpServerResponse.HttpServerResponse) => {
    report(record, response.status)
    return HttpServerResponse.setHeaders(response, record.headers)
  }

  const unmatched = (url: string): MarketError | HttpFault => {
    const allow = allowedMethods(url)
    return allow.length > 0 ? new MethodNotAllowed({ allow }) : new RouteNotFound()
  }

  const failed = (record: RequestRecord, url: string, cause: Cause.Cause<Types.unhandled>) => {
    if (Cause.hasInterruptsOnly(cause)) {
      report(record, clientClosed)
      return Effect.failCause(cause)
    }
    const failure = isRouteNotFound(cause) ? Effect.succeed(unmatched(url)) : failures.of(cause, record.id)
    return Effect.map(failure, (error) => finish(record, failureResponse(error, "general", record.id)))
  }

  return (handler: Handler): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const record = startRecord(request)
      metrics.started()
      const mounted = belowMount(mount, request)
      const url = mounted === undefined ? undefined : legible(mounted)
      const refused = refusal(request, url)
      if (url === undefined || refused !== undefined) {
        return Effect.succeed(finish(record, failureResponse(refused ?? new RouteNotFound(), "general", record.id)))
      }
      const named = Effect.provideService(handler, CurrentRequest, record)
      const below =
        url === request.url
          ? named
          : Effect.provideService(named, HttpServerRequest.HttpServerRequest, request.modify({ url }))
      return Effect.matchCauseEffect(below, {
        onSuccess: (response) => Effect.succeed(finish(record, response)),
        onFailure: (cause) => failed(record, url, cause)
      })
    })
})
