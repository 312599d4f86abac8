import { Result } from "effect"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, ValidationFailed } from "../errors/MarketError.ts"
import type { RevocationId } from "../ids/Ids.ts"
import { purgedFindings } from "../releases/Purge.ts"
import type { ReleaseHead, ReleaseReason } from "../releases/Release.ts"
import { stopsBytes } from "../releases/Release.ts"
import { sameBytes } from "../releases/ReleaseRules.ts"
import type { Shelf, ShelfChange } from "../releases/Shelf.ts"
import { releaseEvent } from "../releases/releaseEvent.ts"
import { changedShelf, shelfState } from "../releases/Shelf.ts"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import { advisoryDrafts } from "./advisoryDrafts.ts"
import type { RevocationDraft } from "./Revocation.ts"

/** The fields that all of the operator's decisions on an item have. */
interface Decision {
  /** The versions that the decision is about; undefined for the item as a whole, with all of its releases. */
  readonly versions: ReadonlyArray<string> | undefined
  readonly reason: ReleaseReason
  readonly at: Timestamp
  readonly action: ActionDraft
}

type Ruled<E = never> = Result.Result<ShelfChange, ValidationFailed | E>

const isRevoked = (reason: ReleaseReason | null): boolean => reason?.revoked === true

/** The releases with these versions; all releases if `versions` is undefined (QUARANTINE-2, QUARANTINE-5). */
const releasesOf = (
  { releases }: Shelf,
  versions: ReadonlyArray<string> | undefined
): Result.Result<ReadonlyArray<ReleaseHead>, ValidationFailed> => {
  if (versions === undefined) return Result.succeed(releases)
  const known = new Set(releases.map(({ version }) => version))
  const issues = versions.flatMap((version, i) =>
    known.has(version) ? [] : [{ path: `versions.${i}`, message: "is not a version of this item" }]
  )
  const wanted = new Set(versions)
  return issues.length > 0
    ? Result.fail(new ValidationFailed({ issues }))
    : Result.succeed(releases.filter(({ version }) => wanted.has(version)))
}

const versionsText = (releases: ReadonlyArray<ReleaseHead>): string => releases.map(({ version }) => version).join(", ")

const actionOf = (
  action: ActionDraft,
  before: Shelf,
  after: Shelf,
  changed: ReadonlyArray<ReleaseHead>,
  more: Readonly<Record<string, number | string | null>> = {}
): OperatorAction => ({
  ...action,
  before: { quarantined: shelfState(before).quarantined },
  after: { quarantined: shelfState(after).quarantined, versions: versionsText(changed), ...more }
})

/** The change that quarantines these releases, and the item if the decision is about the item as a whole. */
export const stopped = (
  shelf: Shelf,
  { at, versions, ...decision }: Pick<Decision, "at" | "reason" | "versions">,
  targets: ReadonlyArray<ReleaseHead>
) => {
  const reason: ReleaseReason = { ...decision.reason, at }
  const changed = targets.map((release): ReleaseHead => ({
    ...release,
    status: "quarantined",
    decidedBy: "operator",
    awaits: null,
    reason
  }))
  const wasSold = new Set(targets.filter(({ status }) => status !== "quarantined").map(({ id }) => id))
  return {
    changed,
    ...(versions === undefined ? { quarantine: reason } : {}),
    events: changed
      .filter(({ id }) => wasSold.has(id) && !shelf.item.deleted)
      .map((release) => releaseEvent("release.quarantined", shelf, release, at))
  }
}

/** Takes the item or some of its versions off sale (QUARANTINE-1, QUARANTINE-3). Releases that an operator has already quarantined do not change. */
export const quarantined =
  (decision: Decision) =>
  (shelf: Shelf): Ruled =>
    Result.map(releasesOf(shelf, decision.versions), (releases) => {
      const { action, reason, versions } = decision
      const targets = releases.filter(({ decidedBy, status }) => status !== "quarantined" || decidedBy !== "operator")
      const isNew = versions === undefined && shelf.item.quarantine === null
      const { quarantine, ...change } = stopped(shelf, decision, targets)
      const next = { ...change, ...(isNew && quarantine !== undefined ? { quarantine } : {}) }
      const onSaleBefore = targets.filter(({ status }) => status !== "quarantined")
      const news = onSaleBefore.length > 0 || (isNew && shelf.releases.length === 0)
      return {
        ...next,
        action: actionOf(action, shelf, changedShelf(shelf, next), targets),
        ...(news && shelf.sold ? { advisory: advisoryDrafts.quarantined(shelf, onSaleBefore, reason.text) } : {})
      }
    })

/** The release after an operator has ended its quarantine or approved it. */
export const allowed = (shelf: Shelf, release: ReleaseHead): ReleaseHead => {
  const free = { ...release, awaits: null, reason: null }
  if (release.yankedAt !== null) return { ...free, status: "yanked" }
  if (release.level === null) return { ...free, status: "scanning", decidedBy: "scan" }
  if (!shelf.item.approved) return { ...free, status: "in_review", awaits: "listing", decidedBy: "operator" }
  return { ...free, status: "published", decidedBy: "operator" }
}

/** Whether an operator can release it. A copy of bytes that are still quarantined cannot be released on its own (RELEASE-27). */
const waits =
  ({ quarantinedBytes }: Shelf) =>
  ({ awaits, purgedAt, reason, sha256, status }: ReleaseHead): boolean =>
    (status === "quarantined" &&
      !isRevoked(reason) &&
      purgedAt === null &&
      !(reason?.copied === true && quarantinedBytes.has(sha256))) ||
    (status === "in_review" && awaits === "operator")

const nothingToRelease = (releases: ReadonlyArray<ReleaseHead>, isRevokedItem: boolean): Conflict => {
  if (isRevokedItem || releases.some(({ reason }) => isRevoked(reason))) {
    return new Conflict({ state: "revoked", reason: "a revocation is permanent" })
  }
  if (releases.some(({ purgedAt }) => purgedAt !== null)) {
    return new Conflict({ state: "purged", reason: "the bytes were purged, which is permanent" })
  }
  return releases.some(({ reason }) => reason?.copied === true)
    ? new Conflict({
        state: "bytes_quarantined",
        reason: "another release with the same bytes is quarantined: end the quarantine of that release"
      })
    : new Conflict({
        state: "released",
        reason: "neither the item nor a release of it is quarantined or waits for a decision"
      })
}

/** The digests that other releases stop when these are released. */
const stoppedByOthers = (
  { quarantinedElsewhere, releases }: Shelf,
  released: ReadonlyArray<ReleaseHead>
): ReadonlySet<string> => {
  const ids = new Set(released.map(({ id }) => id))
  const others = releases.filter((release) => stopsBytes(release) && !ids.has(release.id))
  return new Set([...quarantinedElsewhere, ...others.map(({ sha256 }) => sha256)])
}

/** A release whose own quarantine ends, or which an operator approves, though its bytes stay quarantined (RELEASE-27). */
const stoppedCopy = (release: ReleaseHead): ReleaseHead => ({
  ...release,
  status: release.yankedAt === null ? "quarantined" : "yanked",
  decidedBy: "scan",
  awaits: null,
  reason: release.yankedAt === null ? sameBytes : null
})

/** Ends a quarantine, and approves releases that wait for an operator because of their verdict (QUARANTINE-4). `only` restricts it to some releases. */
export const released =
  ({ action, at, reason, versions }: Decision, only: (release: ReleaseHead) => boolean = () => true) =>
  (shelf: Shelf): Ruled<Conflict> =>
    Result.flatMap(releasesOf(shelf, versions), (releases) => {
      const isWaiting = waits(shelf)
      const targets = releases.filter((release) => isWaiting(release) && only(release))
      const endsWhole = versions === undefined && shelf.item.quarantine !== null && !isRevoked(shelf.item.quarantine)
      if (targets.length === 0 && !endsWhole) {
        return Result.fail(nothingToRelease(releases, isRevoked(shelf.item.quarantine)))
      }
      const others = stoppedByOthers(shelf, targets)
      const changed = targets.map((release) =>
        others.has(release.sha256) ? stoppedCopy(release) : allowed(shelf, release)
      )
      const next: ShelfChange = { changed, ...(endsWhole ? { quarantine: null } : {}) }
      const wereStopped = targets.filter(({ sha256, status }) => status === "quarantined" && !others.has(sha256))
      const news = wereStopped.length > 0 || (endsWhole && shelf.releases.length === 0)
      return Result.succeed({
        ...next,
        events: changed
          .filter(({ status }) => status === "published" && !shelf.item.deleted)
          .map((release) => releaseEvent("release.published", shelf, release, at)),
        action: actionOf(action, shelf, changedShelf(shelf, next), targets),
        ...(news && shelf.sold
          ? { advisory: advisoryDrafts.released(shelf, wereStopped, `The quarantine has ended: ${reason.text}`) }
          : {})
      })
    })

/** A decision to revoke, with its refunds. */
interface RevokeDecision extends Decision {
  readonly id: RevocationId
  readonly refundDays: number | null
  /** Whether earlier revocations of the item already refund all of these days (REVOKE-9). */
  readonly refundsCovered: boolean
}

/** Takes the item or some of its versions off sale permanently (REVOKE-1). A repetition only adds refunds. */
export const revoked =
  (decision: RevokeDecision) =>
  (shelf: Shelf): Ruled =>
    Result.map(releasesOf(shelf, decision.versions), (releases) => {
      const { action, at, id, refundDays, refundsCovered, versions } = decision
      const reason: ReleaseReason = { ...decision.reason, revoked: true }
      const targets = releases.filter((release) => !isRevoked(release.reason) || release.status !== "quarantined")
      const isNew = versions === undefined && !isRevoked(shelf.item.quarantine)
      const { quarantine, ...change } = stopped(shelf, { ...decision, reason }, targets)
      const next = { ...change, ...(isNew && quarantine !== undefined ? { quarantine } : {}) }
      const after = changedShelf(shelf, next)
      const news = targets.length > 0 || (isNew && shelf.releases.length === 0)
      const refunds = refundDays !== null && (news || !refundsCovered)
      const revocation: RevocationDraft = {
        id,
        itemId: shelf.item.id,
        sellerId: shelf.item.creatorId,
        versions: (news ? targets : releases).map(({ version }) => version),
        reason: reason.text,
        operator: { name: action.actor, requestId: action.requestId },
        at,
        refundDays,
        rejectsWaiting: shelfState(after).quarantined
      }
      return {
        ...next,
        action: actionOf(action, shelf, after, targets, { refundDays }),
        ...(news ? { advisory: advisoryDrafts.revoked(shelf, targets, reason.text) } : {}),
        ...(news || refunds ? { revocation } : {})
      }
    })

const noReleases = new Conflict({ state: "no_releases", reason: "the item has no release whose bytes could be purged" })

/** Takes releases off sale permanently and removes their content (PURGE-1, PURGE-4). A repetition changes nothing. */
export const purged =
  (decision: Decision) =>
  (shelf: Shelf): Ruled<Conflict> =>
    Result.flatMap(releasesOf(shelf, decision.versions), (releases) => {
      if (releases.length === 0) return Result.fail(noReleases)
      const { action, at, reason } = decision
      const targets = releases.filter(({ purgedAt }) => purgedAt === null)
      const revokedIds = new Set(targets.flatMap((release) => (isRevoked(release.reason) ? [release.id] : [])))
      const { changed, events } = stopped(shelf, decision, targets)
      const purgedReleases = changed.map((release): ReleaseHead => ({
        ...release,
        reason: { ...reason, at, ...(revokedIds.has(release.id) ? { revoked: true } : {}) },
        itemFindings: purgedFindings(release.itemFindings),
        rescanDue: false,
        purgedAt: at
      }))
      return Result.succeed({
        changed: purgedReleases,
        purged: targets.map(({ id }) => id),
        events,
        action: actionOf(action, shelf, changedShelf(shelf, { changed: purgedReleases }), targets),
        ...(targets.length > 0 && shelf.sold
          ? { advisory: advisoryDrafts.purged(shelf, targets, `The bytes were removed: ${reason.text}`) }
          : {})
      })
    })
