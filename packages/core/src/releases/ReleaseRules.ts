import { Result } from "effect"
import { advisoryDrafts } from "../advisories/advisoryDrafts.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { DsseEnvelope } from "../signing/DsseEnvelope.ts"
import { bytesPurged } from "./Purge.ts"
import type { ReleaseContent, ReleaseHead, ReleaseReason, ReleaseStatus } from "./Release.ts"
import { stopsBytes } from "./Release.ts"
import type { ItemFindings } from "./ItemFindings.ts"
import { allOf } from "./ItemFindings.ts"
import { releaseEvent } from "./releaseEvent.ts"
import { SemanticVersion } from "./SemanticVersion.ts"
import type { ItemReleases, ItemReleasesChange, ReleasedItem } from "./ItemReleases.ts"
import type { Finding, Verdict } from "./Verdict.ts"
import { isWorse, withFindings } from "./Verdict.ts"

/** How often a creator may request another scan of a release, in milliseconds (RELEASE-16). */
const rescanInterval = 3_600_000

export const listingNotFound = new NotFound({ resource: "LISTING" })
const releaseNotFound = new NotFound({ resource: "RELEASE" })

/** The version of an upload, from the query parameter or from `SKILL.md` (RELEASE-2). */
export const checkVersion = (
  given: string | undefined,
  stated: string | null
): Result.Result<string, ValidationFailed> => {
  const fail = (message: string) => Result.fail(new ValidationFailed({ issues: [{ path: "version", message }] }))
  const version = given ?? stated
  if (version === null) return fail("is required, as a query parameter or in the front matter of SKILL.md")
  if (!SemanticVersion.isValid(version)) return fail("must be a semantic version such as 1.0.0, at most 100 characters")
  return given !== undefined && stated !== null && given !== stated
    ? fail(`must equal the version in SKILL.md, which is ${stated}`)
    : Result.succeed(version)
}

const eventsOf = (
  itemReleases: ItemReleases,
  before: ReleaseStatus,
  after: ReleaseHead,
  at: Timestamp
): ReadonlyArray<MarketEvent> => {
  if (after.status === before || itemReleases.item.deleted) return []
  if (after.status === "published") return [releaseEvent("release.published", itemReleases, after, at)]
  const leftSale = after.status === "in_review" && before === "published"
  return after.status === "quarantined" || leftSale
    ? [releaseEvent("release.quarantined", itemReleases, after, at)]
    : []
}

const releaseOf = ({ releases }: ItemReleases, wanted: string): Result.Result<ReleaseHead, NotFound> => {
  const release = releases.find(({ version }) => version === wanted)
  return release === undefined ? Result.fail(releaseNotFound) : Result.succeed(release)
}

/** A new release; nothing changes if the version has these bytes already (RELEASE-3). */
export const uploaded =
  (release: ReleaseContent & ReleaseHead) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, Conflict | NotFound> => {
    if (itemReleases.item.deleted) return Result.fail(listingNotFound)
    const taken = itemReleases.releases.find(({ version }) => version === release.version)
    if (taken === undefined) return Result.succeed({ added: release })
    if (taken.sha256 === release.sha256 && taken.purgedAt !== null) return Result.fail(bytesPurged)
    return taken.sha256 === release.sha256 ? Result.succeed({}) : Result.fail(new Conflict({ state: "version_taken" }))
  }

/** What the market's settings say about new releases. */
export interface ReviewSettings {
  /** Whether an operator must review releases without findings too. */
  readonly listingReview: "manual" | "auto"
}

type Decision = Pick<ReleaseHead, "awaits" | "decidedBy" | "reason" | "status">

const families: Readonly<Record<string, string>> = {
  copies: "copy",
  dependencies: "malware",
  execution: "malware",
  injection: "prompt_injection",
  persistence: "persistence",
  secrets: "secrets",
  souls: "impersonation",
  theft: "theft"
}

const worst = ({ findings, level }: Verdict): Finding | undefined => findings.find((finding) => finding.level === level)

/** The reason that the creator gets: the worst finding, with its place. */
const reasonOf = (verdict: Verdict): ReleaseReason => {
  const finding = worst(verdict)
  const code = families[finding?.family ?? ""] ?? "policy"
  if (finding === undefined) return { code, text: `Ruleset ${verdict.ruleset}: level ${verdict.level}` }
  const place = finding.line > 0 ? `${finding.file}, line ${finding.line}` : finding.file
  return { code, text: `${finding.rule} in ${place}: ${finding.message}` }
}

/** The reason of a release that is quarantined only because of another one with the same bytes (RELEASE-27). */
export const sameBytes: ReleaseReason = { code: "policy", text: "The same bytes are quarantined.", copied: true }

/** The status that a verdict gives to a release without an earlier decision (RELEASE-7). */
export const decisionOf = (
  item: Pick<ReleasedItem, "approved" | "kind">,
  verdict: Verdict,
  stopped: boolean,
  settings: ReviewSettings
): Decision => {
  const decided = { decidedBy: "scan", awaits: null, reason: null } as const
  if (verdict.level === "block") return { ...decided, status: "quarantined", reason: reasonOf(verdict) }
  if (stopped) return { ...decided, status: "quarantined", reason: sameBytes }
  if (verdict.level === "warn") {
    return { ...decided, status: "in_review", awaits: "operator", reason: reasonOf(verdict) }
  }
  if (settings.listingReview === "auto" || item.kind === "soul") return { ...decided, status: "published" }
  return { ...decided, status: "in_review", awaits: item.approved ? "operator" : "listing" }
}

const keep = ({ awaits, decidedBy, reason, status }: ReleaseHead): Decision => ({ awaits, decidedBy, reason, status })

/**
 * The status that a verdict gives to a release with an earlier decision. A worse level has the effect of a first verdict. A better level ends only
 * a quarantine or review that a scan caused (RELEASE-16, RELEASE-18).
 */
const laterDecisionOf = (
  itemReleases: ItemReleases,
  release: ReleaseHead,
  verdict: Verdict,
  stopped: boolean,
  settings: ReviewSettings
): Decision => {
  const { level, status } = release
  const decision = decisionOf(itemReleases.item, verdict, stopped, settings)
  if (status === "scanning") return decision
  if (status === "published") {
    const acts = verdict.level === "block" || verdict.level === "warn"
    return acts && level !== null && isWorse(verdict.level, level) ? decision : keep(release)
  }
  // An operator's decision remains in force, and so does a review that is required without findings.
  if (status === "yanked" || release.decidedBy === "operator") return keep(release)
  const hadFindings = level === "warn" || level === "block"
  return hadFindings || isWorse(verdict.level, level ?? "clean") ? decision : keep(release)
}

/** Adds the time to a new decision. Appeals identify a decision by its time. */
const dated = (decision: Decision, { reason }: ReleaseHead, now: Timestamp): Decision =>
  decision.reason === null || decision.reason === reason
    ? decision
    : { ...decision, reason: { ...decision.reason, at: now } }

export interface Scanned {
  readonly release: Pick<ReleaseHead, "id" | "version">
  /** On the bytes. */
  readonly verdict: Verdict
  readonly itemFindings: ItemFindings
  /** Signed over the verdict with all findings. */
  readonly statement: DsseEnvelope
}

/** Stores a verdict and changes the release accordingly. Nothing changes if the release already has this verdict, so a repeated scan has no effect (RELEASE-19). */
export const scanned =
  ({ itemFindings, release: { version }, statement, verdict }: Scanned, settings: ReviewSettings, now: Timestamp) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, NotFound> =>
    Result.map(releaseOf(itemReleases, version), (release) => {
      // The scan started before the release was purged. Its statement lists the files.
      if (release.purgedAt !== null) return {}
      if (release.status !== "scanning" && release.ruleset === verdict.ruleset && !release.rescanDue) return {}
      // If the release itself is quarantined, only its verdict decides: otherwise its own quarantine would keep its bytes quarantined.
      const stopped = !stopsBytes(release) && itemReleases.quarantinedBytes.has(release.sha256)
      const deciding = withFindings(verdict, itemFindings.copies)
      const decision = dated(laterDecisionOf(itemReleases, release, deciding, stopped, settings), release, now)
      const after: ReleaseHead = {
        ...release,
        ...decision,
        ruleset: verdict.ruleset,
        level: deciding.level,
        itemFindings: allOf(itemFindings),
        rescanDue: false
      }
      return {
        changed: [after],
        statement: { release: release.id, envelope: statement },
        events: eventsOf(itemReleases, release.status, after, now),
        ...(itemReleases.sold && release.status === "published" && after.status === "quarantined"
          ? { advisory: advisoryDrafts.quarantined(itemReleases, [after], after.reason?.text ?? "") }
          : {})
      }
    })

const statusWithBytes = (
  itemReleases: ItemReleases,
  { reason, sha256, status, yankedAt }: ReleaseHead
): ReleaseStatus => {
  const stopped = itemReleases.quarantinedBytes.has(sha256)
  if (stopped) return status === "published" || status === "in_review" ? "quarantined" : status
  if (status !== "quarantined" || reason?.copied !== true) return status
  return yankedAt === null ? "scanning" : "yanked"
}

/** Quarantines a release if its bytes are quarantined. If they no longer are, its verdict decides again (RELEASE-27). */
export const bytesChecked =
  (wanted: Pick<ReleaseHead, "version">, now: Timestamp) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, NotFound> =>
    Result.map(releaseOf(itemReleases, wanted.version), (release) => {
      const status = statusWithBytes(itemReleases, release)
      if (status === release.status) return {}
      const reason = status === "quarantined" ? sameBytes : null
      const after: ReleaseHead = { ...release, status, awaits: null, decidedBy: "scan", reason }
      return {
        changed: [after],
        events: eventsOf(itemReleases, release.status, after, now),
        ...(itemReleases.sold && release.status === "published"
          ? { advisory: advisoryDrafts.quarantined(itemReleases, [after], sameBytes.text) }
          : {})
      }
    })

/** Publishes a release that waited for the approval of its listing (RELEASE-17). */
export const approvedWithListing =
  (wanted: Pick<ReleaseHead, "version">, now: Timestamp) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, NotFound> =>
    Result.map(releaseOf(itemReleases, wanted.version), (release) => {
      if (release.awaits !== "listing" || !itemReleases.item.approved) return {}
      const after: ReleaseHead = { ...release, status: "published", awaits: null, reason: null, decidedBy: "operator" }
      return { changed: [after], events: eventsOf(itemReleases, release.status, after, now) }
    })

const owned = (itemReleases: ItemReleases, version: string): Result.Result<ReleaseHead, NotFound> =>
  itemReleases.item.deleted ? Result.fail(listingNotFound) : releaseOf(itemReleases, version)

/** Takes a release off sale permanently (RELEASE-24). A repeated yank changes nothing. */
export const yanked =
  (version: string, reason: string, now: Timestamp) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, Conflict | NotFound> =>
    Result.flatMap(owned(itemReleases, version), (release) => {
      if (release.status === "yanked") return Result.succeed({})
      if (release.purgedAt !== null) return Result.fail(bytesPurged)
      if (release.status === "quarantined") return Result.fail(new Conflict({ state: "quarantined" }))
      const text = { code: "other", text: reason }
      return Result.succeed({
        changed: [{ ...release, status: "yanked", awaits: null, reason: text, yankedAt: now }],
        advisory: advisoryDrafts.yanked(itemReleases, [release], reason)
      })
    })

/** Requests another scan (RELEASE-16). */
export const rescanRequested =
  (version: string, now: Timestamp) =>
  (itemReleases: ItemReleases): Result.Result<ItemReleasesChange, Conflict | NotFound> =>
    Result.flatMap(owned(itemReleases, version), (release) => {
      if (release.purgedAt !== null) return Result.fail(bytesPurged)
      const next = (release.rescannedAt ?? Number.NEGATIVE_INFINITY) + rescanInterval
      if (next > now) {
        const reason = `The next rescan is possible at ${Timestamp.toIso(next)}`
        return Result.fail(new Conflict({ state: "rescan_too_soon", reason }))
      }
      return Result.succeed({ changed: [{ ...release, rescannedAt: now, rescanDue: release.status !== "scanning" }] })
    })
