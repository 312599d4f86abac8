import { Cause, Context, Effect, Exit, Option } from "effect"
import type { Scope } from "effect"
import {
  Headers,
  HttpBody,
  HttpClientRequest,
  HttpEffect,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse,
  UrlParams
} from "effect/http"
import { PeerAddress } from "../edge/ClientAddress.ts"
import { isPositionCookie, positionHeader } from "../edge/ReadPositions.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { forRequests } from "../edge/RequestServices.ts"

/** Headers of a request that describe its body or its connection. Calls made on its behalf have their own. */
const ofTheMessage = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "transfer-encoding",
  "upgrade"
])

/** The headers of a request that contain its credentials and its origin. */
const callerHeaders = ({ headers }: HttpServerRequest.HttpServerRequest): ReadonlyArray<[string, string]> =>
  Object.entries(headers).filter(([name]) => !ofTheMessage.has(name))

/** Calls the market's own routes in process. */
export type OwnFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** One call of an own route whose response is a text. */
export interface OwnCall {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string | undefined
}

/** Calls the market's own routes without creating a `Request` and a `Response`, which cost as much as a short read. */
export type CallOwn = (call: OwnCall) => Promise<{ readonly status: number; readonly text: string }>

/** A request without a socket. */
const requestOf = ({ body, method, url }: OwnCall, headers: Headers.Headers): HttpServerRequest.HttpServerRequest =>
  HttpServerRequest.fromClientRequest(
    HttpClientRequest.makeWith(
      method,
      url,
      UrlParams.empty,
      Option.none(),
      headers,
      body === undefined ? HttpBody.empty : HttpBody.text(body, "application/json")
    )
  )

type Needed = HttpServerRequest.HttpServerRequest | Scope.Scope

type OnResponse = (response: HttpServerResponse.HttpServerResponse) => void

const decoder = new TextDecoder()

/** Opens the routes, which are complete only when the first request arrives. */
const openRoutes = (router: HttpRouter.HttpRouter, services: Context.Context<never>) => {
  type Routes = Effect.Effect<HttpServerResponse.HttpServerResponse, never, Needed>
  // The request context turns every failure into a response.
  // @effect-diagnostics-next-line anyUnknownInErrorContext:off
  const routes = router.asHttpEffect() as Routes
  const waiting = new WeakMap<HttpServerRequest.HttpServerRequest, OnResponse>()
  const handled = HttpEffect.toHandled(routes, (request, response) => {
    const isStream = response.body._tag !== "Empty" && response.body._tag !== "Uint8Array"
    waiting.get(request)?.(isStream ? HttpEffect.scopeTransferToStream(response) : response)
    return Effect.void
  })
  return {
    fetch: HttpEffect.toWebHandlerWith<never, Needed>(services)(routes),
    answer: (request: HttpServerRequest.HttpServerRequest, context: Context.Context<never>) =>
      new Promise<HttpServerResponse.HttpServerResponse>((resolve, reject) => {
        waiting.set(request, resolve)
        const fiber = Effect.runForkWith(Context.add(context, HttpServerRequest.HttpServerRequest, request))(handled)
        // A failure usually has its response already.
        fiber.addObserver((exit) => {
          if (Exit.isFailure(exit)) reject(Cause.squash(exit.cause))
        })
      }),
    textOf: (response: HttpServerResponse.HttpServerResponse): string | Promise<string> => {
      const { body } = response
      if (body._tag === "Uint8Array") return body.text ?? decoder.decode(body.body)
      return HttpServerResponse.toWeb(response, { context: services }).text()
    }
  }
}

/** Calls the market's own routes in process, on behalf of one request. */
export interface OwnRoutes {
  readonly fetch: OwnFetch
  readonly call: CallOwn
}

/**
 * The market's own routes, called in process on behalf of a request: with its credentials, its address and its request id. Each call passes
 * the endpoint guard, so that permissions, limits and validation are those of a direct call.
 */
export const makeOwnRoutes = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const services = forRequests(yield* Effect.context<never>())
  let opened: ReturnType<typeof openRoutes> | undefined
  return Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    /** The context of the calls besides the request. */
    more: Context.Context<never> = Context.empty()
  ): Effect.fn.Return<OwnRoutes> {
    const record = yield* currentRequest
    record.delegated = true
    const { answer, fetch, textOf } = (opened ??= openRoutes(router, services))
    const address = Option.getOrElse(request.remoteAddress, () => "unknown")
    const context = Context.add(Context.merge(services, more), PeerAddress, address)
    const caller = callerHeaders(request)

    /** Copies the position of a write from the response of a call to that of the request (DATABASE-9). */
    const copyPosition = (position: string | null | undefined, cookies: ReadonlyArray<string>): void => {
      if (typeof position === "string") record.headers[positionHeader] = position
      const cookie = cookies.find(isPositionCookie)
      if (cookie !== undefined) record.headers["set-cookie"] = cookie
    }

    return {
      fetch: async (url, init) => {
        const inner = new Request(url, init)
        for (const [name, value] of caller) if (!inner.headers.has(name)) inner.headers.set(name, value)
        inner.headers.set("x-request-id", record.id)
        const response = await fetch(inner, Context.add(more, PeerAddress, address))
        copyPosition(response.headers.get(positionHeader), response.headers.getSetCookie())
        return response
      },
      call: async (call) => {
        const headers = Object.fromEntries(caller)
        if (call.body !== undefined) headers["content-type"] = "application/json"
        Object.assign(headers, call.headers)
        headers["x-request-id"] = record.id
        const response = await answer(requestOf(call, Headers.fromRecordUnsafe(headers)), context)
        const cookie = response.headers["set-cookie"]
        copyPosition(response.headers[positionHeader], cookie === undefined ? [] : [cookie])
        return { status: response.status, text: await textOf(response) }
      }
    }
  })
})
