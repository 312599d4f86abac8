import type { Option, Result } from "effect"
import { Context } from "effect"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict, NameTooSimilar, QuotaExceeded } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, SoulId } from "../ids/Ids.ts"
import type { ReleaseHead, ReleaseStatus } from "../releases/Release.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { ListingStats } from "../listings/Listing.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Soul } from "./Soul.ts"
import type { SoulChange } from "./SoulRules.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** A soul with what depends on the viewer. */
export interface SoulDetail {
  readonly soul: Soul
  readonly stats: ListingStats
  /** The viewer holds a live license. */
  readonly licensed: boolean
  /** Everybody sees it: it is public, not deleted, not suspended or quarantined, and its author is not frozen. */
  readonly listed: boolean
  /** Of the version's release; null if it has none yet. */
  readonly status: ReleaseStatus | null
}

/** One version of a soul's text. */
export interface SoulVersion {
  readonly version: number
  /** Empty if it was purged (PURGE-7). */
  readonly content: string
  readonly createdAt: Timestamp
}

/** A version that has no release yet (SOUL-56). */
export interface UnreleasedVersion extends SoulVersion {
  readonly soul: SoulId
  readonly author: AccountId
}

/** Souls that an operator lists: suspended ones, those that are not, and those with a version that waits for a review (SOUL-49). */
export const queuedSouls = ["active", "suspended", "in_review"] as const
export type QueuedSouls = (typeof queuedSouls)[number]

/**
 * Souls, their versions and their downloads.
 *
 * Contract: a slug is never assigned twice, even under concurrency or after deletion; each method is one transaction and
 * its events are appended in it.
 */
export class SoulStore extends Context.Service<
  SoulStore,
  {
    /** Chooses the slug (the base, or the base with the first free numeric suffix from 2: TEXT-6) and stores version 1 with its release. Of two with names that look alike, one fails (NAME-1). Fails with `bytesPurged` if its text was purged, also concurrently (PURGE-6). */
    readonly insert: (
      soul: Omit<Soul, "slug">,
      slug: SlugRequest,
      rule: (soul: Soul, names: NameFindings) => SoulChange
    ) => StoreEffect<Soul, AccountFrozen | Conflict | NameTooSimilar | QuotaExceeded>
    /** The soul in any state, including deleted ones. */
    readonly findBySlug: (slug: string) => StoreEffect<Option.Option<Soul>>
    /** By id or slug, in any state, with what depends on the viewer. One round trip. */
    readonly detail: (idOrSlug: string, viewer: AccountId | null) => StoreEffect<Option.Option<SoulDetail>>
    /**
     * Locks the soul, applies the rule to it and stores the result, its release and the operator's action. The text of a release, or of an
     * increased version, is stored as a version. The rule gets the findings about the name that `claims` returns, as in `ListingStore.modify`,
     * and the releases, oldest first. Fails with `bytesPurged` if a new text was purged, also concurrently (PURGE-6).
     */
    readonly modify: <E>(
      slug: string,
      rule: (soul: Soul, names: NameFindings, releases: ReadonlyArray<ReleaseHead>) => Result.Result<SoulChange, E>,
      claims?: (soul: Soul) => string | null
    ) => StoreEffect<Option.Option<Result.Result<Soul, Conflict | E>>>
    /** The souls of a filter, as the JSON texts of list items joined to a JSON array. A search counts at most `searchCap` matches. */
    readonly list: (filter: CatalogueFilter) => StoreEffect<{ readonly json: string; readonly total: number }>
    /** The detail of a listed soul as JSON text. It is the same for every viewer. */
    readonly detailJson: (slug: string) => StoreEffect<Option.Option<string>>
    /**
     * Counts each account once per soul. The event is appended only when it is counted (SOUL-37, EVENT-6). It is created from the soul with
     * its author's present name, so that it cannot contain a name that was erased or changed after the soul was read (ACCOUNT-7).
     */
    readonly download: (
      soul: Soul,
      account: AccountId,
      event: (soul: Soul) => MarketEvent
    ) => StoreEffect<{ readonly counted: boolean }>
    /** The versions, newest first. With `statuses`, only those whose release is in one of these states, and those without a release. */
    readonly versions: (
      slug: string,
      page: PageRequest,
      statuses?: ReadonlyArray<ReleaseStatus>
    ) => StoreEffect<Page<SoulVersion>>
    readonly findVersion: (idOrSlug: string, version: number) => StoreEffect<Option.Option<SoulVersion>>
    /** At most `limit` versions without a release; of one soul, the newest first. */
    readonly unreleased: (limit: number) => StoreEffect<ReadonlyArray<UnreleasedVersion>>
    /** Renders the JSON of a batch of souls with an older `soulRendering` again. True if more may remain. */
    readonly renderStale: StoreEffect<boolean>
    /** For operators: souls that are not deleted, oldest first; with a filter, only those. */
    readonly queue: (which: QueuedSouls | undefined, page: PageRequest) => StoreEffect<Page<Soul>>
  }
>()("@agent-marketplace/core/souls/SoulStore") {}
