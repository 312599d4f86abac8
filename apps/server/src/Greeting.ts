import { Redacted } from "effect"

const soul = {
  name: "Patient Tutor",
  description: "Explains hard things in small steps.",
  content: "# SOUL\n\n## Identity\nA tutor that never hurries.\n"
}

/** What `npm start` prints last: the market's address, the file of the operator's token if it was made here, and what to try next. */
export const greeting = (
  baseUrl: string,
  demoKey: Redacted.Redacted | undefined,
  operatorTokenFile: string | undefined
): string => {
  const lines = [
    "",
    `Agent Marketplace is ready at ${baseUrl}`,
    `Documentation: ${baseUrl}/docs   OpenAPI: ${baseUrl}/openapi.json   MCP: ${baseUrl}/mcp`,
    ...(operatorTokenFile === undefined ? [] : [`Operator's token: in ${operatorTokenFile}`])
  ]
  if (demoKey === undefined) return [...lines, ""].join("\n")
  const bearer = `-H 'Authorization: Bearer ${Redacted.value(demoKey)}'`
  return [
    ...lines,
    "",
    "Try it (the demo account's key is kept in the data folder):",
    "",
    `curl -s ${bearer} ${baseUrl}/api/v1/account`,
    `curl -s ${bearer} -H 'Content-Type: application/json' -d '${JSON.stringify(soul)}' ${baseUrl}/api/v1/souls/create`,
    `curl -s ${bearer} ${baseUrl}/api/souls`,
    ""
  ].join("\n")
}
