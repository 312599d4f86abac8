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

/** Something that is installed now. */
export interface Installed extends LockEntry {
  /** The name of its folder, and in the lock file: its slug. */
  readonly name: string
  /** Its folder, absolute. */
  readonly installedPath: string
}

/** What to install, by one of the two, and where. */
export interface InstallRequest extends InstallOptions {
  /** The purchase that licenses it. */
  readonly purchaseId?: string | undefined
  /** The id or the slug of a skill or SOUL that was bought; its purchase is looked for. */
  readonly skillId?: string | undefined
  /** The folder in which it gets one of its own, named after its slug; `skills` where absent. */
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

/** What went wrong, as an `InstallError`; what the market said stays what it is. */
const failureOf = (error: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason
  if (error instanceof InstallError || error instanceof MarketplaceError) return error
  return new InstallError(error instanceof Error ? error.message : String(error), error)
}

/**
 * Installs what was bought into `installDir/<slug>` (INSTALL-1), in the place of an earlier install of the same, and writes it into the lock file.
 * Rejects with an `InstallError` or a `MarketplaceError`, or with the reason of the signal; then nothing has changed. Nothing of
 * what is fetched is ever run (INSTALL-2).
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
