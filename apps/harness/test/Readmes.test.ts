import { execFile } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** An empty project beside the packages: from the tarballs `npm run check:packages` does the same. */
let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "readmes-"))
  await symlink(join(root, "node_modules"), join(project, "node_modules"))
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
})
afterAll(() => rm(project, { recursive: true }))

it("every program in a README or a page of docs is sound TypeScript, runs, and prints what the page says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "scripts/runReadmes.ts"), project]).catch(
    (failed: { readonly stdout: string }) => failed
  )
  assert.notInclude(stdout, "FAILED")
  assert.isAtLeast(stdout.match(/^ok/gm)?.length ?? 0, 20)
}, 600_000)
