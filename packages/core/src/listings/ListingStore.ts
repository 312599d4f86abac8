import type { Effect, Option, Result } from "effect"
import { Context } from "effect"
import type { AccountFrozen, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, ListingId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { Listing, ListingStats, ListingStatus } from "./Listing.ts"
import type { ListingChange } from "./ListingRules.ts"
import type { Review } from "./Review.ts"

export interface ListingFilter extends PageRequest {
  readonly category?: string | undefined
  /** Words and prefixes, all of which must occur in name, description, tags or creator. */
  readonly search?: string | undefined
  readonly minPrice?: Usdt | undefined
  readonly maxPrice?: Usdt | undefined
  readonly minRating?: number | undefined
  readonly featured?: boolean | undefined
  /** Listings that carry any of these. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Undefined: best match first where `search` is given, else newest (SEARCH-4). */
  readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
  /** Undefined: price ascending, all else descending (SEARCH-3). */
  readonly sortOrder?: "asc" | "desc" | undefined
  /** That creator's own in every state but deleted, instead of everybody's approved ones (LISTING-23, SEARCH-2). */
  readonly creatorId?: AccountId | undefined
}

/** Which of the two faces the JSON shows. */
export type ListingFace = "listing" | "skill"

export interface ListingDetail {
  readonly listing: Listing
  readonly stats: ListingStats
  /** The viewer holds a live license. */
  readonly licensed: boolean
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
    /** Each listing as JSON text of its face, joined to a JSON array. */
    readonly list: (
      filter: ListingFilter,
      face: ListingFace
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** For operators: any state but deleted, oldest first. */
    readonly queue: (
      status: ListingStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Listing>, StoreUnavailable>
    /** Adds or replaces the author's review and the statistics with it; none where the author holds no live license. */
    readonly putReview: (review: Review) => Effect.Effect<Option.Option<Review>, StoreUnavailable>
    /** Newest first. */
    readonly listReviews: (listing: ListingId, page: PageRequest) => Effect.Effect<Page<Review>, StoreUnavailable>
    /** Renders the JSON of at most {@link renderBatch} listings again that an earlier `listingRendering` wrote. True where more may be left. */
    readonly renderStale: Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/listings/ListingStore") {}

/** How many records one transaction renders again: few enough that changes of them hardly wait. */
export const renderBatch = 50

/** The most matches a search counts or ranks; a common word stays as cheap as a rare one. */
export const searchCap = 1000
