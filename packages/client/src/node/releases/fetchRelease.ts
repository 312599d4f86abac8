import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import type { Release } from "../../wire/Endpoints.ts"
import type { Envelope } from "../../signing/verifyEnvelope.ts"
import { InstallError } from "../InstallError.ts"
import type { LockedRelease } from "../lock/LockEntry.ts"
import type { PinnedKey } from "../lock/PinnedKey.ts"
import { isSameJson } from "../lock/sealed.ts"
import type { Market } from "../Market.ts"
import type { Access, Fetched } from "../sources/Source.ts"
import { quoted } from "../tree/quoted.ts"
import { makeTreeWriter } from "../tree/TreeWriter.ts"
import type { CheckedRelease, Stated } from "./checkRelease.ts"
import { checkRelease, sha256Of } from "./checkRelease.ts"

/** A release on its way to the disk. */
export interface FetchedRelease extends Fetched {
  readonly release: LockedRelease
}

/** The most bytes of a release's archive (RELEASE-1). */
const mostBytes = 20 * 1024 * 1024

/** Scripts are executable, because skills run them by their names. Nothing else is, and no file has other special bits. */
const modeOf = (bytes: Uint8Array): 0o644 | 0o755 => (bytes[0] === 0x23 && bytes[1] === 0x21 ? 0o755 : 0o644)

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))

/** The response about the release must describe the very bytes that were sent, although only the statement is signed. */
export const refuseOtherManifest = (release: Release, archive: Uint8Array, files: CheckedRelease["files"]): void => {
  const found = files.map(({ bytes, path, sha256 }) => ({ path, size: bytes.byteLength, sha256 })).toSorted(byPath)
  if (release.sha256 !== sha256Of(archive) || release.size !== archive.byteLength || !isSameJson(release.files, found))
    throw new InstallError("the market describes other files than those that it sent")
}

/** The statement of a release that may be installed. */
export const statementOf = ({ reason, statement, status, version }: Release): Envelope => {
  if (status !== "published" && status !== "yanked")
    throw new InstallError(
      `version ${quoted(String(version))} cannot be installed: it is ${quoted(String(status))}${reason === null ? "" : `, ${quoted(String(reason?.text))}`}`
    )
  if (statement === null) throw new InstallError(`version ${quoted(version)} has no statement of the market`)
  return statement
}

const download = (market: Market, { itemId, version }: Omit<Stated, "statement">, { limits, signal }: Access) =>
  market.releases.download(itemId, version, {
    signal,
    timeout: limits.seconds * 1000,
    most: Math.min(mostBytes, limits.downloadBytes)
  })

const written = async (
  archive: Uint8Array,
  stated: Stated,
  { capabilities, files, statement }: CheckedRelease,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const root = join(staging, "files")
  await mkdir(root)
  const writer = makeTreeWriter(root, access.limits, access.signal)
  for (const { bytes, path } of files) await writer.file(path, async () => Readable.from([bytes]), modeOf(bytes))
  const { level, ruleset } = statement
  const keyId = stated.statement.signatures[0]?.keyid ?? ""
  return {
    source: { type: "release" },
    version: stated.version,
    root,
    files: writer.files(),
    release: { archive: sha256Of(archive), keyId, level, ruleset, capabilities, statement: stated.statement }
  }
}

/** Downloads a release and checks everything about it in memory; only then are its files written into `staging` (INSTALL-11). */
export const fetchRelease = async (
  market: Market,
  about: { readonly itemId: string; readonly version: string },
  keys: ReadonlyArray<PinnedKey>,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const release = await market.releases.get(about.itemId, about.version, { signal: access.signal })
  const stated = { ...about, statement: statementOf(release) }
  const archive = await download(market, about, access)
  const checked = await checkRelease(archive, stated, keys)
  refuseOtherManifest(release, archive, checked.files)
  return written(archive, stated, checked, staging, access)
}

/** Rejects if nobody may install the release any more: it is quarantined or waits for a decision (INSTALL-17). */
export const refuseWithdrawn = async (
  market: Market,
  { itemId, version }: Omit<Stated, "statement">,
  signal: AbortSignal
): Promise<void> => {
  statementOf(await market.releases.get(itemId, version, { signal }))
}

/** Downloads the release that the lock file names, and accepts only its very bytes and statement (INSTALL-17). */
export const fetchLocked = async (
  market: Market,
  stated: Stated,
  keys: ReadonlyArray<PinnedKey>,
  staging: string,
  access: Access
): Promise<FetchedRelease> => {
  const archive = await download(market, stated, access)
  return written(archive, stated, await checkRelease(archive, stated, keys), staging, access)
}
