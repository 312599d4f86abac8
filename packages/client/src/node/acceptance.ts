import { MarketplaceError } from "../errors/MarketplaceError.ts"
import { InstallError } from "./InstallError.ts"
import type { LockEntry } from "./lock/LockEntry.ts"
import type { Market } from "./Market.ts"
import { reasonToAsk } from "./releases/changesOf.ts"

/** The replacement needs the consent of the owner. Nothing was changed. */
export class NotAccepted extends InstallError {
  override readonly name = "NotAccepted"
}

/** Only keys of owners may list the account's agents, whatever else they may do. */
const isOwner = (market: Market, signal: AbortSignal): Promise<boolean> =>
  market.agents.list({ limit: 1 }, { signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MarketplaceError && error.statusCode === 403) return false
      throw error
    }
  )

/**
 * Whether replacements that ask for more may be made (INSTALL-16): `accept` counts only with a key of the owner, not with that of an agent. The
 * result rejects replacements that may not.
 */
export const permission = async (
  market: Market,
  {
    accept,
    signal,
    wasRequested
  }: { readonly accept: boolean; readonly signal: AbortSignal; readonly wasRequested: boolean }
): Promise<(name: string, earlier: LockEntry | undefined, entry: LockEntry) => void> => {
  const owner = accept && (await isOwner(market, signal))
  return (name, earlier, entry) => {
    const reason = earlier === undefined ? undefined : reasonToAsk(earlier, entry, wasRequested)
    if (reason === undefined || owner) return
    const who = accept ? "Only the account's owner can accept that, not an agent" : "Accept that to install it"
    throw new NotAccepted(`${reason}. ${who}: \`agent-marketplace update ${name} --accept\` with a key of the owner`)
  }
}
