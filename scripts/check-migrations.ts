/**
 * Compares each migration with its committed checksum; `--write` adds the checksums of new ones. A released migration must not change, because databases that
 * have applied it would not get the change. If the stored JSON of souls or listings changed, its rendering version must be
 * higher, so that existing rows are rendered again.
 */
import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import type { Rendering } from "./Renderings.ts"
import { renderingProblems, renderings } from "./Renderings.ts"

const file = new URL("../packages/postgres/migrations.json", import.meta.url)

const found = Object.entries(migrations).map(
  ([name, statements]) => [name, createHash("sha256").update(JSON.stringify(statements)).digest("hex")] as const
)
const committed = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, string>>

const renderingsFile = new URL("../packages/postgres/renderings.json", import.meta.url)
const rendered = JSON.parse(await readFile(renderingsFile, "utf8")) as Readonly<Record<string, Rendering>>

const problems = [
  ...renderingProblems(rendered),
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
  await writeFile(renderingsFile, `${JSON.stringify(renderings, null, 2)}\n`)
} else {
  problems.push(...unknown.map(([name]) => `${name}: has no committed checksum (npm run migrations)`))
  if (JSON.stringify(rendered) !== JSON.stringify(renderings))
    problems.push("renderings.json is not up to date (npm run migrations)")
}
// Missing ids do not prevent `--write`: they may be reserved for migrations that are not merged yet.
problems.push(
  ...found.flatMap(([name], i) =>
    Number(name.slice(0, 4)) === i + 1 ? [] : [`${name}: ids must be contiguous from 1`]
  )
)

for (const problem of problems) console.error(problem)
console.log(`${found.length} migrations, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
