import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { InstallError } from "../InstallError.ts"
import { earlierLockFileName, readEarlierLockFile } from "./earlierLockFile.ts"
import type { Lock, LockEntry } from "./LockEntry.ts"
import { faultOfInstalledName, isLockEntry, isRecord, lockFileName } from "./LockEntry.ts"
import { isPinnedKey } from "./PinnedKey.ts"
import { readOwnFile } from "./readOwnFile.ts"
import { ordered, sealOf } from "./sealed.ts"
import { newTemporaryPath } from "./temporaryPath.ts"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sealed = (name: string, record: object): object => ({ ...record, integrity: sealOf(name, record) })

/** The text of a lock file: fields in canonical order, each record with a digest of itself. */
const textOf = ({ entries, keys }: Lock): string => {
  const content = {
    items: Object.fromEntries([...entries].map(([name, entry]) => [name, sealed(name, entry)])),
    keys: keys.toSorted((a, b) => (a.kid < b.kid ? -1 : 1)).map((key) => sealed(key.kid, key)),
    lockfileVersion: 2
  }
  return `${JSON.stringify(ordered(content), undefined, 2)}\n`
}

const unsealed = (name: string, value: unknown): object | undefined => {
  if (!isRecord(value)) return undefined
  const { integrity, ...record } = value
  return integrity === sealOf(name, record) ? record : undefined
}

/** Rejects an invalid format, because names in it become paths, and every text that was not written by an install (INSTALL-13). */
const lockOf = (file: string, text: string): Lock => {
  const refused = (why: string) =>
    new InstallError(`${file} ${why}: restore it, or move its whole folder away and install again`)
  const lock = parsed(text)
  if (!isRecord(lock) || !isRecord(lock["items"]) || !Array.isArray(lock["keys"])) throw refused("is not a lock file")
  if (lock["lockfileVersion"] !== 2) throw refused("is of another version")
  const entries = Object.entries(lock["items"]).map(([name, value]): readonly [string, LockEntry] => {
    const entry = unsealed(name, value)
    if (entry === undefined) throw refused(`was changed: the entry ${JSON.stringify(name)} does not match its digest`)
    if (faultOfInstalledName(name) !== undefined || !isLockEntry(entry))
      throw refused(`has a wrong entry ${JSON.stringify(name)}`)
    return [name, entry]
  })
  const keys = lock["keys"].map((value: unknown) => {
    const key = unsealed(isRecord(value) ? String(value["kid"]) : "", value)
    if (!isPinnedKey(key)) throw refused("was changed: a key does not match its digest")
    return key
  })
  const read = { keys, entries: new Map(entries) }
  // Git may have converted the ends of lines.
  if (textOf(read) !== text.replaceAll("\r\n", "\n")) throw refused("was changed")
  return read
}

/** The lock file of a folder; empty if there is none. */
export const readLockFile = async (installDir: string): Promise<Lock> => {
  const file = join(installDir, lockFileName)
  const text = await readOwnFile(file)
  return text === undefined ? { keys: [], entries: await readEarlierLockFile(installDir) } : lockOf(file, text)
}

/** Replaces the lock file atomically. */
export const writeLockFile = async (installDir: string, lock: Lock): Promise<void> => {
  const temporary = newTemporaryPath(installDir)
  const handle = await open(temporary, "wx", 0o644)
  try {
    await handle.writeFile(textOf(lock))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(installDir, lockFileName))
  await rm(join(installDir, earlierLockFileName), { force: true })
}
