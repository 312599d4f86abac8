import { join } from "node:path"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { commitInstall, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import type { LockEntry } from "./lock/LockFile.ts"
import { readLockFile } from "./lock/LockFile.ts"
import type { Market } from "./prepareInstall.ts"
import { accessOf, prepareInstall } from "./prepareInstall.ts"
import { differencesOf } from "./tree/differencesOf.ts"
import { quoted } from "./tree/quoted.ts"
import { chosenEntries } from "./verifyInstalled.ts"

/** The result of updating one item of the lock file. */
export interface Updated {
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
  /** `failed` means that the installed files are unchanged. */
  readonly status: "updated" | "unchanged" | "failed"
  /** The version that was installed before. */
  readonly from: string
  /** The version that is installed now. */
  readonly to: string
  /** Why it failed. */
  readonly message?: string
}

const refuseChanged = async (folder: string, entry: LockEntry): Promise<void> => {
  const [first, ...others] = await differencesOf(folder, entry)
  if (first === undefined) return
  const more = others.length === 0 ? "" : ` and ${others.length} more`
  throw new InstallError(`${first.path} is ${first.difference}${more}: install it again to discard that`)
}

const updateOne = async (
  market: Market,
  installDir: string,
  { entry, name }: { readonly name: string; readonly entry: LockEntry },
  options: InstallOptions
): Promise<Updated> => {
  const installedPath = join(installDir, name)
  const known = { name, installedPath, from: entry.version, to: entry.version }
  const access = accessOf(options)
  try {
    await refuseChanged(installedPath, entry)
    const purchase = await market.purchases.get(entry.purchaseId, { signal: access.signal })
    if (purchase.skill.id !== entry.id)
      throw new InstallError(
        `the lock file's purchase ${quoted(entry.purchaseId)} is of ${purchase.skill.id}, not ${quoted(entry.id)}`
      )
    return await inStaging(installDir, async (staging): Promise<Updated> => {
      const { root, ...fetched } = await prepareInstall(market, purchase, staging, access)
      const { sha256, version } = fetched.entry
      if (version === entry.version && sha256 === entry.sha256) return { ...known, status: "unchanged" }
      await commitInstall(installDir, staging, root, { ...fetched, name }, access.signal)
      return { ...known, status: "updated", to: version }
    })
  } catch (error) {
    options.signal?.throwIfAborted()
    const reason: unknown = access.signal.aborted ? access.signal.reason : error
    return { ...known, status: "failed", message: reason instanceof Error ? reason.message : String(reason) }
  }
}

/**
 * Fetches the installed items again (CLIENT-16), those of `names` or all, and replaces those that changed. An item that fails, or whose files
 * were changed manually, is left unchanged, and its `message` has the reason; the others are still updated. Rejects with an `InstallError` if
 * the lock file is invalid or lacks one of `names`.
 */
export const updateInstalled = async (
  market: Market,
  installDir: string,
  names?: ReadonlyArray<string>,
  options: InstallOptions = {}
): Promise<ReadonlyArray<Updated>> => {
  const folder = await installFolder(installDir)
  const results: Array<Updated> = []
  for (const [name, entry] of chosenEntries(await readLockFile(folder), names))
    results.push(await updateOne(market, folder, { name, entry }, options))
  return results
}
