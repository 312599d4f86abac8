import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { scopeFor } from "@agent-marketplace/core/oauth/OauthScope"
import { Context } from "effect"
import { resourceMetadataUrl } from "./OauthMetadata.ts"

/** The path of the MCP server, a resource of its own. */
export const mcpPath = "/mcp"

/** Marks requests that the MCP server makes for its callers, whose tokens for the MCP server are accepted (OAUTH-8). A client cannot set it. */
export const WithinMcp = Context.Reference<boolean>("@agent-marketplace/http/oauth/WithinMcp", {
  defaultValue: () => false
})

const bearer = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`]
  )
  return `Bearer ${given.join(", ")}`
}

/**
 * The header `WWW-Authenticate` of a refusal (RFC 6750, RFC 9728, OAUTH-2): the URL of the metadata that describes how to get a token, and the scope that a
 * token would need.
 */
export const makeChallenge =
  (issuer: string) =>
  (failure: Failure, route: string): string | undefined => {
    const metadata = { resource_metadata: resourceMetadataUrl(issuer, route) }
    if (failure._tag === "InvalidApiKey") {
      return bearer({ error: failure.reason === "invalid" ? "invalid_token" : undefined, ...metadata })
    }
    if (failure._tag !== "Forbidden") return undefined
    const scope = scopeFor(failure.required)
    return scope === undefined ? undefined : bearer({ error: "insufficient_scope", scope, ...metadata })
  }
