import type { Sha256 } from "../blobs/Sha256.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { ItemId, ReleaseId } from "../ids/Ids.ts"
import type { DsseEnvelope } from "../signing/DsseEnvelope.ts"
import type { Capabilities, Finding, Level, Verdict } from "./Verdict.ts"
import { worstLevel } from "./Verdict.ts"

/**
 * `scanning` → `published` | `in_review` | `quarantined`; `in_review` ⇄ `published` ⇄ `quarantined`; any → `yanked` | `quarantined`
 * (RELEASE-7).
 */
export const releaseStatuses = ["scanning", "published", "in_review", "quarantined", "yanked"] as const

export type ReleaseStatus = (typeof releaseStatuses)[number]

/** The media types of archives; the release of a soul is its text (RELEASE-1). */
export const releaseMediaTypes = ["application/gzip", "application/zip", "text/markdown"] as const

export type ReleaseMediaType = (typeof releaseMediaTypes)[number]

/** Who decided whether the release may be sold: a scan, or an operator. A better verdict does not change an operator's decision. */
export const releaseDeciders = ["scan", "operator"] as const

/** What a release in review waits for: the approval of its listing, which also publishes the release, or an operator's decision on the release. */
export const releaseAwaits = ["listing", "operator"] as const

/** The states in which a release can wait for an operator (RELEASE-29). */
export const waitingStatuses = ["in_review", "quarantined"] as const satisfies ReadonlyArray<ReleaseStatus>

export type WaitingStatus = (typeof waitingStatuses)[number]

/** One file of a release. */
export interface ReleaseFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** SHA-256, as 64 hex digits in lower case. */
  readonly sha256: Sha256
}

/** Why a release or a whole item was withdrawn, in a code for programs and in words for the creator. */
export interface ReleaseReason {
  readonly code: string
  readonly text: string
  /** When it was decided; distinguishes decisions with the same reason. Absent in older records. */
  readonly at?: Timestamp
  /** Whether it was revoked, which is permanent (REVOKE-1). */
  readonly revoked?: true
  /** Whether it is quarantined only because another release with the same bytes is (RELEASE-27). */
  readonly copied?: true
}

/** Whether an operator found that the release is another creator's work. Its bytes may be fine, and are then sold by their author. */
export const isStolen = ({
  decidedBy,
  reason,
  status
}: Pick<ReleaseHead, "decidedBy" | "reason" | "status">): boolean =>
  status === "quarantined" && decidedBy === "operator" && (reason?.code === "copy" || reason?.code === "impersonation")

/**
 * Whether the release itself is quarantined, not only as a copy, and because of its bytes. If so, every release with the same bytes is quarantined
 * too (RELEASE-27).
 */
export const stopsBytes = (release: Pick<ReleaseHead, "decidedBy" | "reason" | "status">): boolean =>
  release.status === "quarantined" && release.reason?.copied !== true && !isStolen(release)

/** The fields of a release that rules decide on. Its files and its statement can be large. */
export interface ReleaseHead {
  readonly id: ReleaseId
  readonly itemId: ItemId
  /** A semantic version; unique for the item, also after a yank (RELEASE-3). */
  readonly version: string
  readonly mediaType: ReleaseMediaType
  /** SHA-256 of the archive, as 64 hex digits in lower case. */
  readonly sha256: Sha256
  /** Of the archive, in bytes. */
  readonly size: number
  readonly status: ReleaseStatus
  /** The ruleset of its current verdict; null until it was scanned. */
  readonly ruleset: string | null
  /** The level that decided its status: of the findings about its bytes and of copies, without those about the item's name (NAME-3). */
  readonly level: Level | null
  /** The findings about the item that the last scan added to those about the bytes: copies (RELEASE-30) and the name (NAME-2, NAME-3). */
  readonly itemFindings: ReadonlyArray<Finding>
  readonly decidedBy: (typeof releaseDeciders)[number]
  /** Null unless it is in review. */
  readonly awaits: (typeof releaseAwaits)[number] | null
  /** Why it is quarantined, in review or yanked; null otherwise. */
  readonly reason: ReleaseReason | null
  readonly createdAt: Timestamp
  readonly yankedAt: Timestamp | null
  /** When its creator last requested a rescan (RELEASE-16). */
  readonly rescannedAt: Timestamp | null
  /** A requested rescan has not ended. */
  readonly rescanDue: boolean
  /** When an operator purged its bytes, which is permanent (PURGE-1); null if they are stored. */
  readonly purgedAt: Timestamp | null
}

/** The level of its verdict with every finding; null until it was scanned. */
export const shownLevel = ({ itemFindings, level }: Pick<ReleaseHead, "itemFindings" | "level">): Level | null =>
  level === null ? null : worstLevel(level, itemFindings)

/** Whether an operator can decide about it: not if it follows other bytes, its listing, or if it is revoked or purged (RELEASE-29). */
export const awaitsOperator = ({ awaits, purgedAt, reason, status }: ReleaseHead): boolean =>
  awaits === "operator" ||
  (status === "quarantined" && reason?.copied !== true && reason?.revoked !== true && purgedAt === null)

/** When the decision was made for which it waits; its upload if there was none. */
export const waitsSince = ({ createdAt, reason }: ReleaseHead): Timestamp => reason?.at ?? createdAt

/** The front matter of a `SKILL.md` as JSON: every field as its author wrote it; at least `name` and `description` (ARCHIVE-6). */
export interface FrontMatter {
  readonly name: string
  readonly description: string
  readonly [field: string]: unknown
}

/** What a release contains. It is known from the upload on, and changes only when the release is purged (RELEASE-3, PURGE-4). */
export interface ReleaseContent {
  /** Sorted by the bytes of their paths. */
  readonly files: ReadonlyArray<ReleaseFile>
  /** Null for a SOUL (RELEASE-25). */
  readonly frontMatter: FrontMatter | null
}

/** A set of files at a version. */
export interface Release extends ReleaseContent, ReleaseHead {
  readonly verdict: Verdict | null
  readonly capabilities: Capabilities | null
  /** Signed by the market; null until it was scanned. */
  readonly statement: DsseEnvelope | null
}
