/**
 * Compares the generated files of the client library with their sources: the types of the endpoints, and the rule for public addresses,
 * which is copied from `delivery` because the client imports no other package. `--write` renews them.
 */
import { Schema } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { format, resolveConfig } from "prettier"
import { openApiJson } from "../packages/api/src/openapi.ts"
import { eventPayloads } from "../packages/core/src/webhooks/EventPayloads.ts"
import { clientTypes, operatorTypes } from "./ClientTypes.ts"
import type { JsonSchema, OpenApiDocument } from "./ClientTypes.ts"

const document = JSON.parse(openApiJson()) as OpenApiDocument
const typesFile = new URL("../packages/client/src/wire/Endpoints.ts", import.meta.url)
const operatorFile = new URL("../packages/client/src/wire/OperatorEndpoints.ts", import.meta.url)
const addressRule = new URL("../packages/delivery/src/isPublicAddress.ts", import.meta.url)
const addressRuleCopy = new URL("../packages/client/src/node/sources/isPublicAddress.ts", import.meta.url)

const events = Object.fromEntries(
  Object.entries(eventPayloads).map(([event, payload]) => [
    event,
    Schema.toJsonSchemaDocument(payload).schema as JsonSchema
  ])
)
const formatted = async (text: string) => format(text, { ...(await resolveConfig(typesFile)), parser: "typescript" })

const generated = [
  [typesFile, await formatted(clientTypes(document, events))],
  [operatorFile, await formatted(operatorTypes(document))],
  [
    addressRuleCopy,
    `// Generated from packages/delivery/src/isPublicAddress.ts by \`npm run openapi\`: change it there.\n${await readFile(addressRule, "utf8")}`
  ]
] as const

for (const [file, content] of generated) {
  if (process.argv.includes("--write")) await writeFile(file, content)
  else if ((await readFile(file, "utf8").catch(() => "")) !== content) {
    console.error(`${fileURLToPath(file)} differs from its source. Renew it with \`npm run openapi\`.`)
    process.exitCode = 1
  }
}
