import { join, resolve } from "node:path"
import { InstallError } from "./InstallError.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import type { Lock, LockEntries, LockEntry } from "./lock/LockEntry.ts"
import { lockFileName } from "./lock/LockEntry.ts"
import { readLockFile } from "./lock/LockFile.ts"
import { faultOfLocked } from "./releases/checkRelease.ts"
import type { Difference } from "./tree/differencesOf.ts"
import { differencesOf } from "./tree/differencesOf.ts"

/** The result of checking one installed skill. */
export interface Verification {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
  /** Whether its files are those that the market has verified and signed. A `link` item is not verified. */
  readonly verified: boolean
  /** Empty if every file is as it was installed. */
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

/** The differences of a folder from its entry, and of the entry from the market's statement. */
export const differencesFrom = async (
  folder: string,
  entry: LockEntry,
  keys: Lock["keys"]
): Promise<ReadonlyArray<Difference>> => {
  const found = await differencesOf(folder, entry)
  const isSigned = (await faultOfLocked(entry, keys)) === undefined
  return isSigned ? found : [{ path: lockFileName, difference: "not signed" }, ...found]
}

/**
 * Hashes the installed files again, checks the market's signatures, and reports every difference from the lock file (INSTALL-7). Sends no
 * request and changes nothing. Rejects with an `InstallError` if the lock file is invalid or lacks one of `names`.
 */
export const verifyInstalled = async (
  installDir: string = defaultInstallDir,
  names?: ReadonlyArray<string>
): Promise<ReadonlyArray<Verification>> => {
  const folder = resolve(installDir)
  const { entries, keys } = await readLockFile(folder)
  const verifications: Array<Verification> = []
  for (const [name, entry] of chosenEntries(entries, names)) {
    const installedPath = join(folder, name)
    const differences = await differencesFrom(installedPath, entry, keys)
    verifications.push({
      name,
      installedPath,
      verified: entry.release !== null && differences.length === 0,
      differences
    })
  }
  return verifications
}
