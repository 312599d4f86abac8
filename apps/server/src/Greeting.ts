import { Redacted } from "effect"
import type { DemoKey } from "./DemoAccount.ts"

const soul = {
  name: "Patient Tutor",
  description: "Explains hard things in small steps.",
  content: "# SOUL\n\n## Identity\nA tutor that never hurries.\n"
}

/** The last output of `npm start`: the market's address, the file of a newly created operator token, and what to try next. */
export const greeting = (baseUrl: string, demo: DemoKey | undefined, operatorTokenFile: string | undefined): string => {
  const lines = [
    "",
    `Agent Marketplace is ready at ${baseUrl}`,
    `Console: ${baseUrl}/console (sign in with an API key, the operator's token or a passkey)`,
    `Documentation: ${baseUrl}/docs   OpenAPI: ${baseUrl}/openapi.json   MCP: ${baseUrl}/mcp`,
    ...(operatorTokenFile === undefined ? [] : [`Operator's token: in ${operatorTokenFile}`])
  ]
  if (demo === undefined) return [...lines, ""].join("\n")
  if (demo.made === undefined) return [...lines, `Demo account: its key is in ${demo.file}`, ""].join("\n")
  const bearer = `-H 'Authorization: Bearer ${Redacted.value(demo.made)}'`
  return [
    ...lines,
    "",
    `Try it (the demo account's key is kept in ${demo.file}):`,
    "",
    `curl -s ${bearer} ${baseUrl}/api/v1/account`,
    `curl -s ${bearer} -H 'Content-Type: application/json' -d '${JSON.stringify(soul)}' ${baseUrl}/api/v1/souls/create`,
    `curl -s ${bearer} ${baseUrl}/api/souls`,
    ""
  ].join("\n")
}
