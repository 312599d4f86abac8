import { join } from "node:path"
import { InstallError } from "../InstallError.ts"
import type { LockEntries, LockEntry } from "./LockEntry.ts"
import { faultOfInstalledName, isLockEntry, isRecord } from "./LockEntry.ts"
import { readOwnFile } from "./readOwnFile.ts"

/** The lock file of versions up to 0.1. It contains license keys; the next install replaces it (INSTALL-13). */
export const earlierLockFileName = "marketplace.lock.json"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The entries of an earlier lock file without their license keys; none if there is no such file. */
export const readEarlierLockFile = async (installDir: string): Promise<LockEntries> => {
  const file = join(installDir, earlierLockFileName)
  const text = await readOwnFile(file)
  if (text === undefined) return new Map()
  const lock = parsed(text)
  const refused = (why: string) =>
    new InstallError(`${file} ${why}: restore it, or move its whole folder away and install again`)
  if (!isRecord(lock) || !isRecord(lock["skills"])) throw refused("is not a lock file")
  if (lock["lockfileVersion"] !== 1) throw refused("is of another version")
  return new Map(
    Object.entries(lock["skills"]).map(([name, value]): [string, LockEntry] => {
      const { licenseKey: _, ...kept } = isRecord(value) ? value : {}
      const entry = { ...kept, release: null }
      if (faultOfInstalledName(name) !== undefined || !isLockEntry(entry))
        throw refused(`has a wrong entry ${JSON.stringify(name)}`)
      return [name, entry]
    })
  )
}
