import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { hash } from "node:crypto"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { Mount } from "../mount/Mount.ts"
import { describedApi } from "../ServedApi.ts"

const path = "/docs"

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/**
 * Runs the scripts in the page and no others, and calls this service alone (HEADER-6). The page brings its own styles, which stand inline
 * without a hash.
 */
const policyOf = (page: string): string => {
  const hashes = [...page.matchAll(scripts)].map(([, , code = ""]) => `'sha256-${hash("sha256", code, "base64")}'`)
  return [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** The page changes with a release only. */
const cacheable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  return HttpServerResponse.setHeaders(response, {
    etag: entityTag(body.body),
    "cache-control": "public, max-age=300",
    "content-security-policy": policyOf(new TextDecoder().decode(body.body))
  })
}

/** The API's interactive page. Its script has some megabytes, so it is loaded with the first request for the page. */
export const DocsRoute = {
  route: { method: "GET", path },
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const scope = yield* Effect.scope
      const described = describedApi(yield* Mount)
      const page = yield* Effect.cached(
        Effect.gen(function* () {
          const own = yield* HttpRouter.make
          const scalar = HttpApiScalar.layer(described, { path, scalar: { withDefaultFonts: false } })
          yield* Layer.buildWithScope(Layer.provide(scalar, Layer.succeed(HttpRouter.HttpRouter, own)), scope)
          // @effect-diagnostics-next-line anyUnknownInErrorContext:off
          return { answer: yield* Effect.cached(Effect.map(Effect.orDie(own.asHttpEffect()), cacheable)) }
        })
      )
      const named = Effect.flatMap(currentRequest, (record) => {
        record.route = path
        return Effect.flatMap(page, ({ answer }) => answer)
      })
      yield* router.add("GET", path, named)
    })
  )
} as const
