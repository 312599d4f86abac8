import { access } from "@agent-marketplace/api/access/Access"
import { operation } from "@agent-marketplace/api/access/Operation"
import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { MethodNotAllowed } from "@agent-marketplace/api/errors/HttpFault"
import { EndpointGuard } from "@agent-marketplace/http/edge/EndpointGuard"
import { makeOwnRoutes } from "@agent-marketplace/http/mount/OwnRoutes"
import { WithinMcp } from "@agent-marketplace/http/oauth/Challenge"
import { Context, Effect, Layer, Schema, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const path = "/mcp"

/** Behind the same guard as every operation: the same keys, envelopes, body limits and log. Not part of the market's OpenAPI document. */
const McpApi = HttpApi.make("mcp")
  .add(
    HttpApiGroup.make("mcp").add(
      HttpApiEndpoint.post("message", path, { payload: Schema.Unknown, success: Schema.Unknown }).annotateMerge(
        operation({
          summary: "Send a message to the MCP server",
          description: "JSON-RPC of the streamable HTTP transport.",
          access: access.anyKey,
          limit: limits.mcp,
          largeBody: true
        })
      )
    )
  )
  .middleware(EndpointGuard)

/** Loaded with the first message, so that a server without agents does not load it. */
const load = async (baseUrl: string) => {
  const [{ McpEndpoint }, { Marketplace }] = await Promise.all([
    import("@agent-marketplace/mcp/McpEndpoint"),
    import("@agent-marketplace/client")
  ])
  return { make: McpEndpoint.make({ origins: [new URL(baseUrl).origin], baseUrl }), Marketplace }
}

const handlers = (baseUrl: string) =>
  HttpApiBuilder.group(
    McpApi,
    "mcp",
    Effect.fnUntraced(function* (group) {
      const ownRoutes = yield* makeOwnRoutes
      const services = yield* Effect.context<never>()
      const scope = yield* Effect.scope
      const open = async () => {
        const { make, Marketplace } = await load(baseUrl)
        return { ...(await Effect.runPromiseWith(services)(Scope.provide(make, scope))), Marketplace }
      }
      let opened: ReturnType<typeof open> | undefined
      return group.handleRaw(
        "message",
        Effect.fnUntraced(function* ({ request }) {
          const { answer, Marketplace } = yield* Effect.promise(() => (opened ??= open()))
          // Tokens for the MCP server are accepted by the calls that it makes (OAUTH-8).
          const fetch = yield* ownRoutes(request, Context.make(WithinMcp, true))
          const body = yield* Effect.orDie(request.text)
          const message = new Request(`http://market${path}`, { method: "POST", headers: request.headers, body })
          const response = yield* answer(
            message,
            (apiKey) => new Marketplace({ apiKey, baseUrl: "http://market", fetch, maxRetries: 0 })
          )
          const headers = Object.fromEntries(response.headers)
          return HttpServerResponse.text(yield* Effect.promise(() => response.text()), {
            status: response.status,
            headers
          })
        })
      )
    })
  )

/** The endpoint has no stream to read and no session to delete. */
const otherMethods = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)
      yield* router.add(method, path, Effect.fail(new MethodNotAllowed({ allow: ["POST"] })))
  })
)

export const McpRoute = {
  /** The MCP server over HTTP at `/mcp`. Pages of this address may call it, and so may all programs that are not browsers. */
  layer: (baseUrl: string) =>
    Layer.merge(
      HttpApiBuilder.layer(McpApi).pipe(Layer.provide(handlers(baseUrl)), Layer.provide(EndpointGuard.layer)),
      otherMethods
    )
}
