import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import type { Marketplace } from "../Marketplace.ts"
import type { Purchase } from "../wire/Endpoints.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { installLimits } from "./InstallOptions.ts"
import type { Prepared } from "./lock/commitInstall.ts"
import { faultOfInstalledName } from "./lock/LockFile.ts"
import { fetchSource } from "./sources/fetchSource.ts"
import type { Access, Fetched } from "./sources/Source.ts"
import { quoted } from "./tree/quoted.ts"
import { treeHash } from "./tree/treeHash.ts"
import { makeTreeWriter } from "./tree/TreeWriter.ts"

/** The market's operations that an install needs. */
export type Market = Pick<Marketplace, "purchases" | "listings" | "souls">

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

const fetchSoul = async (market: Market, slug: string, staging: string, access: Access): Promise<Fetched> => {
  const { content, version } = await market.souls.download(slug, { signal: access.signal })
  if (content === "") throw new InstallError("the market gives no text of the SOUL to this account")
  const root = join(staging, "files")
  await mkdir(root)
  const writer = makeTreeWriter(root, access.limits, access.signal)
  await writer.file("SOUL.md", async () => Readable.from([Buffer.from(content)]))
  return { source: { type: "soul" }, version: String(version), root, files: writer.files() }
}

const fetchSkill = async (market: Market, id: string, staging: string, access: Access): Promise<Fetched> => {
  const { installUrl } = await market.listings.get(id, { signal: access.signal })
  if (installUrl === null) throw new InstallError("its seller gives nothing to install it from")
  return fetchSource(installUrl, staging, access)
}

/** Fetches and checks the licensed item. Nothing is installed yet: its files are in `root`, inside `staging`. */
export const prepareInstall = async (
  market: Market,
  purchase: Purchase,
  staging: string,
  access: Access
): Promise<Prepared & { readonly root: string }> => {
  const { id, slug: name } = purchase.skill
  if (purchase.status !== "completed" || !purchase.isValid)
    throw new InstallError(`the license of ${purchase.id} does not count: it waits, was refunded or has ended`)
  const fault = faultOfInstalledName(name)
  if (fault !== undefined) throw new InstallError(`its slug ${quoted(name)} ${fault}`)
  const { files, root, source, version } = id.startsWith("soul_")
    ? await fetchSoul(market, name, staging, access)
    : await fetchSkill(market, id, staging, access)
  const entry = {
    id,
    purchaseId: purchase.id,
    licenseKey: purchase.licenseKey,
    source,
    version,
    sha256: treeHash(files),
    files: Object.fromEntries(files),
    installedAt: new Date().toISOString()
  }
  return { name, entry, root }
}
