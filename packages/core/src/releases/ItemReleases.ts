import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { AdvisoryDraft } from "../advisories/Advisory.ts"
import type { RevocationDraft } from "../advisories/Revocation.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, ItemId, ReleaseId } from "../ids/Ids.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { DsseEnvelope } from "../signing/DsseEnvelope.ts"
import type { ReleaseContent, ReleaseHead, ReleaseReason } from "./Release.ts"
import { shownLevel } from "./Release.ts"
import { SemanticVersion } from "./SemanticVersion.ts"
import type { Level } from "./Verdict.ts"

/** A rejection or a suspension that is in force. */
export interface Refusal {
  readonly kind: "rejection" | "suspension"
  /** Null in older records and where no operator gave a reason. */
  readonly code: ReasonCode | null
  readonly text: string | null
  readonly at: Timestamp | null
}

/** The fields of an item that the rules of its releases need. */
export interface ReleasedItem {
  readonly id: ItemId
  readonly kind: "listing" | "soul"
  readonly name: string
  readonly slug: string
  readonly creatorId: AccountId
  readonly creatorName: string
  /** In the item's currency. */
  readonly price: Usdt
  /** Approved by an operator or without a review. A SOUL is always approved. */
  readonly approved: boolean
  readonly deleted: boolean
  /** Why an operator quarantined the item as a whole; null if it is not. */
  readonly quarantine: ReleaseReason | null
  /** Null if it is neither rejected nor suspended. */
  readonly refusal: Refusal | null
}

/** An item with all of its releases, oldest first. */
export interface ItemReleases {
  readonly item: ReleasedItem
  readonly releases: ReadonlyArray<ReleaseHead>
  /** Whether an account holds a license, or held one that was not refunded. */
  readonly sold: boolean
  /** The digests among `releases` that a quarantined release of this item or of another one stops (`stopsBytes`). */
  readonly quarantinedBytes: ReadonlySet<string>
  /** Those of them that a release of another item stops. */
  readonly quarantinedElsewhere: ReadonlySet<string>
}

/** What a rule changes. Absent fields stay as they are. */
export interface ItemReleasesChange {
  readonly added?: ReleaseContent & ReleaseHead
  /** Releases with changed fields. Their digest, version and creation never change. */
  readonly changed?: ReadonlyArray<ReleaseHead>
  readonly statement?: { readonly release: ReleaseId; readonly envelope: DsseEnvelope }
  /** The quarantine of the item as a whole; null ends it. */
  readonly quarantine?: ReleaseReason | null
  readonly events?: ReadonlyArray<MarketEvent>
  /** The operator's action that caused it, for the log (OPERATOR-14). */
  readonly action?: OperatorAction
  /** The advisory that is published after the change (ADVISORY-6). */
  readonly advisory?: AdvisoryDraft
  /**
   * Releases that the change purges, in `changed`: their references to blobs, their content and the text of a soul's version are removed, and so
   * is what their scans found, unless a release that is not purged has the same bytes (PURGE-2, PURGE-4).
   */
  readonly purged?: ReadonlyArray<ReleaseId>
  /** The revocation whose refunds the change starts (REVOKE-2). */
  readonly revocation?: RevocationDraft
}

/** The columns of an item that follow from its releases. */
export interface ItemReleasesState {
  /** The newest release that is on sale and is no pre-release; null if there is none. */
  readonly releaseVersion: string | null
  /** The level of that release; null if there is none. */
  readonly trust: Level | null
  /** Whether no release is published, and the item or a release is quarantined or waits for an operator because of its level (RELEASE-10). */
  readonly quarantined: boolean
}

/** The published release with the highest version; pre-releases only if `preReleases` is set. */
const newestOnSale = (releases: ReadonlyArray<ReleaseHead>, preReleases = false): ReleaseHead | undefined =>
  releases
    .filter(({ status, version }) => status === "published" && (preReleases || !SemanticVersion.isPreRelease(version)))
    .reduce<ReleaseHead | undefined>(
      (newest, one) =>
        newest === undefined || SemanticVersion.compare(one.version, newest.version) >= 0 ? one : newest,
      undefined
    )

/** Whether an operator or a scan stopped the release. For a SOUL, a yanked version counts too, because only its versions are sold (SOUL-52). */
const isStopped = ({ level, mediaType, status }: ReleaseHead): boolean =>
  status === "quarantined" ||
  (status === "in_review" && level === "warn") ||
  (status === "yanked" && mediaType === "text/markdown")

export const itemReleasesState = (
  itemReleases: Pick<ItemReleases, "releases"> & { readonly item: Pick<ReleasedItem, "quarantine"> }
): ItemReleasesState => {
  const { item, releases } = itemReleases
  const newest = newestOnSale(releases)
  const onSale = newestOnSale(releases, true) !== undefined
  return {
    releaseVersion: newest?.version ?? null,
    trust: newest === undefined ? null : shownLevel(newest),
    quarantined: !onSale && (item.quarantine !== null || releases.some(isStopped))
  }
}

/** The item and its releases after a change. */
export const changedItemReleases = (
  itemReleases: ItemReleases,
  { added, changed = [], quarantine }: ItemReleasesChange
): ItemReleases => {
  const after = new Map(changed.map((release) => [release.id, release]))
  const releases = itemReleases.releases.map((release) => after.get(release.id) ?? release)
  return {
    ...itemReleases,
    item: quarantine === undefined ? itemReleases.item : { ...itemReleases.item, quarantine },
    releases: added === undefined ? releases : [...releases, added]
  }
}
