import { access } from "@agent-marketplace/api/access/Access"
import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { operation } from "@agent-marketplace/api/access/Operation"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import { currentRequest } from "@agent-marketplace/http/edge/CurrentRequest"
import { EndpointGuard } from "@agent-marketplace/http/edge/EndpointGuard"
import { handlerGroup } from "@agent-marketplace/http/edge/RequestServices"
import { makeOwnRoutes } from "@agent-marketplace/http/mount/OwnRoutes"
import { Effect, Layer, Schema, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { OpenApiDocument } from "./JsonSchema.ts"
import type { PlainResult } from "./makeGraphql.ts"

const path = "/graphql"

/** Passes the endpoint guard as every operation does. The OpenAPI document omits it, because the GraphQL schema documents it. */
const GraphqlApi = HttpApi.make("graphql")
  .add(
    HttpApiGroup.make("graphql").add(
      HttpApiEndpoint.post("execute", path, { payload: Schema.Unknown, success: Schema.Unknown }).annotateMerge(
        operation({
          summary: "Execute a GraphQL request",
          description: "Each field has the permissions and the limits of the operation that it calls.",
          access: access.public,
          // The operations that it calls are counted themselves.
          priority: "exempt",
          limit: limits.graphql,
          unmetered: true,
          largeBody: true
        })
      )
    )
  )
  .middleware(EndpointGuard)

/** Loaded with the first request, so that a server without GraphQL callers does not load it. */
const load = () => import("./makeGraphql.ts")

/** The stream of a subscription. `end` runs before the body is cancelled, which may wait for the next event. */
const streamOf = (response: Response, end: Effect.Effect<void>): HttpServerResponse.HttpServerResponse => {
  const sent = HttpServerResponse.fromWeb(response)
  return sent.body._tag === "Stream"
    ? HttpServerResponse.setBody(
        sent,
        HttpBody.stream(Stream.ensuring(sent.body.stream, end), sent.body.contentType, sent.body.contentLength)
      )
    : sent
}

/** A result is sent as a whole; only subscriptions are streams, which cost much more. */
const sentOf = (
  response: Response | PlainResult,
  end: Effect.Effect<void>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if ("result" in response)
    return Effect.succeed(HttpServerResponse.uint8Array(response.result, { contentType: response.contentType }))
  const contentType = response.headers.get("content-type") ?? "application/json"
  if (contentType.startsWith("text/event-stream")) return Effect.succeed(streamOf(response, end))
  // The standard class has the names of headers in lower case.
  const headers = new Headers(response.headers)
  headers.delete("content-length")
  return Effect.map(
    Effect.promise(() => response.text()),
    (text) => HttpServerResponse.text(text, { status: response.status, headers: [...headers], contentType })
  )
}

const handlers = handlerGroup(
  GraphqlApi,
  "graphql",
  Effect.fnUntraced(function* (group) {
    const catalogue = yield* Catalogue
    const ownRoutes = yield* makeOwnRoutes
    const services = yield* Effect.context<never>()
    const run = Effect.runPromiseWith(services)
    const open = async () => {
      const { makeGraphql } = await load()
      return makeGraphql({
        document: OpenApi.fromApi(MarketApi) as unknown as OpenApiDocument,
        catalogue,
        run,
        onFault: (error, requestId) =>
          void run(Effect.annotateLogs(Effect.logError("A GraphQL request failed", error), { requestId }))
      })
    }
    let opened: ReturnType<typeof open> | undefined
    return group.handleRaw(
      "execute",
      Effect.fnUntraced(function* ({ request }) {
        const execute = yield* Effect.promise(() => (opened ??= open()))
        const { id } = yield* currentRequest
        const own = yield* ownRoutes(request)
        const body = yield* Effect.orDie(request.text)
        const { accept = "application/json" } = request.headers
        const ending = new AbortController()
        const end = Effect.sync(() => ending.abort())
        // Ends the streams also if the request fails or its response is not a stream.
        yield* Effect.addFinalizer(() => end)
        const { signal } = ending
        return yield* sentOf(yield* Effect.promise(() => execute({ accept, body, own, requestId: id, signal })), end)
      })
    )
  })
)

/** GraphQL at `/graphql` (GRAPHQL-1). */
export const GraphqlRoute = {
  routes: [{ method: "POST", path }],
  layer: HttpApiBuilder.layer(GraphqlApi).pipe(Layer.provide(handlers), Layer.provide(EndpointGuard.layer))
}
