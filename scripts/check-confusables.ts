/**
 * Compares the committed table of confusable characters with Unicode's `confusables.txt`; `--write` renews it. The file is the argument, or
 * where operating systems install it; without it there is nothing to compare. It is part of ICU's sources (`source/data/unidata`).
 */
import { readFile, writeFile } from "node:fs/promises"
import { confusablesSource, confusablesTable } from "./Confusables.ts"

const target = new URL("../packages/core/src/names/confusables.ts", import.meta.url)

const usual = ["/usr/share/unicode/security/confusables.txt", "/usr/share/unicode/confusables.txt"]
const named = process.argv.slice(2).find((argument) => !argument.startsWith("--"))

const readFirst = async (paths: ReadonlyArray<string>): Promise<string | undefined> => {
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}

const source = await readFirst(named === undefined ? usual : [named])

if (source === undefined) {
  console.log(
    named === undefined ? "confusables.txt is not installed: nothing was compared" : `${named}: cannot be read`
  )
  process.exitCode = named === undefined ? 0 : 1
} else {
  const text = confusablesSource(confusablesTable(source))
  if (process.argv.includes("--write")) await writeFile(target, text)
  else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error(
      "packages/core/src/names/confusables.ts differs from confusables.txt. Renew it with `npm run confusables`."
    )
    process.exitCode = 1
  }
}
