import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
}

export interface PublicPackage {
  readonly folder: string
  readonly manifest: Manifest
}

export const repository = join(import.meta.dirname, "../..")

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

const afterTheirDependencies = (packages: ReadonlyArray<PublicPackage>): ReadonlyArray<PublicPackage> => {
  const ordered = new Set<PublicPackage>()
  const add = (each: PublicPackage): void => {
    const needed = { ...each.manifest.dependencies, ...each.manifest.devDependencies }
    for (const other of packages) if (other.manifest.name in needed && !ordered.has(other)) add(other)
    ordered.add(each)
  }
  for (const each of packages) add(each)
  return [...ordered]
}

/** Every workspace that is published (those not marked `private`), each after its dependencies. */
export const publicPackages = (): ReadonlyArray<PublicPackage> =>
  afterTheirDependencies(
    globSync("{packages,apps}/*/package.json", { cwd: repository })
      .toSorted()
      .map((file) => join(repository, dirname(file)))
      .map((folder) => ({ folder, manifest: readManifest(folder) }))
      .filter(({ manifest }) => manifest.private !== true)
  )
