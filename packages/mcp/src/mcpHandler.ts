import type { Marketplace } from "@agent-marketplace/client"
import { Effect, Exit, Scope } from "effect"
import { McpEndpoint } from "./McpEndpoint.ts"

export interface McpHandlerOptions {
  /** The market of whoever's key a request carries. Its calls are refused where the key does not count. */
  readonly connect: (apiKey: string) => Marketplace
  /** Where pages may call from, `https://market.example.com`; none by default. What is no browser may always call. */
  readonly origins?: ReadonlyArray<string> | undefined
}

/** The MCP server as a fetch handler, for a market that is mounted in a program of yours. */
export interface McpHandler {
  /** Answers one request; its path is not looked at. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

export const mcpHandler = ({ connect, origins = [] }: McpHandlerOptions): McpHandler => {
  const scope = Scope.makeUnsafe()
  const endpoint = Effect.runPromise(Scope.provide(McpEndpoint.make({ origins }), scope))
  return {
    fetch: async (request) => {
      const { answer } = await endpoint
      return Effect.runPromise(answer(request, connect), { signal: request.signal })
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
