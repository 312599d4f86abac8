import { agingTime } from "@agent-marketplace/core/catalogue/Popularity"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { ItemId, ListingId } from "@agent-marketplace/core/ids/Ids"
import type { Listing, ListingStats, ListingStatus } from "@agent-marketplace/core/listings/Listing"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import type { CreatorAccount, ItemKind, ListingFace } from "@agent-marketplace/core/listings/ListingStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { Review } from "@agent-marketplace/core/listings/Review"
import { noFindings } from "@agent-marketplace/core/names/NameFindings"
import type { PageRequest } from "@agent-marketplace/core/paging/Page"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { Effect, Layer, Option, Result } from "effect"
import { NameTooSimilar } from "@agent-marketplace/core/errors/MarketError"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import type { MarketTables, StoredListing, StoredSoul } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"
import { putReview } from "../catalogue/putReview.ts"
import { isVerified } from "../domains/accountDomains.ts"
import { nameFindings } from "../catalogue/nameFindings.ts"
import type { Facets } from "../catalogue/Facets.ts"
import { searchItems } from "../catalogue/searchItems.ts"
import { statsOf } from "../catalogue/statsOf.ts"
import { recordOnSale } from "../releases/alikeReleases.ts"
import { storeListing } from "./storeListing.ts"

const created = ({ createdAt }: Listing | Review) => createdAt

const byIdOrSlug = (tables: MarketTables, idOrSlug: string): StoredListing | undefined => {
  const byId = tables.listings.get(idOrSlug as ListingId)
  if (byId !== undefined) return byId
  const id = tables.listingsBySlug.get(idOrSlug)
  return id === undefined ? undefined : tables.listings.get(id)
}

const reviewsOf = (tables: MarketTables, item: ItemId): ReadonlyArray<Review> =>
  [...(tables.reviews.get(item)?.values() ?? [])].flatMap(({ counts, review }) => (counts ? [review] : []))

/** The status of a soul, with a listing's values. */
const soulStatus = ({ reasonCode, suspension }: Soul) => ({
  status: suspension === null ? ("approved" as const) : ("suspended" as const),
  rejectionReason: null,
  reasonCode
})

const shown = (
  face: ListingFace,
  { own }: CatalogueFilter,
  item: StoredListing | StoredSoul,
  stats: ListingStats
): string => {
  const fields = own === true ? ListingJson.ownFields("soul" in item ? soulStatus(item.soul) : item.listing) : ""
  if ("soul" in item) return SoulJson.closeSkill(item.skillHead + fields, stats)
  return face === "listing"
    ? ListingJson.closeListing(item.listingHead + fields, stats)
    : ListingJson.closeSkill(item.skillHead + fields, stats)
}

const list = (tables: MarketTables, filter: CatalogueFilter, face: ListingFace, kind: ItemKind) => {
  const listings = kind === "soul" && face === "skill" ? [] : tables.listings.values()
  const souls = kind === "skill" || face === "listing" ? [] : tables.souls.values()
  const { page, total } = searchItems(tables, [...listings, ...souls], filter)
  return { json: `[${page.map(({ item, stats }) => shown(face, filter, item, stats)).join(",")}]`, total }
}

const queue = (tables: MarketTables, status: ListingStatus | undefined, page: PageRequest) => {
  const listings = Array.from(tables.listings.values(), ({ listing }) => listing).filter(
    (listing) => listing.status !== "deleted"
  )
  if (status === "pending_review") {
    const waiting = listings.filter(({ waitingSince }) => waitingSince !== null)
    return Timeline.page(
      Timeline.oldestFirst(waiting, ({ createdAt, waitingSince }) => waitingSince ?? createdAt),
      page
    )
  }
  const found = listings.filter((listing) => status === undefined || listing.status === status)
  return Timeline.page(Timeline.oldestFirst(found, created), page)
}

const facetsOf = (tables: MarketTables): ReadonlyArray<Facets> =>
  [...tables.listings.values(), ...tables.souls.values()].map(({ facets }) => facets)

const creatorOf = (tables: MarketTables, { createdAt, id, name, seller }: Account): CreatorAccount => {
  const seen = facetsOf(tables).filter(({ creatorId, listed }) => listed && creatorId === id)
  const souls = seen.filter((item) => item.id.startsWith("soul_")).length
  const reviews = seen.flatMap((item) => reviewsOf(tables, item.id))
  const sum = reviews.reduce((total, { rating }) => total + rating, 0)
  return {
    id,
    name,
    seller,
    verified: isVerified(tables, id),
    createdAt,
    souls,
    listings: seen.length - souls,
    sales: seen.reduce((total, item) => total + (tables.sold.get(item.id) ?? 0), 0),
    rating: reviews.length === 0 ? 0 : Math.round((sum * 100) / reviews.length) / 100
  }
}

const changes = ({ append, tables }: MemoryMarket["Service"]): Pick<ListingStore["Service"], "insert" | "modify"> => ({
  insert: (draft, request, rule) =>
    Effect.suspend((): ReturnType<ListingStore["Service"]["insert"]> => {
      const admitted = admitRecord(tables, draft.creatorId, "listings", draft.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.listings.has(draft.id)) throw new ConstraintViolated("listings_id", draft.id)
      const names = nameFindings(tables, { name: draft.name, creatorId: draft.creatorId })
      if (names.similar !== null) return Effect.fail(new NameTooSimilar({ conflictsWith: names.similar }))
      const { events, listing } = rule(
        {
          ...draft,
          slug: tables.listingSlugs.take(request),
          creatorVerified: isVerified(tables, draft.creatorId)
        },
        names
      )
      storeListing(tables, listing)
      append(events)
      return Effect.succeed(listing)
    }),
  modify: (id, rule, claims) =>
    Effect.sync(() => {
      const stored = tables.listings.get(id)
      if (stored === undefined) return Option.none()
      const { creatorId } = stored.listing
      const name = claims?.(stored.listing) ?? null
      const names = name === null ? noFindings : nameFindings(tables, { name, creatorId })
      const changed = rule(stored.listing, names)
      if (Result.isFailure(changed)) return Option.some(Result.fail(changed.failure))
      const { action, events, listing } = changed.success
      storeListing(tables, listing)
      recordOnSale(tables, id)
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
            const listed = isPublic(listing)
            return Option.some({ listing, stats: statsOf(tables, listing.id), licensed, listed })
          }),
        skillJson: (idOrSlug) =>
          Effect.sync(() => {
            const stored = byIdOrSlug(tables, idOrSlug)
            return stored !== undefined && isPublic(stored.listing)
              ? Option.some(ListingJson.closeSkillDetail(stored.skillDetailHead, statsOf(tables, stored.listing.id)))
              : Option.none()
          }),
        list: (filter, face, kind) => Effect.sync(() => list(tables, filter, face, kind)),
        queue: (status, page) => Effect.sync(() => queue(tables, status, page)),
        putReview: (review) => Effect.map(clock.now, (now) => putReview(market, review, now)),
        listReviews: (listing, page) =>
          Effect.sync(() => Timeline.page(Timeline.newestFirst(reviewsOf(tables, listing), created), page)),
        categoryCounts: (categories) =>
          Effect.sync(() => {
            const counts = new Map<string, number>()
            for (const { category, listed } of facetsOf(tables)) {
              if (!listed || !categories.includes(category)) continue
              counts.set(category, (counts.get(category) ?? 0) + 1)
            }
            return counts
          }),
        creators: (ids) =>
          Effect.sync(() =>
            ids.flatMap((id) => {
              const account = tables.accounts.get(id)
              return account === undefined ? [] : [creatorOf(tables, account)]
            })
          ),
        itemFacts: (ids) =>
          Effect.sync(() =>
            facetsOf(tables)
              .filter(({ id }) => ids.includes(id))
              .map(({ creatorId, id }) => ({ id, creatorId, stats: statsOf(tables, id) }))
          ),
        oldestWaiting: Effect.sync(() => {
          const times = Array.from(tables.listings.values(), ({ listing }) => listing.waitingSince)
          return Option.fromUndefinedOr(times.filter((time) => time !== null).sort((a, b) => a - b)[0])
        }),
        agePurchases: Effect.map(clock.now, (now) => {
          tables.aged.until = now - agingTime
          return false
        }),
        // Data in memory was never written by an earlier version.
        renderStale: Effect.succeed(false)
      }
    })
  )
}
