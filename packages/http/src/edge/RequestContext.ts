import { MethodNotAllowed, Misdirected, RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import type { ErrorFormatName } from "@agent-marketplace/api/access/Operation"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { trackingIdOf } from "@agent-marketplace/api/wire/RequestHeaders"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { MarketError } from "@agent-marketplace/core/errors/MarketError"
import { Cause, Context, Effect, Option, Stream } from "effect"
import type { Types } from "effect"
import { HttpBody, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { belowMount, Mount } from "../mount/Mount.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { RequestLog } from "../observability/RequestLog.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { LoadShedding, overloaded } from "../overload/LoadShedding.ts"
import { isOauthPath, wrongMethod } from "../oauth/wrongMethod.ts"
import { compressed } from "./Compression.ts"
import { makeCors, preflight } from "./Cors.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import type { RequestRecord } from "./CurrentRequest.ts"
import { failureResponse } from "./FailureResponse.ts"
import { Failures } from "./Failures.ts"
import { revalidated } from "./PublicResponse.ts"
import type { SheddableRoute } from "./RouteTable.ts"
import { requestIdOf } from "./RequestHeaders.ts"
import { InProcess } from "./InProcess.ts"
import type { Insider } from "./InProcess.ts"
import { legible } from "./RequestUrl.ts"
import { makeResponseHeaders } from "./ResponseHeaders.ts"
import { makeNamesService } from "./TrustedHost.ts"

type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled, CurrentRequest>

const unavailable = 503

/** The status that load balancers log for a client that disconnected before the response. */
const clientClosed = 499

const startRecord = (request: HttpServerRequest.HttpServerRequest): RequestRecord => {
  const id = requestIdOf(request.headers["x-request-id"])
  return {
    id,
    method: request.method,
    trackingId: trackingIdOf(request.headers["x-agent-id"]),
    startedAt: performance.now(),
    counted: false,
    route: "unmatched",
    caller: null,
    session: null,
    admin: false,
    operator: null,
    pastSoftLimit: false,
    identify: () => Effect.die("the request did not pass the guard"),
    delegated: false,
    respondedAt: null,
    takeBack: Effect.void,
    onFailure: Effect.void,
    headers: { "x-request-id": id }
  }
}

const withoutHost = new ValidationFailed({ issues: [{ path: "headers.host", message: "is required" }] })

/** Only for requests from a socket: those of a fetch handler carry their host in the URL. */
const lacksHost = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["host"] === undefined && (request.source as { readonly httpVersion?: string }).httpVersion === "1.1"

const isEventStream = ({ contentType }: HttpBody.Stream): boolean => contentType.startsWith("text/event-stream")

/** The router would treat the text after a `;` as a query. */
const hasMatrix = (url: string): boolean => {
  const at = url.indexOf(";")
  return at !== -1 && !url.slice(0, at).includes("?")
}

const refusal = (
  request: HttpServerRequest.HttpServerRequest,
  url: string | undefined,
  isAddressed: (request: HttpServerRequest.HttpServerRequest) => boolean
): ValidationFailed | RouteNotFound | Misdirected | undefined => {
  if (lacksHost(request)) return withoutHost
  if (!isAddressed(request)) return new Misdirected()
  return url === undefined || hasMatrix(url) ? new RouteNotFound() : undefined
}

const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

/** The error format of a request that no endpoint handles: that of the surface of its path (WIRE-3); an unknown path is on no surface. */
const errorFormatOf = (url: string | undefined, { _tag }: Failure): ErrorFormatName =>
  url !== undefined && _tag !== "RouteNotFound" && /^\/api\/(souls(?![^/?])|v1\/souls\/create\/?(?![^?]))/.test(url)
    ? "soul-list"
    : "general"

/**
 * Surrounds the router: every response carries `X-Request-Id` and is counted and logged, also where no route was found or a route failed
 * outside of its guard.
 */
export const makeRequestContext = Effect.fnUntraced(function* (
  allowedMethods: (url: string) => ReadonlyArray<string>,
  sheddable: (url: string) => SheddableRoute | undefined
) {
  const shedding = yield* LoadShedding
  const metrics = yield* HttpMetrics
  const log = yield* RequestLog
  const mount = yield* Mount
  const failures = yield* Failures
  const { allowedHosts = [], baseUrl, corsOrigins = "*", loopbackOnly = false } = yield* HttpOptions
  const corsOf = makeCors(corsOrigins)
  const protection = makeResponseHeaders(baseUrl)
  const isAddressed = loopbackOnly ? makeNamesService(baseUrl, allowedHosts, true) : () => true

  const count = (record: RequestRecord, status: number): void => {
    const respondedAt = record.respondedAt ?? performance.now()
    metrics.ended(record.method, record.route, status, (respondedAt - record.startedAt) / 1000)
    if (record.counted) shedding.depart(status !== unavailable && status !== clientClosed)
  }

  const writeLine = (record: RequestRecord, status: number): void => {
    log.write({
      requestId: record.id,
      method: record.method,
      route: record.route,
      status,
      durationMs: performance.now() - record.startedAt,
      keyId: record.caller?.keyId ?? null,
      operator: record.operator,
      trackingId: record.trackingId
    })
  }

  const report = (record: RequestRecord, status: number): void => {
    count(record, status)
    writeLine(record, status)
  }

  /** A stream counts when it starts, and is logged when it ends (LIVE-11). */
  const reportStream = (
    record: RequestRecord,
    response: HttpServerResponse.HttpServerResponse,
    body: HttpBody.Stream
  ) => {
    count(record, response.status)
    return HttpServerResponse.setBody(
      response,
      HttpBody.stream(
        Stream.ensuring(
          body.stream,
          Effect.sync(() => writeLine(record, response.status))
        ),
        body.contentType
      )
    )
  }

  /** Completes a response: headers, 304 if the client has it cached, compression. */
  const finish = (
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord,
    response: HttpServerResponse.HttpServerResponse
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const complete = revalidated(
      request,
      HttpServerResponse.setHeaders(response, { ...corsOf(request), ...protection(response), ...record.headers })
    )
    if (complete.body._tag === "Stream" && isEventStream(complete.body) && request.method !== "HEAD") {
      return Effect.succeed(reportStream(record, complete, complete.body))
    }
    report(record, complete.status)
    return compressed(request, complete)
  }

  const unmatched = (url: string): MarketError | HttpFault => {
    const allow = allowedMethods(url)
    return allow.length > 0 ? new MethodNotAllowed({ allow }) : new RouteNotFound()
  }

  const failed = (
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord,
    url: string,
    cause: Cause.Cause<Types.unhandled>
  ) => {
    if (Cause.hasInterruptsOnly(cause)) {
      report(record, clientClosed)
      return Effect.failCause(cause)
    }
    const failure = isRouteNotFound(cause) ? Effect.succeed(unmatched(url)) : failures.of(cause, record.id)
    return Effect.flatMap(failure, (error) =>
      finish(
        request,
        record,
        error._tag === "MethodNotAllowed" && isOauthPath(url)
          ? wrongMethod(error)
          : failureResponse(error, errorFormatOf(url, error), record.id)
      )
    )
  }

  /** The handler's response, unless the request is a read that is refused before its caller is known (LOAD-4). */
  const handled = (
    handler: Handler,
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord,
    url: string,
    insider: Insider | null
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> => {
    // Others may have bodies that arrive slowly, or are never refused. Those that need room are counted when they are admitted.
    const route = request.method === "GET" && insider === null ? sheddable(url) : undefined
    if (route !== undefined) {
      record.counted = true
      shedding.arrive()
      if (shedding.shouldRefuseRead()) {
        record.route = route.path
        return Effect.as(shedding.refuseRead, failureResponse(overloaded, route.errorFormat, record.id))
      }
    }
    const named = Effect.provideService(handler, CurrentRequest, record)
    return url === request.url
      ? named
      : Effect.provideService(named, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  }

  return (handler: Handler): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const record = startRecord(request)
      metrics.started()
      const mounted = belowMount(mount, request)
      const url = mounted === undefined ? undefined : legible(mounted)
      const refused = refusal(request, url, isAddressed)
      if (url === undefined || refused !== undefined) {
        const error = refused ?? new RouteNotFound()
        return finish(request, record, failureResponse(error, errorFormatOf(url, error), record.id))
      }
      const methods = request.method === "OPTIONS" ? allowedMethods(url) : []
      if (methods.length > 0) return finish(request, record, preflight(methods, corsOf(request)))
      const below = handled(handler, request, record, url, Context.get(fiber.context, InProcess))
      return Effect.matchCauseEffect(below, {
        onSuccess: (response) => finish(request, record, response),
        onFailure: (cause) => failed(request, record, url, cause)
      })
    })
})
