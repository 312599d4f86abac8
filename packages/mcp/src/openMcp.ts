import { Marketplace } from "@agent-marketplace/client"
import { Effect } from "effect"
import { McpEndpoint } from "./McpEndpoint.ts"

/**
 * The MCP server of a market in the same process: answers one message, with the operations of the market that `fetch` calls in process.
 * Pages of the market's own origin may call it. Without `pages` purchases that wait come without a link to a page.
 */
export const openMcp = ({ baseUrl, pages }: { readonly baseUrl: string; readonly pages: boolean }) =>
  Effect.map(
    McpEndpoint.make({ origins: [new URL(baseUrl).origin], baseUrl: pages ? baseUrl : undefined }),
    ({ answer }) =>
      (message: Request, fetch: typeof globalThis.fetch) =>
        answer(message, (apiKey) => new Marketplace({ apiKey, baseUrl: "http://market", fetch, maxRetries: 0 }))
  )
