import type { JsonRpcMessage } from "./JsonRpc.ts"

type Request = Extract<JsonRpcMessage, { readonly _tag: "Request" }>

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** The revision that a request states in its metadata, as every request does since 2026-07-28; undefined for requests of older revisions. */
export const revisionOf = (params: unknown): string | undefined => {
  const revision = fieldOf(fieldOf(params, "_meta"), "io.modelcontextprotocol/protocolVersion")
  return typeof revision === "string" ? revision : undefined
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** A header's text. Values that a header cannot contain are sent in base 64. */
const decoded = (value: string): string => {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8")
}

const mismatch = (header: string, expected: unknown, found: string | null): string | undefined => {
  if (found === null) return `The header ${header} is required`
  return decoded(found) === expected ? undefined : `The header ${header} does not match the message`
}

/**
 * Why the headers of an HTTP request contradict its message, since 2026-07-28 (MCP-8); undefined if they do not. Proxies decide by the headers, so a
 * contradiction would bypass them.
 */
export const headerViolation = ({ method, params }: Request, headers: Headers): string | undefined => {
  const revision = revisionOf(params)
  if (revision === undefined) return undefined
  const parameter = namedBy[method]
  return (
    mismatch("MCP-Protocol-Version", revision, headers.get("mcp-protocol-version")) ??
    mismatch("Mcp-Method", method, headers.get("mcp-method")) ??
    (parameter === undefined ? undefined : mismatch("Mcp-Name", fieldOf(params, parameter), headers.get("mcp-name")))
  )
}
