import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Sha256 } from "../blobs/Sha256.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict, QuotaExceeded } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, ItemId, ListingId, ReleaseId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Release, ReleaseHead, WaitingStatus } from "./Release.ts"
import type { ItemReleases, ItemReleasesChange } from "./ItemReleases.ts"
import type { Scan, Sketch } from "./Verdict.ts"

/** A pure rule: takes an item with its releases and returns the changes. */
export type ItemReleasesRule<E> = (itemReleases: ItemReleases) => Result.Result<ItemReleasesChange, E>

/** The item and its releases after the change. */
type Changed<E> = Option.Option<Result.Result<ItemReleases, E>>

/** A release that is on sale or was. */
export interface AlikeRelease {
  readonly itemId: ItemId
  readonly creatorId: AccountId
  /** Whether everybody can see the item now. */
  readonly listed: boolean
  /** When the release was on sale for the first time; only for comparisons with other releases. */
  readonly since: number
  readonly shingles: ReadonlyArray<number>
}

export interface AlikeReleases {
  readonly shingles: ReadonlyArray<number>
  readonly releases: ReadonlyArray<AlikeRelease>
}

export interface NamedItem {
  readonly itemId: ItemId
  readonly creatorId: AccountId
  readonly name: string | null
}

/** The items whose names an item repeats. */
export interface Namesakes {
  /** The name of the item that was looked for; null if there is no such item. */
  readonly name: string | null
  /** The oldest item with exactly this name. */
  readonly same: ItemId | null
  /** An item with at least 50 sales whose name is the same or differs in one character. */
  readonly popular: ItemId | null
}

/** A free listing on sale, whose release everyone may install. */
export interface FreeSkill {
  readonly itemId: ListingId
  readonly slug: string
  /** Of the release on sale. */
  readonly version: string
}

/**
 * The releases of listings and souls, and the verdicts about their bytes.
 *
 * Contract: `modify` and `upload` lock the item, so that changes of one item happen one after another; each is one transaction with its
 * events, its action and the columns of the item that follow from the releases (`itemReleasesState`, `resold`). A verdict never changes, except
 * that a purge removes its evidence.
 */
export class ReleaseStore extends Context.Service<
  ReleaseStore,
  {
    /** Locks the item and its releases, applies the rule and stores what it returns. None if there is no such item. */
    readonly modify: <E>(item: ItemId, rule: ItemReleasesRule<E>) => StoreEffect<Changed<E>>
    /**
     * As `modify`, for a rule that adds a release: also checks the creator's quota of bytes (QUOTA-1, RELEASE-6), and that it is not frozen. Fails with
     * `bytesPurged` if a release with the same digest was purged, also concurrently (PURGE-6).
     */
    readonly upload: <E>(
      item: ItemId,
      rule: ItemReleasesRule<E>
    ) => StoreEffect<Changed<E>, AccountFrozen | Conflict | QuotaExceeded>
    readonly find: (item: ItemId, version: string) => StoreEffect<Option.Option<Release>>
    /** Those of these versions that exist, in no particular order. */
    readonly findEach: (item: ItemId, versions: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<Release>>
    /** Of the item; none if there is no such item. */
    readonly creatorOf: (item: ItemId) => StoreEffect<Option.Option<AccountId>>
    /** The newest first. */
    readonly list: (item: ItemId, page: PageRequest) => StoreEffect<Page<Release>>
    /** Those of items that are not deleted for which `awaitsOperator` holds, the one that waits longest first (RELEASE-29). */
    readonly waiting: (status: WaitingStatus | undefined, page: PageRequest) => StoreEffect<Page<ReleaseHead>>
    /**
     * Stores the result of a scan with the sketch of the text, unless there is one for these bytes and this ruleset. Returns the stored one. If the bytes
     * were purged, and no release that is not purged has them, it stores `purgedScan` of the result and no sketch (PURGE-4). Otherwise it stores
     * `storableScan` of the result.
     */
    readonly keepScan: (sha256: Sha256, scan: Scan, sketch?: Sketch | null) => StoreEffect<Scan>
    readonly findScan: (sha256: Sha256, ruleset: string) => StoreEffect<Option.Option<Scan>>
    /**
     * At most `limit` releases that are due: new ones, then those with a requested rescan, then published ones with a verdict of another
     * ruleset, then those that waited for the approval of a listing that is now approved. Those of `except` are left out.
     */
    readonly due: (
      ruleset: string,
      limit: number,
      except?: ReadonlyArray<ReleaseId>
    ) => StoreEffect<ReadonlyArray<ReleaseHead>>
    /**
     * At most `limit` releases that `bytesChecked` changes: first published releases and releases in review whose bytes are quarantined, then
     * copies whose bytes are no longer quarantined (RELEASE-27).
     */
    readonly affectedByBytes: (limit: number) => StoreEffect<ReadonlyArray<ReleaseHead>>
    /** Whether a release with this digest was purged, in any item (PURGE-6). */
    readonly isPurged: (sha256: Sha256) => StoreEffect<boolean>
    /** Whether bytes with this digest are quarantined, in any item (RELEASE-13). */
    readonly isQuarantined: (sha256: Sha256) => StoreEffect<boolean>
    /**
     * At most `limit` public listings with price 0 and a release on sale whose bytes are not quarantined, the most sold first (INSTALLER-1).
     * With `only`, at most the one with this id or slug.
     */
    readonly freeSkills: (limit: number, only?: string) => StoreEffect<ReadonlyArray<FreeSkill>>
    /**
     * The sketch of these bytes, and releases that are on sale or were and whose sketches have keys in common with it: at most 24 of others and
     * 8 of this creator, those with the most common keys first. Releases that are quarantined as copies or impersonations are left out.
     * None if these bytes have no sketch by this ruleset. The time does not depend on the number of items (RELEASE-31).
     */
    readonly alike: (of: {
      readonly sha256: Sha256
      readonly ruleset: string
      readonly creatorId: AccountId
    }) => StoreEffect<Option.Option<AlikeReleases>>
    /**
     * Other creators' public items that had their names before this item had its name (NAME-2, NAME-3). `name` is the name that the item
     * takes, or null for its present one; an item that is not stored yet is the newest.
     */
    readonly namesakes: (item: NamedItem) => StoreEffect<Namesakes>
    /** Whether the account holds a license for the item that is valid now and was bought before this time (RELEASE-12). */
    readonly licensedBefore: (account: AccountId, item: ItemId, at: Timestamp) => StoreEffect<boolean>
  }
>()("@agent-marketplace/core/releases/ReleaseStore") {}
