import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { credentialOf } from "../edge/Credential.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { failureResponse } from "../edge/FailureResponse.ts"
import type { Route } from "../edge/RouteTable.ts"
import { matches } from "../edge/Secret.ts"
import { HttpMetrics } from "../observability/HttpMetrics.ts"
import { Readiness } from "../observability/Readiness.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { MarketApi } from "../ServedApi.ts"

const paths = {
  health: "/healthz",
  ready: "/readyz",
  metrics: "/metrics",
  openapi: "/openapi.json",
  docs: "/docs"
} as const

type Handler<E = never, R = never> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Counted and logged under the path's own name. */
const named = <E, R>(path: string, handler: Handler<E, R>): Handler<E, R> =>
  Effect.flatMap(currentRequest, (record) => {
    record.route = path
    return handler
  })

const json = (body: unknown, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })

const health = HttpServerResponse.jsonUnsafe({ status: "ok" })

const prometheus = "text/plain; version=0.0.4; charset=utf-8"

const add = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const metrics = yield* HttpMetrics
  const readiness = yield* Readiness
  const { metricsToken } = yield* HttpOptions
  const mayScrape = matches(metricsToken)
  const scope = yield* Effect.scope

  const scraped = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const credential = credentialOf(request, false)
    const allowed = metricsToken === null || (credential._tag === "Token" && mayScrape(credential.token))
    if (allowed) return HttpServerResponse.text(yield* metrics.text, { contentType: prometheus })
    const reason = credential._tag === "Missing" ? "missing" : "invalid"
    return failureResponse(new InvalidApiKey({ reason }), "general", (yield* currentRequest).id)
  })
  const ready = Effect.map(readiness.state, (status) => json({ status }, status === "ready" ? 200 : 503))
  const document = yield* Effect.cached(Effect.sync(() => json(OpenApi.fromApi(MarketApi))))
  // The page's script is some megabytes: it is loaded when somebody first opens the page.
  const docs = yield* Effect.cached(
    Effect.provideService(
      HttpRouter.toHttpEffect(HttpApiScalar.layer(MarketApi, { path: paths.docs })),
      Scope.Scope,
      scope
    )
  )

  yield* router.add("GET", paths.health, named(paths.health, Effect.succeed(health)))
  yield* router.add("GET", paths.ready, named(paths.ready, ready))
  yield* router.add(
    "GET",
    paths.metrics,
    named(paths.metrics, Effect.flatMap(HttpServerRequest.HttpServerRequest, scraped))
  )
  yield* router.add("GET", paths.openapi, named(paths.openapi, document))
  yield* router.add("GET", paths.docs, named(paths.docs, Effect.orDie(Effect.flatten(docs))))
})

/** What answers without a key (contract 7); metrics ask for their own token where one is set. */
export const PublicRoutes = {
  layer: Layer.effectDiscard(add),
  routes: Object.values(paths).map((path): Route => ({ method: "GET", path }))
}
