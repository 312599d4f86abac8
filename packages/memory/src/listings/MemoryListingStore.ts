import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import type { Listing, ListingStatus } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import type { ListingFace, ListingFilter } from "@agent-marketplace/core/listings/ListingStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { Review } from "@agent-marketplace/core/listings/Review"
import type { PageRequest } from "@agent-marketplace/core/paging/Page"
import { Effect, Layer, Option, Result } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import type { MarketTables, StoredListing } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"
import { putReview } from "./putReview.ts"
import type { FoundListing } from "./searchListings.ts"
import { searchListings } from "./searchListings.ts"
import { statsOf } from "./statsOf.ts"
import { storeListing } from "./storeListing.ts"

const created = ({ createdAt }: Listing | Review) => createdAt

const byIdOrSlug = (tables: MarketTables, idOrSlug: string): StoredListing | undefined => {
  const byId = tables.listings.get(idOrSlug as ListingId)
  if (byId !== undefined) return byId
  const id = tables.listingsBySlug.get(idOrSlug)
  return id === undefined ? undefined : tables.listings.get(id)
}

const json = (face: ListingFace, { stats, stored }: FoundListing): string =>
  face === "listing"
    ? ListingJson.closeListing(stored.listingHead, stats)
    : ListingJson.closeSkill(stored.skillHead, stats)

const list = (tables: MarketTables, filter: ListingFilter, face: ListingFace) => {
  const { items, total } = Timeline.page(searchListings(tables, filter), filter)
  return { json: `[${items.map((found) => json(face, found)).join(",")}]`, total }
}

const queue = (tables: MarketTables, status: ListingStatus | undefined, page: PageRequest) => {
  const waiting = Array.from(tables.listings.values(), ({ listing }) => listing).filter(
    (listing) => listing.status !== "deleted" && (status === undefined || listing.status === status)
  )
  return Timeline.page(Timeline.oldestFirst(waiting, created), page)
}

const changes = ({ append, tables }: MemoryMarket["Service"]): Pick<ListingStore["Service"], "insert" | "modify"> => ({
  insert: (draft, request, events) =>
    Effect.suspend(() => {
      const admitted = admitRecord(tables, draft.creatorId, "listings", draft.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.listings.has(draft.id)) throw new ConstraintViolated("listings_id", draft.id)
      const listing: Listing = { ...draft, slug: tables.listingSlugs.take(request) }
      const happened = events(listing)
      storeListing(tables, listing)
      append(happened)
      return Effect.succeed(listing)
    }),
  modify: (id, rule) =>
    Effect.sync(() => {
      const stored = tables.listings.get(id)
      if (stored === undefined) return Option.none()
      const changed = rule(stored.listing)
      if (Result.isFailure(changed)) return Option.some(Result.fail(changed.failure))
      const { action, events, listing } = changed.success
      storeListing(tables, listing)
      append(events)
      if (action !== undefined) tables.actions.push(action)
      return Option.some(Result.succeed(listing))
    })
})

export const MemoryListingStore: { readonly layer: Layer.Layer<ListingStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    ListingStore,
    Effect.gen(function* () {
      const market = yield* MemoryMarket
      const clock = yield* MarketClock
      const { tables } = market
      return {
        ...changes(market),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.listings.get(id)?.listing)),
        detail: (idOrSlug, viewer) =>
          Effect.map(clock.now, (now) => {
            const listing = byIdOrSlug(tables, idOrSlug)?.listing
            if (listing === undefined) return Option.none()
            const licensed = viewer !== null && hasLiveLicense(tables, viewer, listing.id, now)
            return Option.some({ listing, stats: statsOf(tables, listing.id), licensed })
          }),
        skillJson: (idOrSlug) =>
          Effect.sync(() => {
            const stored = byIdOrSlug(tables, idOrSlug)
            return stored?.listing.status === "approved" && !stored.listing.withheld
              ? Option.some(ListingJson.closeSkillDetail(stored.skillDetailHead, statsOf(tables, stored.listing.id)))
              : Option.none()
          }),
        list: (filter, face) => Effect.sync(() => list(tables, filter, face)),
        queue: (status, page) => Effect.sync(() => queue(tables, status, page)),
        putReview: (review) => Effect.map(clock.now, (now) => putReview(tables, review, now)),
        listReviews: (listing, page) =>
          Effect.sync(() =>
            Timeline.page(Timeline.newestFirst(tables.reviews.get(listing)?.values() ?? [], created), page)
          ),
        // Nothing here was written by an earlier version.
        renderStale: Effect.succeed(false)
      }
    })
  )
}
