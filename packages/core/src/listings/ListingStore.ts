import type { Effect, Option, Result } from "effect"
import { Context } from "effect"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, ItemId, ListingId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { Listing, ListingStats, ListingStatus } from "./Listing.ts"
import type { ListingChange } from "./ListingRules.ts"
import type { Review } from "./Review.ts"

/** Which of the two faces the JSON shows. */
export type ListingFace = "listing" | "skill"

/** Whether a list finds listings, souls, or both (SEARCH-7). */
export type ItemKind = "skill" | "soul" | "all"

export interface ListingDetail {
  readonly listing: Listing
  readonly stats: ListingStats
  /** The viewer holds a live license. */
  readonly licensed: boolean
  /** Everybody sees it: it is approved, and its creator is not frozen. */
  readonly listed: boolean
}

/** What everybody may know of an account's items (CREATOR-1). */
export interface CreatorCounts {
  readonly souls: number
  readonly listings: number
  readonly sales: number
  /** Mean of all their reviews, rounded to two decimals; 0 where there are none. */
  readonly rating: number
}

/** Where and what to install (LISTING-25). */
export interface InstallPlace {
  readonly kind: "release" | "link" | "license_only"
  readonly url: string | null
  readonly version: string | null
  readonly sha256: string | null
}

/**
 * Listings, their statistics and reviews.
 *
 * Contract: a slug is given once for ever, also under concurrency; each method is one transaction and its events are
 * appended in it. A search counts at most {@link searchCap} matches: `total` stops there.
 */
export class ListingStore extends Context.Service<
  ListingStore,
  {
    readonly insert: (
      listing: Omit<Listing, "slug">,
      slug: SlugRequest,
      events: (listing: Listing) => ReadonlyArray<MarketEvent>
    ) => Effect.Effect<Listing, AccountFrozen | QuotaExceeded | StoreUnavailable>
    /** In whatever state. */
    readonly find: (id: ListingId) => Effect.Effect<Option.Option<Listing>, StoreUnavailable>
    /** Locks the listing, applies the rule to it and writes what it gives. */
    readonly modify: <E>(
      id: ListingId,
      rule: (listing: Listing) => Result.Result<ListingChange, E>
    ) => Effect.Effect<Option.Option<Result.Result<Listing, E>>, StoreUnavailable>
    /** By id or slug, in whatever state, with what this viewer needs to know. One round trip. */
    readonly detail: (
      idOrSlug: string,
      viewer: AccountId | null
    ) => Effect.Effect<Option.Option<ListingDetail>, StoreUnavailable>
    /** An approved listing by id or slug as the JSON of the skill detail (SKILL-3), which is the same for every viewer. */
    readonly skillJson: (idOrSlug: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Each item as JSON text of the face, joined to a JSON array; souls are on the skill face only (SEARCH-7). */
    readonly list: (
      filter: CatalogueFilter,
      face: ListingFace,
      kind: ItemKind
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** For operators: any state but deleted, oldest first; `pending_review` also finds listings with changes that wait (LISTING-17). */
    readonly queue: (
      status: ListingStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Listing>, StoreUnavailable>
    /** How many items everybody sees carry each of these categories, souls and listings together; none where it is 0. */
    readonly categoryCounts: (
      categories: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    /** Of the souls and listings of an account that everybody sees. */
    readonly creatorCounts: (account: AccountId) => Effect.Effect<CreatorCounts, StoreUnavailable>
    /** Since when the listing that has waited longest for a review has waited (OPERATOR-13). */
    readonly oldestWaiting: Effect.Effect<Option.Option<Timestamp>, StoreUnavailable>
    /**
     * Adds or replaces the author's review and the statistics with it. None where the author holds no live license and has not downloaded
     * the item either, if it is a free soul.
     */
    readonly putReview: (review: Review) => Effect.Effect<Option.Option<Review>, StoreUnavailable>
    /** Those that count, newest first: a review stops counting when its author's purchase is refunded (REVIEW-4). */
    readonly listReviews: (item: ItemId, page: PageRequest) => Effect.Effect<Page<Review>, StoreUnavailable>
    /**
     * Lets paid purchases that are 24 hours old count in full for the popularity of their items, at most some thousand. True where more
     * may be left.
     */
    readonly agePurchases: Effect.Effect<boolean, StoreUnavailable>
    /** Renders the JSON of at most {@link renderBatch} listings again that an earlier `listingRendering` wrote. True where more may be left. */
    readonly renderStale: Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/listings/ListingStore") {}

/** How many records one transaction renders again: few enough that changes of them hardly wait. */
export const renderBatch = 50
