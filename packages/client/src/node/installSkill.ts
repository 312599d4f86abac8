import { join } from "node:path"
import { MarketplaceError } from "../errors/MarketplaceError.ts"
import type { Purchase } from "../wire/Endpoints.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import { commitInstall, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import type { LockEntry } from "./lock/LockFile.ts"
import type { Market } from "./prepareInstall.ts"
import { accessOf, prepareInstall } from "./prepareInstall.ts"
import { quoted } from "./tree/quoted.ts"

/** An installed item. */
export interface Installed extends LockEntry {
  /** Its slug: the name of its folder and of its entry in the lock file. */
  readonly name: string
  /** The absolute path of its folder. */
  readonly installedPath: string
}

/** The item to install, by one of the two ids, and the folder. */
export interface InstallRequest extends InstallOptions {
  /** The purchase that licenses it. */
  readonly purchaseId?: string | undefined
  /** The id or slug of a purchased skill or SOUL; its purchase is looked up. */
  readonly skillId?: string | undefined
  /** The folder for installs, each in a subfolder named after its slug; default `skills`. */
  readonly installDir?: string | undefined
}

const purchaseOf = async (market: Market, request: InstallRequest, signal: AbortSignal): Promise<Purchase> => {
  const { purchaseId, skillId } = request
  if (purchaseId !== undefined) return market.purchases.get(purchaseId, { signal })
  if (skillId === undefined) throw new InstallError("an install needs a purchaseId or a skillId")
  let waits = false
  for await (const purchase of market.purchases.iterate({}, { signal })) {
    const { isValid, skill, status } = purchase
    if (skill.id !== skillId && skill.slug !== skillId) continue
    if (status === "completed" && isValid) return purchase
    waits ||= status === "pending"
  }
  throw new InstallError(`${quoted(skillId)} ${waits ? "waits for its owner's approval" : "has to be bought first"}`)
}

/** The failure as an `InstallError`; an error of the market is passed on unchanged. */
const failureOf = (error: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason
  if (error instanceof InstallError || error instanceof MarketplaceError) return error
  return new InstallError(error instanceof Error ? error.message : String(error), error)
}

/**
 * Installs a purchased item into `installDir/<slug>` (INSTALL-1), replacing an earlier install of it, and records it in the lock file.
 * Rejects with an `InstallError` or a `MarketplaceError`, or with the signal's reason; then nothing has changed. Fetched code is never
 * run (INSTALL-2).
 */
export const installSkill = async (market: Market, request: InstallRequest): Promise<Installed> => {
  const access = accessOf(request)
  const { signal } = access
  try {
    const installDir = await installFolder(request.installDir ?? defaultInstallDir)
    const purchase = await purchaseOf(market, request, signal)
    return await inStaging(installDir, async (staging) => {
      const { root, ...prepared } = await prepareInstall(market, purchase, staging, access)
      await commitInstall(installDir, staging, root, prepared, signal)
      return { ...prepared.entry, name: prepared.name, installedPath: join(installDir, prepared.name) }
    })
  } catch (error) {
    throw failureOf(error, signal)
  }
}
