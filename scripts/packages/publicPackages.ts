import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
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

/** Every workspace that is published: those not marked `private`. */
export const publicPackages = (): ReadonlyArray<PublicPackage> =>
  globSync("{packages,apps}/*/package.json", { cwd: repository })
    .toSorted()
    .map((file) => join(repository, dirname(file)))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true)
