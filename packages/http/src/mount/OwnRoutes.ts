import { Context, Effect, Option } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { PeerAddress } from "../edge/ClientAddress.ts"
import { isPositionCookie, positionHeader } from "../edge/ReadPositions.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"

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

/**
 * The market's own routes, called in process on behalf of a request: with its credentials, its address and its request id. Each call passes
 * the endpoint guard, so that permissions, limits and validation are those of a direct call.
 */
export const makeOwnRoutes = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const services = yield* Effect.context<never>()
  const within = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(services)
  let routes: ReturnType<typeof HttpEffect.toWebHandler> | undefined
  return Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    /** The context of the calls besides the request. */
    more: Context.Context<never> = Context.empty()
  ): Effect.fn.Return<OwnFetch> {
    const record = yield* currentRequest
    record.delegated = true
    // The routes are complete only when the first request arrives.
    // @effect-diagnostics-next-line anyUnknownInErrorContext:off
    const handler = (routes ??= within(router.asHttpEffect()))
    const from = Context.make(
      PeerAddress,
      Option.getOrElse(request.remoteAddress, () => "unknown")
    ).pipe(Context.merge(more))
    return async (url, init) => {
      const inner = new Request(url, init)
      for (const [name, value] of callerHeaders(request)) if (!inner.headers.has(name)) inner.headers.set(name, value)
      inner.headers.set("x-request-id", record.id)
      const response = await handler(inner, from)
      const position = response.headers.get(positionHeader)
      if (position !== null) record.headers[positionHeader] = position
      const cookie = response.headers.getSetCookie().find(isPositionCookie)
      if (cookie !== undefined) record.headers["set-cookie"] = cookie
      return response
    }
  })
})
