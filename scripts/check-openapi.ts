/** Compares the committed `packages/api/openapi.json` with the document generated from the endpoint definitions; `--write` renews it. */
import { readFile, writeFile } from "node:fs/promises"
import { openApiJson } from "../packages/api/src/openapi.ts"

const file = new URL("../packages/api/openapi.json", import.meta.url)
const generated = openApiJson().trimEnd() + "\n"

if (process.argv.includes("--write")) {
  await writeFile(file, generated)
} else if ((await readFile(file, "utf8").catch(() => "")) !== generated) {
  console.error("packages/api/openapi.json differs from the endpoint definitions. Renew it with `npm run openapi`.")
  process.exitCode = 1
}
