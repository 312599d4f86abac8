import { join, resolve } from "node:path"
import { InstallError } from "./InstallError.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import type { LockEntries } from "./lock/LockFile.ts"
import { readLockFile } from "./lock/LockFile.ts"
import type { Difference } from "./tree/differencesOf.ts"
import { differencesOf } from "./tree/differencesOf.ts"

/** The result of checking one installed skill. */
export interface Verification {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
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

/**
 * Hashes the installed files again and reports every difference from the lock file (INSTALL-7). Sends no request and changes nothing. Rejects
 * with an `InstallError` if the lock file is invalid or lacks one of `names`.
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
