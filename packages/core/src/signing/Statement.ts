import { Result } from "effect"
import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ItemId } from "../ids/Ids.ts"
import { canonicalJson } from "./CanonicalJson.ts"

/** The payload type of in-toto statements in DSSE envelopes. */
export const statementPayloadType = "application/vnd.in-toto+json"

/** The type of the predicate of a release's statement. */
const releasePredicateType = "urn:agent-marketplace:release:v1"

/** The content of a release's statement: the bytes, and the verdict about them (SIGN-8). */
export interface ReleaseStatement {
  /** The SHA-256 of the archive, in hex. */
  readonly archive: string
  /** The files, sorted by the bytes of their paths. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly sha256: string }>
  readonly itemId: ItemId
  readonly version: string
  readonly creator: AccountId
  /** The version of the rules that scanned the release. */
  readonly ruleset: string
  readonly level: "clean" | "notice" | "warn" | "block"
  readonly publishedAt: Timestamp
}

/**
 * The bytes of an in-toto Statement v1 in canonical JSON. The archive is the first subject, under the name `archive`; the files follow under
 * their paths, so that a file named `archive` is not mistaken for it. Fails if a text is not well-formed Unicode.
 */
export const releaseStatement = ({
  archive,
  files,
  publishedAt,
  ...facts
}: ReleaseStatement): Result.Result<Uint8Array, string> =>
  Result.map(
    canonicalJson({
      _type: "https://in-toto.io/Statement/v1",
      subject: [
        { name: "archive", digest: { sha256: archive } },
        ...files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }))
      ],
      predicateType: releasePredicateType,
      predicate: { ...facts, publishedAt: Timestamp.toIso(publishedAt) }
    }),
    (text) => new TextEncoder().encode(text)
  )
