import { Redacted } from "effect"
import type { DemoKey } from "./DemoAccount.ts"
import type { FirstRun } from "./demonstration/ServerDemonstration.ts"

const soul = {
  name: "Patient Tutor",
  description: "Explains hard things in small steps.",
  content: "# SOUL\n\n## Identity\nA tutor that never hurries.\n"
}

/** The link of the first run, on a line of its own (CONSOLE-53). */
const firstRunLines = (baseUrl: string, { made, secret }: NonNullable<(typeof FirstRun)["Service"]>) => [
  "",
  made
    ? "Open the demonstration shop. The link signs in once, as its owner:"
    : "Start here. The link signs in once, with a demonstration shop that can be removed with one press:",
  `${baseUrl}/console/first-run#${secret}`,
  ""
]

/** The last output of `npm start`: the market's address, the link of the first run, and what to try next. */
export const greeting = (
  baseUrl: string,
  demo: DemoKey | undefined,
  operatorTokenFile: string | undefined,
  firstRun: (typeof FirstRun)["Service"]
): string => {
  const lines = [
    "",
    `Agent Marketplace is ready at ${baseUrl}`,
    ...(firstRun === null ? [] : firstRunLines(baseUrl, firstRun)),
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
