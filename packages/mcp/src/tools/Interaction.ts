import type { McpSchema } from "effect/ai"

/** What a tool knows of the request besides its arguments. */
export interface Interaction {
  /** The market's address for people; undefined where the market has no pages for them. */
  readonly baseUrl?: string | undefined
  /** Whether the client opens addresses for its user when a result requires input (MCP-12). */
  readonly opensUrls: boolean
  /** What the client returns from an earlier result that required input. The client may have changed it. */
  readonly requestState?: string | undefined
  readonly inputResponses?: Readonly<Record<string, McpSchema.McpInputResponse>> | undefined
}

/** The first revision with results that require input. */
const firstRevision = "2026-07-28"

type Context = McpSchema.McpRequestContext["Service"]

export const Interaction = {
  none: { opensUrls: false } satisfies Interaction as Interaction,
  of: (context: Context, baseUrl: string | undefined): Interaction => ({
    baseUrl,
    // Revisions are dates, so text order is their order.
    opensUrls: context.protocolVersion >= firstRevision && context.clientCapabilities.elicitation?.url !== undefined,
    requestState: context.requestState,
    inputResponses: context.inputResponses
  })
} as const
