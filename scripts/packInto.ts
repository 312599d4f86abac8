/**
 * Installs the packages of this repository into another project, before they are published:
 * `npm run pack:into -- ../my-app` installs all of them, `npm run pack:into -- ../my-app embed client` installs those packages and their dependencies.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { installInto } from "./packages/installInto.ts"
import { packAll } from "./packages/packAll.ts"
import { publicPackages } from "./packages/publicPackages.ts"
import { withDependencies } from "./packages/withDependencies.ts"

const [target, ...names] = process.argv.slice(2)
if (target === undefined) throw new Error("usage: npm run pack:into -- <project> [package …]")

const packages = publicPackages()
const chosen = withDependencies(
  packages,
  names.length === 0
    ? packages.map(({ manifest }) => manifest.name)
    : names.map((name) => (name.startsWith("@") ? name : `@agent-marketplace/${name}`))
)

const folder = mkdtempSync(join(tmpdir(), "agent-marketplace-tarballs-"))
try {
  const project = resolve(process.env["INIT_CWD"] ?? ".", target)
  const packed = packAll(folder, chosen)
  installInto(project, packed)
  for (const { name, version } of packed) console.log(`${name} ${version}`)
  console.log(`Installed in ${project}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
