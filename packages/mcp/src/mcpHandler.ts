import type { Marketplace } from "@agent-marketplace/client"
import { Deferred, Effect, Exit, Scope } from "effect"
import { McpEndpoint } from "./McpEndpoint.ts"
import { JsonRpc } from "./protocol/JsonRpc.ts"

export interface McpHandlerOptions {
  /** Creates the client for a request's key. If the key is invalid, the market refuses its calls. */
  readonly connect: (apiKey: string) => Marketplace
  /** Origins whose pages may call, such as `https://market.example.com`; none by default. Other programs may always call. */
  readonly origins?: ReadonlyArray<string> | undefined
  /**
   * The market's address for people, such as `https://market.example.com`. Purchases that wait then come with a link to the page of their approval.
   * Omit it if your own users decide on your own pages.
   */
  readonly baseUrl?: string | undefined
}

/** The MCP server as a fetch handler, for a market embedded in your own program. */
export interface McpHandler {
  /** Responds to a request, whatever its path. Rejects with the signal's reason if the request is aborted. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Requests in progress and later ones get 503. */
  readonly close: () => Promise<void>
}

const closedResponse = (): Response => Response.json(JsonRpc.invalid(null, "The MCP server is closed"), { status: 503 })

export const mcpHandler = ({ baseUrl, connect, origins = [] }: McpHandlerOptions): McpHandler => {
  const scope = Scope.makeUnsafe()
  const over = Deferred.makeUnsafe<void>()
  const closed = Effect.map(Deferred.await(over), closedResponse)
  const endpoint = Effect.runPromise(Scope.provide(McpEndpoint.make({ origins, baseUrl }), scope))
  return {
    fetch: async (request) => {
      const { answer } = await endpoint
      const { signal } = request
      return Effect.runPromise(Effect.raceFirst(closed, answer(request, connect)), { signal }).catch(
        (cause: unknown) => {
          signal.throwIfAborted()
          throw cause
        }
      )
    },
    close: () => {
      Deferred.doneUnsafe(over, Exit.void)
      return Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
