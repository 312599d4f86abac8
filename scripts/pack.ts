/**
 * `npm pack` and `npm publish` run this script in the folder of a package. `prepare` builds the package and adds the files that only the
 * published package has; `restore` removes them. After an interruption the next `prepare` restores first.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Manifest } from "./packages/publicPackages.ts"
import { publicPackages, readManifest, repository } from "./packages/publicPackages.ts"
import { publishedManifest, versionFaults } from "./packages/publishedManifest.ts"

const folder = process.cwd()
const manifestFile = join(folder, "package.json")
const sourceFile = join(folder, "package.source.json")
const license = join(folder, "LICENSE")

const run = (command: string, ...args: Array<string>): void => {
  // Standard output belongs to npm, because `npm pack --json` prints its result there.
  const { status } = spawnSync(command, args, { cwd: folder, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${folder}`)
}

const restore = (): void => {
  if (existsSync(sourceFile)) renameSync(sourceFile, manifestFile)
  rmSync(license, { force: true })
}

/** Removes the output of an earlier build, so that deleted modules are not published. */
const build = (manifest: Manifest): void => {
  for (const left of ["dist", "tsconfig.build.tsbuildinfo"])
    rmSync(join(folder, left), { recursive: true, force: true })
  run("tsc", "-b", "tsconfig.build.json")
  if (manifest.scripts?.["build"] !== undefined) run("npm", "run", "--silent", "build")
}

const prepare = (): void => {
  restore()
  const manifest = readManifest(folder)
  const versions = new Map(publicPackages().map((each) => [each.manifest.name, each.manifest.version]))
  const faults = versionFaults(manifest, versions)
  if (faults.length > 0) throw new Error(faults.join("\n"))
  build(manifest)
  copyFileSync(join(repository, "LICENSE"), license)
  writeFileSync(sourceFile, readFileSync(manifestFile))
  writeFileSync(manifestFile, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

const steps: Readonly<Record<string, () => void>> = { prepare, restore }
const step = steps[process.argv[2] ?? ""]
if (step === undefined) throw new Error("usage: node scripts/pack.ts prepare|restore, in the folder of a package")
step()
