import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { InstallError } from "../InstallError.ts"
import type { PinnedKey } from "../lock/PinnedKey.ts"
import type { Market } from "../Market.ts"
import type { Access } from "../sources/Source.ts"
import { quoted } from "../tree/quoted.ts"
import { makeTreeWriter } from "../tree/TreeWriter.ts"
import type { Stated } from "./checkRelease.ts"
import { checkSoul, sha256Of } from "./checkRelease.ts"
import type { FetchedRelease } from "./fetchRelease.ts"
import { refuseOtherManifest, statementOf } from "./fetchRelease.ts"

/** The SOUL to install, and the version of its release, such as `2.0.0`; by default the one on sale. */
export interface WantedSoul {
  readonly id: string
  readonly slug: string
  readonly version: string | undefined
}

/** The number of the text that a release is of: 2 for `2.0.0`, and for `2`, as lock files had it before SOULs had releases. */
const numberOf = (version: string): number => {
  const number = /^([1-9][0-9]{0,9})(?:\.0\.0)?$/.exec(version)?.[1]
  if (number === undefined)
    throw new InstallError(`a SOUL has no version ${quoted(version)}: its versions are 1.0.0, 2.0.0, …`)
  return Number(number)
}

/** The text of the version on sale counts as a download; a named version is only read. */
const textOf = async (market: Market, { slug, version }: WantedSoul, { signal }: Access) => {
  if (version === undefined) {
    const { content, version: number } = await market.souls.download(slug, { signal })
    const { release } = await market.souls.version(slug, number, { signal })
    return { content, number, release }
  }
  const number = numberOf(version)
  const { content, preview, release } = await market.souls.version(slug, number, { signal })
  if (preview) throw new InstallError(`the market gives only a preview of version ${number} to this account`)
  return { content, number, release }
}

/** The release of a version, which must be published or yanked and have a statement. */
const releaseOf = async (market: Market, wanted: WantedSoul, access: Access) => {
  const { content, number, release } = await textOf(market, wanted, access)
  if (content === "") throw new InstallError("the market gives no text of the SOUL to this account")
  if (release === null) throw new InstallError(`version ${number} has no statement of the market yet: try again later`)
  return { bytes: Buffer.from(content), number, release, statement: statementOf(release) }
}

const written = async (
  bytes: Uint8Array,
  stated: Stated,
  keys: ReadonlyArray<PinnedKey>,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const { capabilities, statement } = await checkSoul(bytes, stated, keys)
  const root = join(staging, "files")
  await mkdir(root)
  const writer = makeTreeWriter(root, access.limits, access.signal)
  await writer.file("SOUL.md", async () => Readable.from([bytes]))
  const { level, ruleset } = statement
  const keyId = stated.statement.signatures[0]?.keyid ?? ""
  return {
    source: { type: "soul" },
    version: stated.version,
    root,
    files: writer.files(),
    release: { archive: sha256Of(bytes), keyId, level, ruleset, capabilities, statement: stated.statement }
  }
}

/** Reads the text of a SOUL and checks it against the market's statement in memory; only then is it written into `staging` (INSTALL-19). */
export const fetchSoul = async (
  market: Market,
  wanted: WantedSoul,
  keys: ReadonlyArray<PinnedKey>,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const { bytes, number, release, statement } = await releaseOf(market, wanted, access)
  const stated = { itemId: wanted.id, version: `${number}.0.0`, statement }
  refuseOtherManifest(release, bytes, [{ path: "SOUL.md", bytes, sha256: sha256Of(bytes) }])
  return written(bytes, stated, keys, staging, access)
}

/** Reads the version that the lock file names, and accepts only its very text and statement (INSTALL-17, INSTALL-19). */
export const fetchLockedSoul = async (
  market: Market,
  slug: string,
  stated: Stated,
  keys: ReadonlyArray<PinnedKey>,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const { bytes } = await releaseOf(market, { id: stated.itemId, slug, version: stated.version }, access)
  return written(bytes, stated, keys, staging, access)
}

/** Rejects if nobody may install the version any more: it is quarantined or waits for a decision (INSTALL-17). */
export const refuseWithdrawnSoul = async (
  market: Market,
  { slug, version }: { readonly slug: string; readonly version: string },
  signal: AbortSignal
): Promise<void> => {
  const { release } = await market.souls.version(slug, numberOf(version), { signal })
  if (release !== null) statementOf(release)
}
