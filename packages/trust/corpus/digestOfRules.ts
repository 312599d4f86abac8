import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "../src")
/** Folders and files that decide verdicts. Archives, formats of reports and the command do not. */
const deciding = [
  "checks",
  "lexicon",
  "rules",
  "signals",
  "text",
  "boilerplate.ts",
  "capabilities.ts",
  "copies.ts",
  "scan.ts",
  "sketchOfRelease.ts"
]

/** Remarks on lines of their own and the layout decide nothing. */
const withoutRemarks = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("//") && !line.startsWith("/*") && !line.startsWith("*"))
    .join("")
    .replaceAll(" ", "")

const filesIn = (entry: string): ReadonlyArray<string> =>
  entry.includes(".") ? [entry] : readdirSync(join(source, entry)).map((name) => `${entry}/${name}`)

/** SHA-256 of all that decides a verdict: rules, words, lists and the code that applies them (SCAN-9). */
export const digestOfRules = (): string => {
  const hash = createHash("sha256")
  for (const file of deciding.flatMap(filesIn).toSorted())
    hash.update(`${file}\0${withoutRemarks(readFileSync(join(source, file), "utf8"))}\0`)
  return hash.digest("hex")
}
