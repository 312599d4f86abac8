import { open, rename } from "node:fs/promises"
import { join } from "node:path"
import { InstallError } from "../InstallError.ts"
import type { Source } from "../sources/Source.ts"
import { faultOfPath } from "../tree/faultOfPath.ts"
import { readOwnFile } from "./readOwnFile.ts"
import { newTemporaryPath } from "./temporaryPath.ts"

/** One installed item (INSTALL-6). */
export interface LockEntry {
  /** The skill's or SOUL's id. */
  readonly id: string
  readonly purchaseId: string
  /** The license key, for the skill to show to its seller. Because of it only the owner can read the file. */
  readonly licenseKey: string | null
  readonly source: Source
  /** The commit of a repository, `sha256:<hex>` of an archive or a file as it was sent, or the version of a SOUL. */
  readonly version: string
  /** The SHA-256 of the whole, which `treeHash` computes from `files`. */
  readonly sha256: string
  /** The SHA-256 of each file, in lower-case hex, by its path. */
  readonly files: Readonly<Record<string, string>>
  /** ISO 8601, UTC. */
  readonly installedAt: string
}

/** The installed items of a folder, by the name of their subfolder. */
export type LockEntries = ReadonlyMap<string, LockEntry>

export const lockFileName = "marketplace.lock.json"

/** The name of an item's folder: its slug, if every file system can store it. */
export const faultOfInstalledName = (name: string): string | undefined =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? faultOfPath(name) : "is no slug"

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isLockEntry = (value: unknown): value is LockEntry =>
  isRecord(value) &&
  [value["id"], value["purchaseId"], value["version"], value["sha256"], value["installedAt"]].every(
    (text) => typeof text === "string"
  ) &&
  isRecord(value["source"]) &&
  isRecord(value["files"]) &&
  Object.entries(value["files"]).every(([path, hash]) => typeof hash === "string" && faultOfPath(path) === undefined)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The entries of a folder's lock file, none if there is no such file. Rejects an invalid format, because names in it become paths. */
export const readLockFile = async (installDir: string): Promise<LockEntries> => {
  const file = join(installDir, lockFileName)
  const text = await readOwnFile(file)
  if (text === undefined) return new Map()
  const lock = parsed(text)
  const refused = (why: string) =>
    new InstallError(`${file} ${why}: put the right one back, or move its whole folder away and install again`)
  if (!isRecord(lock) || !isRecord(lock["skills"])) throw refused("is not a lock file")
  if (lock["lockfileVersion"] !== 1) throw refused("is of another version")
  const entries = Object.entries(lock["skills"])
  const broken = entries.find(([name, entry]) => faultOfInstalledName(name) !== undefined || !isLockEntry(entry))
  if (broken !== undefined) throw refused(`has a wrong entry ${JSON.stringify(broken[0])}`)
  return new Map(entries as Array<[string, LockEntry]>)
}

/** Replaces the lock file atomically, readable by its owner only because it contains licenses. */
export const writeLockFile = async (installDir: string, entries: LockEntries): Promise<void> => {
  const skills = Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const temporary = newTemporaryPath(installDir)
  const handle = await open(temporary, "wx", 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ lockfileVersion: 1, skills }, undefined, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(installDir, lockFileName))
}
