import type { Purchase } from "../wire/Endpoints.ts"
import { readCursor, writeCursor } from "./audit/feedCursor.ts"
import { readFeed } from "./audit/readFeed.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { installLimits } from "./InstallOptions.ts"
import type { Prepared } from "./lock/commitInstall.ts"
import type { Lock, LockedRelease } from "./lock/LockEntry.ts"
import { faultOfInstalledName } from "./lock/LockEntry.ts"
import { pinKeys } from "./lock/PinnedKey.ts"
import type { Market } from "./Market.ts"
import { fetchRelease } from "./releases/fetchRelease.ts"
import { fetchSoul } from "./releases/fetchSoul.ts"
import { refuseRevoked } from "./releases/refuseRevoked.ts"
import { fetchSource } from "./sources/fetchSource.ts"
import type { Access, Fetched } from "./sources/Source.ts"
import { quoted } from "./tree/quoted.ts"
import { treeHash } from "./tree/treeHash.ts"

/** What is installed, under which license. */
export interface Item {
  readonly id: string
  readonly slug: string
  /** Null for a free item without a purchase (INSTALL-9). */
  readonly purchase: Purchase | null
  /** The version of a release; by default the one on sale. */
  readonly version: string | undefined
}

/** Fewer seconds than after which other processes consider a running install abandoned. */
const mostSeconds = 3000

/** The limits of one install, and the signal that aborts it. */
export const accessOf = ({ allowLoopback = false, limits: given, signal }: InstallOptions): Access => {
  const limits = { ...installLimits, ...given }
  const seconds = Math.min(limits.seconds, mostSeconds)
  const late = new AbortController()
  const reason = new InstallError(`it took more than ${seconds} seconds`)
  setTimeout(() => late.abort(reason), seconds * 1000).unref()
  return { allowLoopback, limits, signal: AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]) }
}

type Delivered = Fetched & { readonly release: LockedRelease | null }

const fetchSkill = async (
  market: Market,
  { id, version: wanted }: Item,
  keys: Lock["keys"],
  staging: string,
  access: Access
): Promise<Delivered> => {
  if (wanted !== undefined) return fetchRelease(market, { itemId: id, version: wanted }, keys, staging, access)
  const { kind, url, version } = await market.listings.install(id, { signal: access.signal })
  if (kind === "release" && version !== null)
    return fetchRelease(market, { itemId: id, version }, keys, staging, access)
  if (kind !== "link" || url === null) throw new InstallError("its seller gives nothing to install it from")
  return { ...(await fetchSource(url, staging, access)), release: null }
}

/** Rejects a license that waits, was refunded or has ended. */
export const refuseUnlicensed = (purchase: Purchase | null): void => {
  if (purchase !== null && (purchase.status !== "completed" || !purchase.isValid))
    throw new InstallError(`the license of ${purchase.id} does not count: it waits, was refunded or has ended`)
}

/** The keys to check with after those of the lock file (INSTALL-12), and the verified feed of advisories (INSTALL-15). */
export const trustOf = async (market: Market, installDir: string, { keys: pinned }: Lock, { signal }: Access) => {
  const { keys: published } = await market.signing.keys({ signal })
  const keys = pinKeys(pinned, published)
  const before = await readCursor(installDir)
  const { advisories, end } = await readFeed(market, keys, before, { signal })
  if (end !== null && end.id !== before?.id) await writeCursor(installDir, end)
  return { keys, advisories }
}

/** Fetches and checks the licensed item. Nothing is installed yet: its files are in `root`, inside `staging`. */
export const prepareInstall = async (
  market: Market,
  item: Item,
  installDir: string,
  lock: Lock,
  staging: string,
  access: Access
): Promise<Prepared & { readonly root: string }> => {
  const { id, purchase, slug: name } = item
  refuseUnlicensed(purchase)
  const fault = faultOfInstalledName(name)
  if (fault !== undefined) throw new InstallError(`its slug ${quoted(name)} ${fault}`)
  const { advisories, keys } = await trustOf(market, installDir, lock, access)
  const { files, release, root, source, version } = id.startsWith("soul_")
    ? await fetchSoul(market, item, keys, staging, access)
    : await fetchSkill(market, item, keys, staging, access)
  refuseRevoked(advisories, { id, version, release })
  const entry = {
    id,
    purchaseId: purchase?.id ?? null,
    source,
    version,
    sha256: treeHash(files),
    files: Object.fromEntries(files),
    release,
    installedAt: new Date().toISOString()
  }
  return { name, entry, keys, root }
}
