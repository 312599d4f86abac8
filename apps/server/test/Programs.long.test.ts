import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "vitest"

const repository = join(import.meta.dirname, "../../..")
const folder = join(repository, "dist/programs")
const record = join(folder, "build.json")

const build = () => promisify(execFile)(process.execPath, [join(repository, "scripts/buildPrograms.ts")])

const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000)

/** A file of an earlier build, written eight days ago. */
const oldPart = async (name: string): Promise<string> => {
  await writeFile(join(folder, name), "export {}\n")
  await utimes(join(folder, name), longAgo, longAgo)
  return name
}

it("programs are bundled again only from other sources, and the parts of the replaced build stay for a week", async () => {
  await build()
  const before = await stat(record)
  await build()
  assert.strictEqual((await stat(record)).mtimeMs, before.mtimeMs)

  const current = JSON.parse(await readFile(record, "utf8")) as { readonly digest: string }
  const replaced = await oldPart("parts/replaced-in-a-test.js")
  const forgotten = await oldPart("parts/forgotten-in-a-test.js")
  const killed = await oldPart("server.js.1")
  await writeFile(record, JSON.stringify({ digest: "of other sources", files: [replaced] }))
  await build()
  assert.strictEqual((JSON.parse(await readFile(record, "utf8")) as typeof current).digest, current.digest)
  assert.isAbove((await stat(join(folder, replaced))).mtimeMs, longAgo.getTime())
  assert.isFalse(existsSync(join(folder, forgotten)))
  assert.isFalse(existsSync(join(folder, killed)))
  await rm(join(folder, replaced))
})
