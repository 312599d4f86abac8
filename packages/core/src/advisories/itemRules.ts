import { Result } from "effect"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, ValidationFailed } from "../errors/MarketError.ts"
import type { RevocationId } from "../ids/Ids.ts"
import { purgedFindings } from "../releases/Purge.ts"
import type { ReleaseHead, ReleaseReason } from "../releases/Release.ts"
import { stopsBytes } from "../releases/Release.ts"
import { sameBytes } from "../releases/ReleaseRules.ts"
import type { ItemReleases, ItemReleasesChange } from "../releases/ItemReleases.ts"
import { releaseEvent } from "../releases/releaseEvent.ts"
import { changedItemReleases, itemReleasesState } from "../releases/ItemReleases.ts"
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

type Ruled<E = never> = Result.Result<ItemReleasesChange, ValidationFailed | E>

const isRevoked = (reason: ReleaseReason | null): boolean => reason?.revoked === true

/** The releases with these versions; all releases if `versions` is undefined (QUARANTINE-2, QUARANTINE-5). */
const releasesOf = (
  { releases }: ItemReleases,
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
  before: ItemReleases,
  after: ItemReleases,
  changed: ReadonlyArray<ReleaseHead>,
  more: Readonly<Record<string, number | string | null>> = {}
): OperatorAction => ({
  ...action,
  before: { quarantined: itemReleasesState(before).quarantined },
  after: { quarantined: itemReleasesState(after).quarantined, versions: versionsText(changed), ...more }
})

/** The change that quarantines these releases, and the item if the decision is about the item as a whole. */
export const stopped = (
  itemReleases: ItemReleases,
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
      .filter(({ id }) => wasSold.has(id) && !itemReleases.item.deleted)
      .map((release) => releaseEvent("release.quarantined", itemReleases, release, at))
  }
}

/** Takes the item or some of its versions off sale (QUARANTINE-1, QUARANTINE-3). Releases that an operator has already quarantined do not change. */
export const quarantined =
  (decision: Decision) =>
  (itemReleases: ItemReleases): Ruled =>
    Result.map(releasesOf(itemReleases, decision.versions), (releases) => {
      const { action, reason, versions } = decision
      const targets = releases.filter(({ decidedBy, status }) => status !== "quarantined" || decidedBy !== "operator")
      const isNew = versions === undefined && itemReleases.item.quarantine === null
      const { quarantine, ...change } = stopped(itemReleases, decision, targets)
      const next = { ...change, ...(isNew && quarantine !== undefined ? { quarantine } : {}) }
      const onSaleBefore = targets.filter(({ status }) => status !== "quarantined")
      const news = onSaleBefore.length > 0 || (isNew && itemReleases.releases.length === 0)
      return {
        ...next,
        action: actionOf(action, itemReleases, changedItemReleases(itemReleases, next), targets),
        ...(news && itemReleases.sold
          ? { advisory: advisoryDrafts.quarantined(itemReleases, onSaleBefore, reason.text) }
          : {})
      }
    })

/** The release after an operator has ended its quarantine or approved it. */
export const allowed = (itemReleases: ItemReleases, release: ReleaseHead): ReleaseHead => {
  const free = { ...release, awaits: null, reason: null }
  if (release.yankedAt !== null) return { ...free, status: "yanked" }
  if (release.level === null) return { ...free, status: "scanning", decidedBy: "scan" }
  if (!itemReleases.item.approved) return { ...free, status: "in_review", awaits: "listing", decidedBy: "operator" }
  return { ...free, status: "published", decidedBy: "operator" }
}

/** Whether an operator can release it. A copy of bytes that are still quarantined cannot be released on its own (RELEASE-27). */
const waits =
  ({ quarantinedBytes }: ItemReleases) =>
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
  { quarantinedElsewhere, releases }: ItemReleases,
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
  (itemReleases: ItemReleases): Ruled<Conflict> =>
    Result.flatMap(releasesOf(itemReleases, versions), (releases) => {
      const isWaiting = waits(itemReleases)
      const targets = releases.filter((release) => isWaiting(release) && only(release))
      const endsWhole =
        versions === undefined && itemReleases.item.quarantine !== null && !isRevoked(itemReleases.item.quarantine)
      if (targets.length === 0 && !endsWhole) {
        return Result.fail(nothingToRelease(releases, isRevoked(itemReleases.item.quarantine)))
      }
      const others = stoppedByOthers(itemReleases, targets)
      const changed = targets.map((release) =>
        others.has(release.sha256) ? stoppedCopy(release) : allowed(itemReleases, release)
      )
      const next: ItemReleasesChange = { changed, ...(endsWhole ? { quarantine: null } : {}) }
      const wereStopped = targets.filter(({ sha256, status }) => status === "quarantined" && !others.has(sha256))
      const news = wereStopped.length > 0 || (endsWhole && itemReleases.releases.length === 0)
      return Result.succeed({
        ...next,
        events: changed
          .filter(({ status }) => status === "published" && !itemReleases.item.deleted)
          .map((release) => releaseEvent("release.published", itemReleases, release, at)),
        action: actionOf(action, itemReleases, changedItemReleases(itemReleases, next), targets),
        ...(news && itemReleases.sold
          ? { advisory: advisoryDrafts.released(itemReleases, wereStopped, `The quarantine has ended: ${reason.text}`) }
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
  (itemReleases: ItemReleases): Ruled =>
    Result.map(releasesOf(itemReleases, decision.versions), (releases) => {
      const { action, at, id, refundDays, refundsCovered, versions } = decision
      const reason: ReleaseReason = { ...decision.reason, revoked: true }
      const targets = releases.filter((release) => !isRevoked(release.reason) || release.status !== "quarantined")
      const isNew = versions === undefined && !isRevoked(itemReleases.item.quarantine)
      const { quarantine, ...change } = stopped(itemReleases, { ...decision, reason }, targets)
      const next = { ...change, ...(isNew && quarantine !== undefined ? { quarantine } : {}) }
      const after = changedItemReleases(itemReleases, next)
      const news = targets.length > 0 || (isNew && itemReleases.releases.length === 0)
      const refunds = refundDays !== null && (news || !refundsCovered)
      const revocation: RevocationDraft = {
        id,
        itemId: itemReleases.item.id,
        sellerId: itemReleases.item.creatorId,
        versions: (news ? targets : releases).map(({ version }) => version),
        reason: reason.text,
        operator: { name: action.actor, requestId: action.requestId },
        at,
        refundDays,
        rejectsWaiting: itemReleasesState(after).quarantined
      }
      return {
        ...next,
        action: actionOf(action, itemReleases, after, targets, { refundDays }),
        ...(news ? { advisory: advisoryDrafts.revoked(itemReleases, targets, reason.text) } : {}),
        ...(news || refunds ? { revocation } : {})
      }
    })

const noReleases = new Conflict({ state: "no_releases", reason: "the item has no release whose bytes could be purged" })

/** Takes releases off sale permanently and removes their content (PURGE-1, PURGE-4). A repetition changes nothing. An item without releases can be purged if it has pictures. */
export const purged =
  (decision: Decision, hasPictures = false) =>
  (itemReleases: ItemReleases): Ruled<Conflict> =>
    Result.flatMap(releasesOf(itemReleases, decision.versions), (releases) => {
      if (releases.length === 0 && !hasPictures) return Result.fail(noReleases)
      const { action, at, reason } = decision
      const targets = releases.filter(({ purgedAt }) => purgedAt === null)
      const revokedIds = new Set(targets.flatMap((release) => (isRevoked(release.reason) ? [release.id] : [])))
      const { changed, events } = stopped(itemReleases, decision, targets)
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
        action: actionOf(action, itemReleases, changedItemReleases(itemReleases, { changed: purgedReleases }), targets),
        ...(targets.length > 0 && itemReleases.sold
          ? { advisory: advisoryDrafts.purged(itemReleases, targets, `The bytes were removed: ${reason.text}`) }
          : {})
      })
    })
