import type { Marketplace } from "@agent-marketplace/client"
import { Deferred, Effect, Exit, Scope } from "effect"
import { McpEndpoint } from "./McpEndpoint.ts"
import { JsonRpc } from "./protocol/JsonRpc.ts"

export interface McpHandlerOptions {
  /** The market of whoever's key a request carries. Its calls are refused where the key does not count. */
  readonly connect: (apiKey: string) => Marketplace
  /** Where pages may call from, `https://market.example.com`; none by default. What is no browser may always call. */
  readonly origins?: ReadonlyArray<string> | undefined
}

/** The MCP server as a fetch handler, for a market that is mounted in a program of yours. */
export interface McpHandler {
  /** Answers one request; its path is not looked at. Where the request is aborted it rejects with its signal's reason. */
  readonly fetch: (request: Request) => Promise<Response>
  /** What is under way, and all that comes later, is answered with 503. */
  readonly close: () => Promise<void>
}

const closedAnswer = (): Response => Response.json(JsonRpc.invalid(null, "The MCP server is closed"), { status: 503 })

export const mcpHandler = ({ connect, origins = [] }: McpHandlerOptions): McpHandler => {
  const scope = Scope.makeUnsafe()
  const over = Deferred.makeUnsafe<void>()
  const closed = Effect.map(Deferred.await(over), closedAnswer)
  const endpoint = Effect.runPromise(Scope.provide(McpEndpoint.make({ origins }), scope))
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
