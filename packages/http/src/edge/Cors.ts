import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

/** The origins whose pages may read responses: all, the listed ones, or none (CORS-2). */
export type CorsOrigins = "*" | "none" | ReadonlyArray<string>

/** All that the client library sends from a page (CORS-3, CORS-5). */
const allowedHeaders =
  "Authorization, Content-Type, Idempotency-Key, x-api-key, X-Agent-Id, Last-Event-ID, X-Market-Position"

/** The response headers that pages of other origins may read (CORS-4). */
const exposedHeaders =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed, ETag, WWW-Authenticate, X-Market-Position"

type Headers = Readonly<Record<string, string>>

const nothing: Headers = {}

const open: Headers = { "access-control-allow-origin": "*", "access-control-expose-headers": exposedHeaders }

/** The CORS headers of a response. Credentials are never allowed: keys are sent explicitly, and a cookie works on its own origin alone (CORS-1). */
export const makeCors = (origins: CorsOrigins): ((request: HttpServerRequest.HttpServerRequest) => Headers) => {
  if (origins === "none") return () => nothing
  if (origins === "*") return () => open
  const known = new Set(origins)
  return ({ headers: { origin } }) =>
    origin !== undefined && known.has(origin)
      ? { ...open, "access-control-allow-origin": origin, vary: "Origin" }
      : { vary: "Origin" }
}

/** The answer to `OPTIONS` on a path with these methods (CORS-3). */
export const preflight = (methods: ReadonlyArray<string>, cors: Headers): HttpServerResponse.HttpServerResponse => {
  const allow = methods.join(", ")
  const allowed =
    cors["access-control-allow-origin"] === undefined
      ? {}
      : {
          "access-control-allow-methods": allow,
          "access-control-allow-headers": allowedHeaders,
          "access-control-max-age": "86400"
        }
  return HttpServerResponse.empty({ status: 204, headers: { allow, ...allowed } })
}
