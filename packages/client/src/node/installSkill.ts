import { join } from "node:path"
import { MarketplaceError } from "../errors/MarketplaceError.ts"
import type { Purchase } from "../wire/Endpoints.ts"
import { permission } from "./acceptance.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import { commitInstall, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import type { LockEntry } from "./lock/LockEntry.ts"
import { readLockFile } from "./lock/LockFile.ts"
import type { Market } from "./Market.ts"
import type { Item } from "./prepareInstall.ts"
import { accessOf, prepareInstall } from "./prepareInstall.ts"
import type { Changes } from "./releases/changesOf.ts"
import { changesOf } from "./releases/changesOf.ts"
import type { Difference } from "./tree/differencesOf.ts"
import { quoted } from "./tree/quoted.ts"

/** An installed item. */
export interface Installed extends LockEntry {
  /** Its slug: the name of its folder and of its entry in the lock file. */
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
  /** What differs from the install that it replaced; null if there was none. */
  readonly changes: Changes | null
  /** The files that were changed or added by hand and that `force` discarded. */
  readonly discarded: ReadonlyArray<Difference>
}

/** The item to install, by one of the two ids, and the folder. */
export interface InstallRequest extends InstallOptions {
  /** The purchase that licenses it. */
  readonly purchaseId?: string | undefined
  /** The id or slug of a purchased skill or SOUL, or of a free skill; its purchase is looked up. */
  readonly skillId?: string | undefined
  /** The version of a release; by default the one on sale. */
  readonly version?: string | undefined
  /**
   * Accepts that a release replaces one that asks for less, or that the files of a `link` item changed (INSTALL-16). It needs a key of the
   * account's owner.
   */
  readonly accept?: boolean | undefined
  /** Discards files of an earlier install that were changed or added by hand; without it they are a `ChangedByHand` error (INSTALL-20). */
  readonly force?: boolean | undefined
  /** The folder for installs, each in a subfolder named after its slug; default `skills`. */
  readonly installDir?: string | undefined
}

const purchased = async (
  market: Market,
  skillId: string,
  signal: AbortSignal
): Promise<Purchase | "waits" | undefined> => {
  let waits = false
  for await (const purchase of market.purchases.iterate({}, { signal })) {
    const { isValid, skill, status } = purchase
    if (skill.id !== skillId && skill.slug !== skillId) continue
    if (status === "completed" && isValid) return purchase
    waits ||= status === "pending"
  }
  return waits ? "waits" : undefined
}

/** A free skill needs no purchase; everything else does. */
const freeItem = async (market: Market, skillId: string, signal: AbortSignal) => {
  const found = await market.skills.get(skillId, { signal }).catch((error: unknown) => {
    if (error instanceof MarketplaceError && error.statusCode === 404) return undefined
    throw error
  })
  return found !== undefined && found.kind !== "soul" && Number(found.price) === 0 ? found : undefined
}

const itemOf = async (market: Market, request: InstallRequest, signal: AbortSignal): Promise<Item> => {
  const { purchaseId, skillId, version } = request
  if (purchaseId === undefined && skillId === undefined)
    throw new InstallError("an install needs a purchaseId or a skillId")
  const purchase =
    purchaseId === undefined
      ? await purchased(market, skillId ?? "", signal)
      : await market.purchases.get(purchaseId, { signal })
  if (purchase === "waits") throw new InstallError(`${quoted(skillId ?? "")} waits for its owner's approval`)
  if (purchase !== undefined) return { ...purchase.skill, purchase, version }
  const free = await freeItem(market, skillId ?? "", signal)
  if (free === undefined) throw new InstallError(`${quoted(skillId ?? "")} has to be bought first`)
  return { id: free.id, slug: free.slug, purchase: null, version }
}

/** The failure as an `InstallError`; an error of the market is passed on unchanged. */
export const failureOf = (error: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason
  if (error instanceof InstallError || error instanceof MarketplaceError) return error
  return new InstallError(error instanceof Error ? error.message : String(error), error)
}

/**
 * Installs a purchased item, or a free one, into `installDir/<slug>` (INSTALL-1), replacing an earlier install of it, and records it in the lock
 * file. Changes that were made by hand are kept unless `force` is set. Rejects with an `InstallError` or a `MarketplaceError`, or with the signal's reason; then nothing has changed. Fetched code is never
 * run (INSTALL-2).
 */
export const installSkill = async (market: Market, request: InstallRequest): Promise<Installed> => {
  const access = accessOf(request)
  const { signal } = access
  try {
    const installDir = await installFolder(request.installDir ?? defaultInstallDir)
    const item = await itemOf(market, request, signal)
    const wasRequested = request.version !== undefined
    const permit = await permission(market, { accept: request.accept === true, signal, wasRequested })
    const lock = await readLockFile(installDir)
    return await inStaging(installDir, async (staging) => {
      const { root, ...prepared } = await prepareInstall(market, item, installDir, lock, staging, access)
      const { entry, name } = prepared
      const { discarded, earlier } = await commitInstall(installDir, staging, root, prepared, signal, {
        permit: (there) => permit(name, there, entry),
        force: request.force === true
      })
      const changes = earlier === undefined ? null : changesOf(earlier, entry)
      return { ...entry, name, installedPath: join(installDir, name), changes, discarded }
    })
  } catch (error) {
    throw failureOf(error, signal)
  }
}
