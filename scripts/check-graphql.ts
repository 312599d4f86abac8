/** Compares the committed `packages/graphql/schema.graphql` with the schema that is derived from the OpenAPI document; `--write` renews it. */
import { readFile, writeFile } from "node:fs/promises"
import { openApiJson } from "../packages/api/src/openapi.ts"
import { schemaText } from "../packages/graphql/src/schemaText.ts"
import type { OpenApiDocument } from "../packages/graphql/src/JsonSchema.ts"

const file = new URL("../packages/graphql/schema.graphql", import.meta.url)
const text = schemaText(JSON.parse(openApiJson()) as OpenApiDocument)

if (process.argv.includes("--write")) {
  await writeFile(file, text)
} else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
  console.error("packages/graphql/schema.graphql differs from the API's definition. Renew it with `npm run graphql`.")
  process.exitCode = 1
}
