import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { failureOf } from "./installSkill.ts"
import { commitInstall, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import type { Lock, LockEntry } from "./lock/LockEntry.ts"
import { lockFileName } from "./lock/LockEntry.ts"
import { readLockFile } from "./lock/LockFile.ts"
import { isSameJson } from "./lock/sealed.ts"
import type { Market } from "./Market.ts"
import { accessOf, refuseUnlicensed, trustOf } from "./prepareInstall.ts"
import { faultOfLocked } from "./releases/checkRelease.ts"
import { fetchLocked, refuseWithdrawn } from "./releases/fetchRelease.ts"
import { fetchLockedSoul, fetchSoul, refuseWithdrawnSoul } from "./releases/fetchSoul.ts"
import { refuseRevoked } from "./releases/refuseRevoked.ts"
import { fetchSource } from "./sources/fetchSource.ts"
import type { Access } from "./sources/Source.ts"
import type { Difference } from "./tree/differencesOf.ts"
import { treeHash } from "./tree/treeHash.ts"
import { lockedItem } from "./updateInstalled.ts"
import { differencesFrom } from "./verifyInstalled.ts"

/** The result for one entry of the lock file. */
export interface FrozenInstall {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
  readonly version: string
  /** `unchanged` if the folder already contained exactly these files. */
  readonly status: "installed" | "unchanged"
  /** How the folder that was replaced differed from the lock file: an earlier version, or changes made by hand. */
  readonly differences: ReadonlyArray<Difference>
}

/** The files of an entry, from where it was installed. */
const fetched = async (
  market: Market,
  lock: Lock,
  { entry, name }: { readonly entry: LockEntry; readonly name: string },
  staging: string,
  access: Access
) => {
  const { id, release, source, version } = entry
  if (release !== null) {
    const stated = { itemId: id, version, statement: release.statement }
    return source.type === "soul"
      ? fetchLockedSoul(market, name, stated, lock.keys, staging, access)
      : fetchLocked(market, stated, lock.keys, staging, access)
  }
  if (source.type === "soul") return fetchSoul(market, { id, slug: name, version }, lock.keys, staging, access)
  if (source.url === undefined) throw new InstallError("its entry in the lock file has no source")
  return fetchSource(source.url, staging, access)
}

const refuseWithdrawnEntry = async (
  market: Market,
  slug: string,
  { id, release, source, version }: LockEntry,
  signal: AbortSignal
): Promise<void> => {
  if (source.type === "soul") await refuseWithdrawnSoul(market, { slug, version }, signal)
  else if (release !== null) await refuseWithdrawn(market, { itemId: id, version }, signal)
}

/** Fetches one entry into a folder inside `staging`; undefined if its files are in place. Rejects unless it is exactly what the lock file says. */
const preparedOf = async (
  market: Market,
  installDir: string,
  lock: Lock,
  { entry, name }: { readonly entry: LockEntry; readonly name: string },
  staging: string,
  access: Access
): Promise<string | undefined> => {
  const fault = await faultOfLocked(entry, lock.keys)
  if (fault !== undefined) throw new InstallError(`${lockFileName} does not match the market's statement: ${fault}`)
  refuseUnlicensed((await lockedItem(market, name, entry, access.signal)).purchase)
  await refuseWithdrawnEntry(market, name, entry, access.signal)
  if ((await differencesFrom(join(installDir, name), entry, lock.keys)).length === 0) return undefined
  const own = join(staging, name)
  await mkdir(own)
  const { files, root } = await fetched(market, lock, { entry, name }, own, access)
  if (treeHash(files) !== entry.sha256)
    throw new InstallError("its files are no longer those of the lock file: they changed at their source")
  return root
}

const named = (name: string, error: unknown): unknown =>
  error instanceof Error ? new InstallError(`${name}: ${error.message}`, error) : error

/**
 * Installs exactly what the lock file says, or fails (INSTALL-17): the very bytes of each release, with licenses that are valid now, and nothing that
 * was revoked. A folder that differs from the lock file is replaced, and the result lists the differences. Nothing is replaced before everything is fetched and checked. The lock file is not changed. Rejects with an `InstallError` or a
 * `MarketplaceError`, or with the signal's reason.
 */
export const installFrozen = async (
  market: Market,
  given: string,
  options: InstallOptions = {}
): Promise<ReadonlyArray<FrozenInstall>> => {
  const access = accessOf(options)
  try {
    const installDir = await installFolder(given)
    const lock = await readLockFile(installDir)
    if (lock.entries.size === 0) throw new InstallError(`${join(installDir, lockFileName)} is missing or empty`)
    const { advisories } = await trustOf(market, installDir, lock, access)
    return await inStaging(installDir, async (staging) => {
      const roots = new Map<string, string | undefined>()
      for (const [name, entry] of lock.entries) {
        try {
          refuseRevoked(advisories, entry)
          roots.set(name, await preparedOf(market, installDir, lock, { name, entry }, staging, access))
        } catch (error) {
          throw access.signal.aborted ? error : named(name, error)
        }
      }
      const results: Array<FrozenInstall> = []
      for (const [name, entry] of lock.entries) {
        const root = roots.get(name)
        const known = { name, installedPath: join(installDir, name), version: entry.version }
        if (root === undefined) results.push({ ...known, status: "unchanged", differences: [] })
        else {
          const { discarded } = await commitFrozen(installDir, lock, { name, entry }, root, access)
          results.push({ ...known, status: "installed", differences: discarded })
        }
      }
      return results
    })
  } catch (error) {
    throw failureOf(error, access.signal)
  }
}

/** Each install has a staging folder of its own. */
const commitFrozen = (
  installDir: string,
  { keys }: Lock,
  { entry, name }: { readonly entry: LockEntry; readonly name: string },
  root: string,
  { signal }: Access
) =>
  inStaging(installDir, (staging) =>
    commitInstall(installDir, staging, root, { name, entry, keys }, signal, {
      permit: (there) => {
        if (!isSameJson(there, entry)) throw new InstallError(`${name}: the lock file was changed by another process`)
      },
      force: true
    })
  )
