import { lstat, mkdir, rename } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { CallOptions } from "../../requests/Send.ts"
import { defaultInstallDir } from "../InstallOptions.ts"
import type { Market } from "../Market.ts"
import { holdingFolder } from "../lock/commitInstall.ts"
import type { LockEntries } from "../lock/LockEntry.ts"
import { readLockFile, writeLockFile } from "../lock/LockFile.ts"
import { pinKeys } from "../lock/PinnedKey.ts"
import type { AuditedCopy, InstalledCopy } from "./auditCopies.ts"
import { auditCopies } from "./auditCopies.ts"
import { readCursor, writeCursor } from "./feedCursor.ts"
import { readFeed } from "./readFeed.ts"

export interface AuditOptions extends CallOptions {
  /** Moves copies that must be removed to a quarantine folder inside the install folder. */
  readonly quarantine?: boolean | undefined
}

/** A copy of the install folder after an audit. */
export interface AuditedInstall extends AuditedCopy {
  /** The name of the install. */
  readonly name: string
  /** Where it was moved; null if it was not. */
  readonly quarantinedTo: string | null
}

const quarantineName = ".marketplace-quarantine"

const digestOf = (version: string): string | null => /^sha256:([0-9a-f]{64})$/.exec(version)?.[1] ?? null

const copiesOf = (folder: string, entries: LockEntries): ReadonlyArray<InstalledCopy & { readonly name: string }> =>
  [...entries].map(([name, { id, release, version }]) => ({
    name,
    itemId: id,
    version,
    sha256: release?.archive ?? digestOf(version),
    path: join(folder, name)
  }))

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

/** Moves a copy away, if it is still the one that was audited, and removes it from the lock file. */
const moveAway = async (folder: string, name: string, copy: AuditedCopy): Promise<string | null> =>
  holdingFolder(folder, async () => {
    const lock = await readLockFile(folder)
    const entries = new Map(lock.entries)
    const entry = entries.get(name)
    if (entry?.id !== copy.itemId || entry.version !== copy.version) return null
    const last = copy.advisories.at(-1)?.id ?? "advisory"
    const quarantine = join(folder, quarantineName)
    await mkdir(quarantine, { recursive: true, mode: 0o700 })
    let target = join(quarantine, `${name}-${last}`)
    for (let n = 2; await exists(target); n++) target = join(quarantine, `${name}-${last}-${n}`)
    if (await exists(copy.path)) await rename(copy.path, target)
    entries.delete(name)
    await writeLockFile(folder, { ...lock, entries })
    return target
  })

/**
 * Checks what is installed against the market's advisories (ADVISORY-8 to ADVISORY-11). Rejects with an `AdvisoryFeedError` if the feed is not
 * believed. Changes nothing in the installs unless `quarantine` is set.
 */
export const auditInstalled = async (
  market: Pick<Market, "advisories" | "signing">,
  installDir: string = defaultInstallDir,
  { quarantine = false, ...options }: AuditOptions = {}
): Promise<ReadonlyArray<AuditedInstall>> => {
  const folder = resolve(installDir)
  const lock = await readLockFile(folder)
  const copies = copiesOf(folder, lock.entries)
  const before = await readCursor(folder)
  const keys = pinKeys(lock.keys, (await market.signing.keys(options)).keys)
  const { advisories, end } = await readFeed(market, keys, before, options)
  if (end !== null && end.id !== before?.id && (await exists(folder))) await writeCursor(folder, end)
  const audited: Array<AuditedInstall> = []
  for (const [i, copy] of auditCopies(copies, advisories).entries()) {
    const name = copies[i]?.name ?? ""
    const away = quarantine && copy.state === "remove"
    audited.push({ ...copy, name, quarantinedTo: away ? await moveAway(folder, name, copy) : null })
  }
  return audited
}
