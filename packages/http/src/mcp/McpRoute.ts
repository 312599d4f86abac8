import { access } from "@agent-marketplace/api/access/Access"
import { operation } from "@agent-marketplace/api/access/Operation"
import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Context, Effect, Layer, Schema, Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { EndpointGuard } from "../edge/EndpointGuard.ts"
import { handlerGroup } from "../edge/RequestServices.ts"
import { makeOwnRoutes } from "../mount/OwnRoutes.ts"
import type { OwnFetch } from "../mount/OwnRoutes.ts"
import { WithinMcp } from "../oauth/Challenge.ts"

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
          // The operations that it calls are counted themselves.
          priority: "exempt",
          limit: limits.mcp,
          largeBody: true
        })
      )
    )
  )
  .middleware(EndpointGuard)

/** Answers one message with the operations that `fetch` calls. */
type AnswerMessage = (message: Request, fetch: OwnFetch) => Effect.Effect<Response>

/** The module of the MCP server. It is loaded with the first message, so that a market without agents does not load it. */
export interface McpModule {
  /** `baseUrl` is the market's address for people. Without `pages` purchases that wait come without a link. */
  readonly openMcp: (options: {
    readonly baseUrl: string
    readonly pages: boolean
  }) => Effect.Effect<AnswerMessage, never, Scope.Scope>
}

const handlers = (baseUrl: string, load: () => Promise<McpModule>) =>
  handlerGroup(
    McpApi,
    "mcp",
    Effect.fnUntraced(function* (group) {
      const ownRoutes = yield* makeOwnRoutes
      // A host's own users decide on the host's pages.
      const pages = (yield* HostUsers) === null
      const services = yield* Effect.context<never>()
      const scope = yield* Effect.scope
      const open = async () => {
        const { openMcp } = await load()
        return Effect.runPromiseWith(services)(Scope.provide(openMcp({ baseUrl, pages }), scope))
      }
      let opened: ReturnType<typeof open> | undefined
      return group.handleRaw(
        "message",
        Effect.fnUntraced(function* ({ request }) {
          const answer = yield* Effect.promise(() => (opened ??= open()))
          // Tokens for the MCP server are accepted by the calls that it makes (OAUTH-8).
          const { fetch } = yield* ownRoutes(request, Context.make(WithinMcp, true))
          const body = yield* Effect.orDie(request.text)
          const message = new Request(`http://market${path}`, { method: "POST", headers: request.headers, body })
          const response = yield* answer(message, fetch)
          const headers = Object.fromEntries(response.headers)
          return HttpServerResponse.text(yield* Effect.promise(() => response.text()), {
            status: response.status,
            headers
          })
        })
      )
    })
  )

export const McpRoute = {
  routes: [{ method: "POST", path }],
  /** The MCP server over HTTP at `/mcp`. Pages of this address may call it, and so may all programs that are not browsers (MCP-14). */
  layer: (baseUrl: string, load: () => Promise<McpModule>) =>
    HttpApiBuilder.layer(McpApi).pipe(Layer.provide(handlers(baseUrl, load)), Layer.provide(EndpointGuard.layer))
}
