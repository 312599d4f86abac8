import { lstat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { InstallError } from "./InstallError.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import type { LockEntries, LockEntry } from "./lock/LockFile.ts"
import { lockFileName, readLockFile } from "./lock/LockFile.ts"
import { filesOf } from "./tree/filesOf.ts"
import { treeHash } from "./tree/treeHash.ts"

/** One way in which what stands there is not what was installed. */
export interface Difference {
  /** Of the file, below the skill's folder; the folder itself is `.`, the lock file has its own name. */
  readonly path: string
  readonly difference: "changed" | "missing" | "added" | "not a file"
}

/** How one of those in the lock file stands. */
export interface Verification {
  readonly name: string
  /** Its folder, absolute. */
  readonly installedPath: string
  /** Empty where all is as it was installed. */
  readonly differences: ReadonlyArray<Difference>
}

/** The entries of these names, or all. */
export const chosenEntries = (entries: LockEntries, names: ReadonlyArray<string> | undefined): LockEntries => {
  if (names === undefined) return entries
  return new Map(
    names.map((name) => {
      const entry = entries.get(name)
      if (entry === undefined) throw new InstallError(`${JSON.stringify(name)} is not in the lock file`)
      return [name, entry]
    })
  )
}

/** How what stands in a folder differs from its entry. */
export const differencesOf = async (folder: string, entry: LockEntry): Promise<ReadonlyArray<Difference>> => {
  const expected = new Map(Object.entries(entry.files))
  const isFolder = await lstat(folder).then(
    (found) => found.isDirectory(),
    () => undefined
  )
  if (isFolder !== true) return [{ path: ".", difference: isFolder === undefined ? "missing" : "not a file" }]
  const found = await filesOf(folder)
  const ofPath = (path: string): ReadonlyArray<Difference> => {
    const [wanted, there] = [expected.get(path), found.get(path)]
    if (there === wanted) return []
    if (there === undefined) return [{ path, difference: "missing" }]
    if (there === null) return [{ path, difference: "not a file" }]
    return [{ path, difference: wanted === undefined ? "added" : "changed" }]
  }
  const paths = [...new Set([...expected.keys(), ...found.keys()])].toSorted()
  const lock = treeHash(expected) === entry.sha256 ? [] : [{ path: lockFileName, difference: "changed" } as const]
  return [...lock, ...paths.flatMap(ofPath)]
}

/**
 * Reckons the hashes of what is installed again and tells every difference from the lock file. Asks nobody and changes nothing. Rejects
 * with an `InstallError` where the lock file is broken or does not have a name.
 */
export const verifyInstalled = async (
  installDir: string = defaultInstallDir,
  names?: ReadonlyArray<string>
): Promise<ReadonlyArray<Verification>> => {
  const folder = resolve(installDir)
  const verifications: Array<Verification> = []
  for (const [name, entry] of chosenEntries(await readLockFile(folder), names)) {
    const installedPath = join(folder, name)
    verifications.push({ name, installedPath, differences: await differencesOf(installedPath, entry) })
  }
  return verifications
}
