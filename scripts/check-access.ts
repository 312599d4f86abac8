/** Compares docs/access.md with the access rules of the endpoints; `--write` renews it. */
import { accessDocument } from "@agent-marketplace/api/access/accessDocument"
import { readFile, writeFile } from "node:fs/promises"

const file = new URL("../docs/access.md", import.meta.url)
const table = accessDocument()

if (process.argv.includes("--write")) await writeFile(file, table)
const committed = await readFile(file, "utf8").catch(() => "")
if (committed !== table) {
  console.error("docs/access.md is not what the endpoints say: npm run access")
  process.exitCode = 1
}
