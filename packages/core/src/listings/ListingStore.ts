import type { Option, Result } from "effect"
import { Context } from "effect"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, NameTooSimilar, QuotaExceeded } from "../errors/MarketError.ts"
import type { AccountId, ItemId, ListingId } from "../ids/Ids.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { Listing, ListingStats, ListingStatus } from "./Listing.ts"
import type { ListingChange } from "./ListingRules.ts"
import type { Review } from "./Review.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The API view of the JSON: a listing or a skill. */
export type ListingFace = "listing" | "skill"

/** Whether a list contains skills, souls, or both (SEARCH-7). */
export type ItemKind = "skill" | "soul" | "all"

export interface ListingDetail {
  readonly listing: Listing
  readonly stats: ListingStats
  /** The viewer holds a live license. */
  readonly licensed: boolean
  /** Everybody sees it: it is approved, and its creator is not frozen. */
  readonly listed: boolean
}

/** The public counts of an account's items (CREATOR-1). */
export interface CreatorCounts {
  readonly souls: number
  readonly listings: number
  readonly sales: number
  /** The mean of all their reviews, rounded to two decimals; 0 if there are none. */
  readonly rating: number
}

/** An account as its public profile needs it (CREATOR-1). */
export interface CreatorAccount extends CreatorCounts {
  readonly id: AccountId
  readonly name: string
  readonly seller: boolean
  /** Whether it has proven a domain (DOMAIN-7). */
  readonly verified: boolean
  readonly createdAt: Timestamp
}

/** The details of an item that lists omit. */
export interface ItemFacts {
  readonly id: ItemId
  readonly creatorId: AccountId
  readonly stats: ListingStats
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
 * Contract: a slug is never assigned twice, even under concurrency; each method is one transaction and its events are
 * appended in it. A search counts at most {@link searchCap} matches: `total` stops there.
 */
export class ListingStore extends Context.Service<
  ListingStore,
  {
    /** Of two that are inserted at once with names that look alike, one fails (NAME-1). */
    readonly insert: (
      listing: Omit<Listing, "slug">,
      slug: SlugRequest,
      rule: (listing: Listing, names: NameFindings) => ListingChange
    ) => StoreEffect<Listing, AccountFrozen | NameTooSimilar | QuotaExceeded>
    /** Finds a listing in any state. */
    readonly find: (id: ListingId) => StoreEffect<Option.Option<Listing>>
    /**
     * Locks the listing, applies the rule to it and stores the result. The rule gets the findings about the name that `claims` returns;
     * without one, there are none. Changes that claim names that look alike wait for each other.
     */
    readonly modify: <E>(
      id: ListingId,
      rule: (listing: Listing, names: NameFindings) => Result.Result<ListingChange, E>,
      claims?: (listing: Listing) => string | null
    ) => StoreEffect<Option.Option<Result.Result<Listing, E>>>
    /** By id or slug, in any state, with what depends on the viewer. One round trip. */
    readonly detail: (idOrSlug: string, viewer: AccountId | null) => StoreEffect<Option.Option<ListingDetail>>
    /** The skill detail (SKILL-3) of an approved listing, by id or slug, as JSON text. It is the same for every viewer. */
    readonly skillJson: (idOrSlug: string) => StoreEffect<Option.Option<string>>
    /** The items as JSON texts of the face, joined to a JSON array. Only the skill face includes souls (SEARCH-7). */
    readonly list: (
      filter: CatalogueFilter,
      face: ListingFace,
      kind: ItemKind
    ) => StoreEffect<{ readonly json: string; readonly total: number }>
    /** For operators: any state except deleted, oldest first. `pending_review` also finds listings with pending changes (LISTING-17). */
    readonly queue: (status: ListingStatus | undefined, page: PageRequest) => StoreEffect<Page<Listing>>
    /** The number of public items in each of these categories, souls and listings together. Categories without items are omitted. */
    readonly categoryCounts: (categories: ReadonlyArray<string>) => StoreEffect<ReadonlyMap<string, number>>
    /** These accounts with the counts of their public souls and listings, in no particular order. Unknown ids are omitted. */
    readonly creators: (ids: ReadonlyArray<AccountId>) => StoreEffect<ReadonlyArray<CreatorAccount>>
    /** The creators and statistics of these items, in any state, in no particular order. Unknown ids are omitted. */
    readonly itemFacts: (ids: ReadonlyArray<ItemId>) => StoreEffect<ReadonlyArray<ItemFacts>>
    /** When the listing that has waited longest for a review was submitted (OPERATOR-13). */
    readonly oldestWaiting: StoreEffect<Option.Option<Timestamp>>
    /**
     * Adds or replaces the author's review and updates the statistics. None if the author has no live license and, for a free soul, has not
     * downloaded it either.
     */
    readonly putReview: (review: Review) => StoreEffect<Option.Option<Review>>
    /** The reviews that count, newest first. A review no longer counts when its author's purchase is refunded (REVIEW-4). */
    readonly listReviews: (item: ItemId, page: PageRequest) => StoreEffect<Page<Review>>
    /**
     * Applies the full popularity weight to paid purchases that are 24 hours old, in batches of some thousand. True if more may remain.
     */
    readonly agePurchases: StoreEffect<boolean>
    /** Renders the JSON of listings with an older `listingRendering` again, at most {@link renderBatch}. True if more may remain. */
    readonly renderStale: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/listings/ListingStore") {}

/** The number of records rendered again in one transaction: few enough that concurrent changes hardly wait. */
export const renderBatch = 50
