/** Compares the client library's committed types with what the endpoint definitions give; `--write` renews them. */
import { Schema } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { format, resolveConfig } from "prettier"
import { openApiJson } from "../packages/api/src/openapi.ts"
import { eventPayloads } from "../packages/core/src/webhooks/EventPayloads.ts"
import { clientTypes } from "./ClientTypes.ts"
import type { JsonSchema, OpenApiDocument } from "./ClientTypes.ts"

const file = new URL("../packages/client/src/wire/Endpoints.ts", import.meta.url)

const events = Object.fromEntries(
  Object.entries(eventPayloads).map(([event, payload]) => [
    event,
    Schema.toJsonSchemaDocument(payload).schema as JsonSchema
  ])
)
const text = clientTypes(JSON.parse(openApiJson()) as OpenApiDocument, events)
const generated = await format(text, { ...(await resolveConfig(file)), parser: "typescript" })

if (process.argv.includes("--write")) {
  await writeFile(file, generated)
} else if ((await readFile(file, "utf8").catch(() => "")) !== generated) {
  console.error("The client's types are not what the endpoints say. Renew them with `npm run openapi`.")
  process.exitCode = 1
}
