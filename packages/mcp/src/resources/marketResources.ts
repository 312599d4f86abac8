import type { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Effect } from "effect"
import { McpSchema } from "effect/ai"
import { notice } from "../tools/MarketTool.ts"

/** A template of resources as the MCP server registers it. */
export interface MarketResource {
  readonly template: McpSchema.ResourceTemplate
  /** The template in the syntax of the server's router, whose parameters are numbered. */
  readonly routerPath: string
  readonly read: (
    market: Marketplace,
    uri: string,
    id: string
  ) => Effect.Effect<McpSchema.ReadResourceResult, McpSchema.InvalidParams | McpSchema.InternalError>
}

/** A resource that does not exist is an invalid parameter; any other failure says why, without internals. */
const failureOf = (error: unknown): McpSchema.InvalidParams | McpSchema.InternalError => {
  if (!(error instanceof MarketplaceError))
    return new McpSchema.InternalError({ message: "The resource cannot be read" })
  const { message, statusCode } = error
  return statusCode === 404
    ? new McpSchema.InvalidParams({ message: "There is no such resource" })
    : new McpSchema.InternalError({ message })
}

/** The JSON of a record of the market, with the notice that its texts are data (MCP-10). */
const resource = (
  kind: string,
  names: { readonly name: string; readonly title: string; readonly description: string },
  get: (market: Marketplace, id: string, signal: AbortSignal) => Promise<object>
): MarketResource => ({
  template: McpSchema.ResourceTemplate.make({
    uriTemplate: `market://${kind}/{id}`,
    mimeType: "application/json",
    ...names
  }),
  routerPath: `market:://${kind}/:0`,
  read: (market, uri, id) =>
    Effect.tryPromise({ try: (signal) => get(market, id, signal), catch: failureOf }).pipe(
      Effect.map((record) => ({
        contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ notice, ...record }) }]
      }))
    )
})

/** Items and purchases as resources, which people attach to a conversation (MCP-10). */
export const marketResources: ReadonlyArray<MarketResource> = [
  resource(
    "listings",
    { name: "listing", title: "Listing", description: "A skill on sale, by its id (lst_…) or slug." },
    (market, id, signal) => market.skills.get(id, { signal })
  ),
  resource(
    "souls",
    { name: "soul", title: "SOUL", description: "A SOUL with its text, by its slug." },
    async (market, slug, signal) => (await market.souls.get(slug, { signal })).soul
  ),
  resource(
    "purchases",
    {
      name: "purchase",
      title: "Purchase",
      description: "A purchase of the account with its license, by its id (pur_…)."
    },
    (market, id, signal) => market.purchases.get(id, { signal })
  )
]
