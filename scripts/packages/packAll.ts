import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import type { Manifest, PublicPackage } from "./publicPackages.ts"
import { publicPackages, repository } from "./publicPackages.ts"

/** A package as it would be published. */
export interface Packed {
  readonly name: string
  readonly version: string
  readonly tarball: string
  /** The paths of its files. */
  readonly files: ReadonlyArray<string>
  /** Its `package.json`. */
  readonly manifest: Manifest
}

interface NpmPacked {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly files: ReadonlyArray<{ readonly path: string }>
}

const inside = (tarball: string, file: string): string => {
  const { status, stdout } = spawnSync("tar", ["-xzOf", tarball, `package/${file}`], { encoding: "utf8" })
  if (status !== 0) throw new Error(`${tarball} has no ${file}`)
  return stdout
}

/** Packs public packages (all by default) into `folder` with `npm pack`; throws if one fails or changes the folder. */
export const packAll = (
  folder: string,
  packages: ReadonlyArray<PublicPackage> = publicPackages()
): ReadonlyArray<Packed> => {
  mkdirSync(folder, { recursive: true })
  return packages.map(({ folder: from }) => {
    // An interrupted pack leaves the published package.json behind, which has no prepack script to restore it.
    if (existsSync(join(from, "package.source.json")))
      spawnSync(process.execPath, [join(repository, "scripts/pack.ts"), "restore"], { cwd: from })
    const before = readFileSync(join(from, "package.json"), "utf8")
    const { status, stdout } = spawnSync("npm", ["pack", "--json", "--silent", "--pack-destination", folder], {
      cwd: from,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    if (status !== 0) {
      spawnSync(process.execPath, [join(repository, "scripts/pack.ts"), "restore"], { cwd: from })
      throw new Error(`npm pack failed in ${relative(repository, from)}`)
    }
    if (readFileSync(join(from, "package.json"), "utf8") !== before || existsSync(join(from, "LICENSE")))
      throw new Error(`npm pack has changed ${relative(repository, from)}`)
    const [packed] = JSON.parse(stdout) as [NpmPacked]
    const tarball = join(folder, packed.filename)
    return {
      name: packed.name,
      version: packed.version,
      tarball,
      files: packed.files.map(({ path }) => path),
      manifest: JSON.parse(inside(tarball, "package.json")) as Manifest
    }
  })
}

/** Removes old compiler output, so that the packages are built from the current sources. */
export const removeBuilds = (): void => {
  for (const { folder } of publicPackages())
    for (const left of ["dist", "tsconfig.build.tsbuildinfo"])
      rmSync(join(folder, left), { recursive: true, force: true })
}
