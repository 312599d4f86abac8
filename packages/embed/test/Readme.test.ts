import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const run = promisify(execFile)

/** A program that stands in a page, and what the page says it prints. */
const block = /^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm

const examplesOf = async (page: string) =>
  [...(await readFile(join(root, page), "utf8")).matchAll(block)].map(([, code = "", prints], index) => ({
    file: `${page.replaceAll(/\W+/g, "-")}-${index + 1}.ts`,
    code,
    prints
  }))

const examples = (await Promise.all(["README.md", "packages/embed/README.md"].map(examplesOf))).flat()

/** An empty project beside the packages, in which the examples stand as files. */
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "embed-readme-"))
  await symlink(join(root, "node_modules"), join(project, "node_modules"))
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }))
  await Promise.all(examples.map(({ code, file }) => writeFile(join(project, file), code)))
})
afterAll(() => rm(project, { recursive: true }))

describe("the programs of README.md and of this package's", { timeout: 120_000 }, () => {
  it("are sound TypeScript under every strict option", async () => {
    const { compilerOptions } = JSON.parse(await readFile(join(root, "tsconfig.base.json"), "utf8")) as {
      compilerOptions: Record<string, unknown>
    }
    const { composite: _, outDir: __, plugins: ___, rootDir: ____, ...strict } = compilerOptions
    const options = { ...strict, noEmit: true, incremental: false, declarationMap: false, types: ["node"] }
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch(
      (error: { readonly stdout: string }) => error
    )
    assert.strictEqual(stdout, "")
  })

  it.each(examples)("$file ends well and prints what stands below it", async ({ file, prints }) => {
    const { stdout } = await run(process.execPath, [join(project, file)], { env: { PATH: process.env["PATH"] } })
    if (prints !== undefined) assert.strictEqual(stdout, prints)
  })
})
