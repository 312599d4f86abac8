import { createHash } from "node:crypto"
import type { ReleaseStatement, StatementRefusal } from "../../signing/verifyStatement.ts"
import { verifyStatement } from "../../signing/verifyStatement.ts"
import type { Envelope } from "../../signing/verifyEnvelope.ts"
import { InstallError } from "../InstallError.ts"
import type { LockEntry } from "../lock/LockEntry.ts"
import type { PinnedKey } from "../lock/PinnedKey.ts"
import type { NeededCapabilities } from "./capabilitiesOf.ts"
import { neededOf } from "./capabilitiesOf.ts"
import { capabilitiesIn, releaseFiles } from "./releaseFiles.ts"

const reasons: Readonly<Record<StatementRefusal, string>> = {
  unknown_key: "it is signed with a key that the market does not list",
  retired_key: "it is dated after its key was retired",
  bad_signature: "its signature is wrong",
  malformed: "its format is wrong",
  other_type: "it is not a statement about a release",
  other_signatures: "it does not have exactly one signature",
  other_item: "it is about another item",
  other_version: "it is about another version",
  other_archive: "it is about other bytes than those that the market sent",
  other_files: "its files are not those of the archive"
}

const refused = (reason: StatementRefusal): InstallError =>
  new InstallError(`the market's statement about the release is refused: ${reasons[reason]}`)

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const refuseBlocked = ({ level }: ReleaseStatement): void => {
  if (level === "block") throw new InstallError("the market's verdict on the release is block")
}

/** The item and the version that were requested, and the statement that was received about them. */
export interface Stated {
  readonly itemId: string
  readonly version: string
  readonly statement: Envelope
}

/** The files of a release whose archive and statement belong together. */
export interface CheckedRelease {
  readonly statement: ReleaseStatement
  readonly files: ReadonlyArray<{ readonly path: string; readonly bytes: Uint8Array; readonly sha256: string }>
  readonly capabilities: NeededCapabilities
}

/**
 * The files of a received archive, after the signature, the archive's digest and the digest of each file were checked (INSTALL-11). The
 * archive is unpacked only if its own digest is the signed one. Rejects with an `InstallError`.
 */
export const checkRelease = async (
  archive: Uint8Array,
  { itemId, statement: envelope, version }: Stated,
  keys: ReadonlyArray<PinnedKey>
): Promise<CheckedRelease> => {
  const expected = { itemId, version, archive: sha256Of(archive) }
  const stated = await verifyStatement(envelope, keys, expected)
  if (!stated.valid) throw refused(stated.reason)
  const unpacked = releaseFiles(archive)
  if (typeof unpacked === "string") throw new InstallError(`the archive is refused: ${unpacked}`)
  const files = unpacked.files.map(({ bytes, path }) => ({ path, bytes, sha256: sha256Of(bytes) }))
  const whole = await verifyStatement(envelope, keys, { ...expected, files })
  if (!whole.valid) throw refused(whole.reason)
  refuseBlocked(whole.statement)
  return { statement: whole.statement, files, capabilities: neededOf(unpacked.capabilities) }
}

/** The signed facts about the text of a SOUL, whose release is this one file (INSTALL-19). Rejects with an `InstallError`. */
export const checkSoul = async (
  bytes: Uint8Array,
  { itemId, statement: envelope, version }: Stated,
  keys: ReadonlyArray<PinnedKey>
): Promise<Omit<CheckedRelease, "files">> => {
  const sha256 = sha256Of(bytes)
  const files = [{ path: "SOUL.md", sha256 }]
  const stated = await verifyStatement(envelope, keys, { itemId, version, archive: sha256, files })
  if (!stated.valid) throw refused(stated.reason)
  refuseBlocked(stated.statement)
  return { statement: stated.statement, capabilities: neededOf(capabilitiesIn([{ path: "SOUL.md", bytes }])) }
}

/** Why an entry of the lock file is not what the market signed; undefined if it is, and for entries that are not releases (INSTALL-13). */
export const faultOfLocked = async (
  { files, id, release, version }: LockEntry,
  keys: ReadonlyArray<PinnedKey>
): Promise<string | undefined> => {
  if (release === null) return undefined
  const stated = Object.entries(files).map(([path, sha256]) => ({ path, sha256 }))
  const expected = { itemId: id, version, archive: release.archive, files: stated }
  const check = await verifyStatement(release.statement, keys, expected)
  if (!check.valid) return reasons[check.reason]
  const { level, ruleset } = check.statement
  if (level !== release.level || ruleset !== release.ruleset) return "the verdict is not the signed one"
  return release.statement.signatures[0]?.keyid === release.keyId
    ? undefined
    : "the key's id is not that of the signature"
}
