/**
 * Compares each migration with its committed checksum; `--write` adds those of new ones. A released migration never changes: databases that
 * have applied it would not get the change.
 */
import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"

const file = new URL("../packages/postgres/migrations.json", import.meta.url)

const found = Object.entries(migrations).map(
  ([name, statements]) => [name, createHash("sha256").update(JSON.stringify(statements)).digest("hex")] as const
)
const committed = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, string>>

const problems = [
  ...found.flatMap(([name], i) =>
    Number(name.slice(0, 4)) === i + 1 ? [] : [`${name}: ids must be contiguous from 1`]
  ),
  ...found.flatMap(([name, checksum]) =>
    committed[name] !== undefined && committed[name] !== checksum
      ? [`${name}: differs from its committed checksum`]
      : []
  ),
  ...Object.keys(committed).flatMap((name) => (name in migrations ? [] : [`${name}: is gone`]))
]
const unknown = found.filter(([name]) => committed[name] === undefined)

if (process.argv.includes("--write") && problems.length === 0) {
  await writeFile(file, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`)
} else {
  problems.push(...unknown.map(([name]) => `${name}: has no committed checksum (npm run migrations)`))
}

for (const problem of problems) console.error(problem)
console.log(`${found.length} migrations, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
