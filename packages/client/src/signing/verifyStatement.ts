import type { PublicKeys } from "./checkSignature.ts"
import type { Envelope, EnvelopeRefusal, Payload } from "./verifyEnvelope.ts"
import { hasExactly, verifyEnvelope } from "./verifyEnvelope.ts"

/** A file of a release, by its path and its SHA-256 in hex. */
export interface StatedFile {
  readonly path: string
  readonly sha256: string
}

/** What a release's statement says (SIGN-8). */
export interface ReleaseStatement {
  /** The SHA-256 of the archive, in hex. */
  readonly archive: string
  readonly files: ReadonlyArray<StatedFile>
  readonly itemId: string
  readonly version: string
  readonly creator: string
  readonly ruleset: string
  readonly level: string
  /** ISO 8601. */
  readonly publishedAt: string
}

/** The release that the statement must be about. */
export interface ExpectedRelease {
  readonly itemId: string
  readonly version: string
  /** The SHA-256 of the archive as it was received. */
  readonly archive: string
  /** The files as they were unpacked, in any order; if absent, only the archive is compared. */
  readonly files?: ReadonlyArray<StatedFile> | undefined
}

/** Why a statement is not believed (SIGN-10). */
export type StatementRefusal = EnvelopeRefusal | "other_item" | "other_version" | "other_archive" | "other_files"

export type StatementCheck =
  | { readonly valid: true; readonly statement: ReleaseStatement }
  | { readonly valid: false; readonly reason: StatementRefusal }

const fileOf = (subject: unknown): StatedFile | undefined => {
  if (!hasExactly(subject, "name", "digest") || !hasExactly(subject["digest"], "sha256")) return undefined
  const { digest, name } = subject as { readonly name: unknown; readonly digest: { readonly sha256: unknown } }
  return typeof name === "string" && typeof digest.sha256 === "string"
    ? { path: name, sha256: digest.sha256 }
    : undefined
}

const facts = ["itemId", "version", "creator", "ruleset", "level", "publishedAt"] as const

const predicateOf = ({ predicate }: Payload): Payload =>
  typeof predicate === "object" && predicate !== null ? (predicate as Payload) : {}

/** The release that an in-toto statement is about; undefined for every other statement. */
const statementOf = (payload: Payload): ReleaseStatement | undefined => {
  const predicate = predicateOf(payload)
  const subjects = Array.isArray(payload["subject"]) ? payload["subject"].map(fileOf) : []
  const [archive, ...files] = subjects
  const isRelease =
    payload["_type"] === "https://in-toto.io/Statement/v1" &&
    payload["predicateType"] === "urn:agent-marketplace:release:v1" &&
    facts.every((name) => typeof predicate[name] === "string") &&
    archive?.path === "archive" &&
    files.every((file) => file !== undefined)
  return isRelease
    ? { ...(predicate as unknown as Omit<ReleaseStatement, "archive" | "files">), archive: archive.sha256, files }
    : undefined
}

const listed = (files: ReadonlyArray<StatedFile>): string =>
  JSON.stringify(files.map(({ path, sha256 }) => `${sha256} ${path}`).sort())

const refusalOf = (statement: ReleaseStatement, expected: ExpectedRelease): StatementRefusal | undefined => {
  if (statement.itemId !== expected.itemId) return "other_item"
  if (statement.version !== expected.version) return "other_version"
  if (statement.archive !== expected.archive) return "other_archive"
  return expected.files !== undefined && listed(statement.files) !== listed(expected.files) ? "other_files" : undefined
}

/**
 * Checks without the network that the market signed a statement about exactly this release (SIGN-10): its item, its version, its archive and its
 * files. A genuine statement about another version or other bytes is refused, and so is one by a key that was retired at its date.
 */
export const verifyStatement = async (
  envelope: Envelope,
  keys: PublicKeys,
  expected: ExpectedRelease
): Promise<StatementCheck> => {
  const verified = await verifyEnvelope(
    envelope,
    keys,
    "application/vnd.in-toto+json",
    (payload) => predicateOf(payload)["publishedAt"]
  )
  if ("reason" in verified) return { valid: false, reason: verified.reason }
  const statement = statementOf(verified.payload)
  if (statement === undefined) return { valid: false, reason: "malformed" }
  const reason = refusalOf(statement, expected)
  return reason === undefined ? { valid: true, statement } : { valid: false, reason }
}
