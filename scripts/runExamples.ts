/**
 * Runs every program of `docs/embedding` in the given project: `node scripts/runExamples.ts <project> [file …]`. In
 * a project other than this repository it runs a copy. For servers it runs a short sequence of requests. The output of other programs must
 * match their last comment. Prints a line for each program; exits 1 if one failed.
 */
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { marketFlow } from "./examples/marketFlow.ts"
import { printedBy, startExample } from "./examples/startExample.ts"

const repository = join(import.meta.dirname, "..")
const examples = join(repository, "docs/embedding")

const folderIn = (project: string): string => {
  if (project === repository) return examples
  const copy = join(project, "embedding")
  rmSync(copy, { recursive: true, force: true })
  cpSync(examples, copy, { recursive: true })
  return copy
}

const runProgram = async (file: string, expected: string): Promise<void> => {
  const printed = await printedBy(file)
  if (printed !== expected) throw new Error(`printed\n${printed}\nand not\n${expected}`)
}

const runServer = async (file: string): Promise<void> => {
  const { stop, url } = await startExample(file)
  try {
    await marketFlow(url)
  } finally {
    await stop()
  }
}

/** The function that runs an example; undefined for a module that others import. */
const runOf = (file: string): (() => Promise<void>) | undefined => {
  const code = readFileSync(file, "utf8")
  const prints = /\/\* Prints:\n([\s\S]*?)\*\//.exec(code)?.[1]
  if (prints !== undefined) return () => runProgram(file, prints)
  return code.includes('process.env["PORT"]') ? () => runServer(file) : undefined
}

/** Runs the examples one after the other; true if all of them succeeded. */
export const runExamples = async (project: string, only: ReadonlyArray<string> = []): Promise<boolean> => {
  const folder = folderIn(resolve(project))
  const names = globSync("*.ts", { cwd: folder }).toSorted()
  const chosen = only.length === 0 ? names : only
  let right = chosen.length > 0
  for (const name of chosen) {
    const run = runOf(join(folder, name))
    if (run === undefined) continue
    const started = performance.now()
    try {
      await run()
      console.log(`ok     ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    } catch (error) {
      right = false
      console.log(`FAILED ${name}\n${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return right
}

if (import.meta.main) {
  const [project, ...only] = process.argv.slice(2)
  if (project === undefined) throw new Error("usage: node scripts/runExamples.ts <project> [file …]")
  if (!(await runExamples(project, only))) process.exitCode = 1
}
