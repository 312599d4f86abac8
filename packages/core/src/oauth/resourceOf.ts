/** The part of the service that a token is for: the whole of it, or the MCP server alone (OAUTH-8). */
export const resourceOf = (baseUrl: string, named: string | undefined): string | undefined => {
  const mcp = `${baseUrl}/mcp`
  const plain = named?.replace(/\/$/, "")
  if (plain === undefined || plain === baseUrl) return baseUrl
  return plain === mcp ? mcp : undefined
}
