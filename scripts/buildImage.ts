/**
 * Bundles the content of a container image: the server, the worker and the command line, each with `main.js`, into `build` or the given
 * folder: `npm run build:image [-- <folder>]`. None of them needs `node_modules`.
 */
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const repository = join(import.meta.dirname, "..")
const target = resolve(process.argv[2] ?? join(repository, "build"))

const parts = { server: "apps/server", worker: "apps/worker", cli: "packages/cli" }

rmSync(target, { recursive: true, force: true })
for (const [name, folder] of Object.entries(parts)) {
  const args = [join(repository, "scripts/bundle.ts"), "--to", join(target, name), "--standalone", "src/main.ts"]
  const { status } = spawnSync(process.execPath, args, { cwd: join(repository, folder), stdio: "inherit" })
  if (status !== 0) throw new Error(`${folder} could not be bundled`)
}
writeFileSync(join(target, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`)
