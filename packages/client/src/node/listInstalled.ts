import { join, resolve } from "node:path"
import { defaultInstallDir } from "./InstallOptions.ts"
import type { LockEntry } from "./lock/LockEntry.ts"
import { readLockFile } from "./lock/LockFile.ts"

/** An entry of the lock file. */
export interface ListedInstall extends LockEntry {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
}

/** What the lock file records, sorted by name. `verifyInstalled` compares it with the files. */
export const listInstalled = async (installDir: string = defaultInstallDir): Promise<ReadonlyArray<ListedInstall>> => {
  const folder = resolve(installDir)
  const { entries } = await readLockFile(folder)
  return [...entries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => ({ ...entry, name, installedPath: join(folder, name) }))
}
