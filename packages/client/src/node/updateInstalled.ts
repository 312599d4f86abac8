import { join } from "node:path"
import { NotAccepted, permission } from "./acceptance.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { commitInstall, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import type { Lock, LockEntry } from "./lock/LockEntry.ts"
import { readLockFile } from "./lock/LockFile.ts"
import type { Market } from "./Market.ts"
import type { Item } from "./prepareInstall.ts"
import { accessOf, prepareInstall } from "./prepareInstall.ts"
import type { Changes } from "./releases/changesOf.ts"
import { changesOf } from "./releases/changesOf.ts"
import { quoted } from "./tree/quoted.ts"
import { chosenEntries, differencesFrom } from "./verifyInstalled.ts"

/** The options of an update. */
export interface UpdateOptions extends InstallOptions {
  /** As for an install. */
  readonly accept?: boolean | undefined
  /** Only reports what an update would change. */
  readonly dryRun?: boolean | undefined
}

/** The result of updating one item of the lock file. */
export interface Updated {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
  /** `available`: a dry run found a change. `not_accepted` and `failed`: the installed files are unchanged. */
  readonly status: "updated" | "unchanged" | "available" | "not_accepted" | "failed"
  /** The version that was installed before. */
  readonly from: string
  /** The version that is installed now, or for `available` and `not_accepted` the one that could be. */
  readonly to: string
  /** Null if nothing differs, or if the item failed. */
  readonly changes: Changes | null
  /** Why it was not updated. */
  readonly message?: string
}

const refuseChanged = async (folder: string, entry: LockEntry, keys: Lock["keys"]): Promise<void> => {
  const [first, ...others] = await differencesFrom(folder, entry, keys)
  if (first === undefined) return
  const more = others.length === 0 ? "" : ` and ${others.length} more`
  throw new InstallError(
    `${first.path} is ${first.difference}${more}: install it again with --force to discard the changes`
  )
}

/** The item of an entry, under the license that the lock file records (CLIENT-16). */
export const lockedItem = async (
  market: Market,
  name: string,
  entry: LockEntry,
  signal: AbortSignal
): Promise<Item> => {
  if (entry.purchaseId === null) return { id: entry.id, slug: name, purchase: null, version: undefined }
  const purchase = await market.purchases.get(entry.purchaseId, { signal })
  if (purchase.skill.id !== entry.id)
    throw new InstallError(
      `the lock file's purchase ${quoted(entry.purchaseId)} is of ${purchase.skill.id}, not ${quoted(entry.id)}`
    )
  return { id: entry.id, slug: purchase.skill.slug, purchase, version: undefined }
}

const updateOne = async (
  market: Market,
  installDir: string,
  lock: Lock,
  { entry, name }: { readonly name: string; readonly entry: LockEntry },
  options: UpdateOptions
): Promise<Updated> => {
  const installedPath = join(installDir, name)
  const known = { name, installedPath, from: entry.version, to: entry.version, changes: null }
  const access = accessOf(options)
  const { signal } = access
  let found: Pick<Updated, "to" | "changes"> = known
  try {
    await refuseChanged(installedPath, entry, lock.keys)
    const item = await lockedItem(market, name, entry, signal)
    const permit = await permission(market, { accept: options.accept === true, signal, wasRequested: false })
    return await inStaging(installDir, async (staging): Promise<Updated> => {
      const { root, ...fetched } = await prepareInstall(market, item, installDir, lock, staging, access)
      const { sha256, version } = fetched.entry
      if (version === entry.version && sha256 === entry.sha256) return { ...known, status: "unchanged" }
      found = { to: version, changes: changesOf(entry, fetched.entry) }
      permit(name, entry, fetched.entry)
      if (options.dryRun === true) return { ...known, ...found, status: "available" }
      await commitInstall(installDir, staging, root, { ...fetched, name }, signal, {
        permit: (there) => permit(name, there, fetched.entry),
        force: false
      })
      return { ...known, ...found, status: "updated" }
    })
  } catch (error) {
    options.signal?.throwIfAborted()
    const reason: unknown = signal.aborted ? signal.reason : error
    const message = reason instanceof Error ? reason.message : String(reason)
    return reason instanceof NotAccepted
      ? { ...known, ...found, status: "not_accepted", message }
      : { ...known, status: "failed", message }
  }
}

/**
 * Fetches the installed items again (CLIENT-16), those of `names` or all, and replaces those that changed. An item that fails, that asks for more
 * without being accepted, or whose files were changed manually, is left unchanged, and its `message` has the reason; the others are still
 * updated. Rejects with an `InstallError` if the lock file is invalid or lacks one of `names`.
 */
export const updateInstalled = async (
  market: Market,
  installDir: string,
  names?: ReadonlyArray<string>,
  options: UpdateOptions = {}
): Promise<ReadonlyArray<Updated>> => {
  const folder = await installFolder(installDir)
  const results: Array<Updated> = []
  for (const [name, entry] of chosenEntries((await readLockFile(folder)).entries, names))
    results.push(await updateOne(market, folder, await readLockFile(folder), { name, entry }, options))
  return results
}
