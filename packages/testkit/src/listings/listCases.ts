import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import type { PageFilter } from "./listingIds.ts"
import { listingIds, paged } from "./listingIds.ts"

const nothingSold = { sales: 0, rating: 0, reviews: 0 }

/** Four listings with a unique tag, oldest first: prices 5, 20, 5 and 1; sold 0, 2, 1 and 0 times; rated 0, 3, 5 and 0. */
const shelf = Effect.gen(function* () {
  const clock = yield* MarketClock
  const listings = yield* ListingStore
  const tag = freshWord()
  const [creator, one, two] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
  yield* fund(one, usdt(100))
  yield* fund(two, usdt(100))
  const plans = [
    { price: 5, category: "data", buyers: [], rating: 0, featured: false },
    { price: 20, category: "security", buyers: [one, two], rating: 3, featured: true },
    { price: 5, category: "data", buyers: [one], rating: 5, featured: false },
    { price: 1, category: "creative", buyers: [], rating: 0, featured: true }
  ]
  const made: Array<Listing> = []
  for (const { buyers, category, featured, price, rating } of plans) {
    const now = yield* clock.advance(1)
    const listing = yield* listingOnSale(creator, { price: usdt(price), category, featured, tags: [tag, "plain"] })
    for (const buyer of buyers) {
      resultOf(yield* settle(Commands.buy(buyer, listing)), "Bought")
      const review = { id: freshId("rev"), itemId: listing.id, authorId: buyer.id, author: buyer.name }
      yield* listings.putReview({ ...review, rating, comment: null, createdAt: now, updatedAt: now })
    }
    made.push(listing)
  }
  /** The indexes of the listings that a filter finds, in its order. */
  const places = (filter: PageFilter) =>
    Effect.map(listingIds({ tags: [tag], ...filter }), (ids) => ids.map((id) => made.findIndex((it) => it.id === id)))
  return { creator, made, places, tag }
})

export const listCases = (it: StoreIt): void => {
  it.effect("the list has approved listings only, newest first, with the documented fields", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { creator, made, places, tag } = yield* shelf
      for (const status of ["pending_review", "rejected", "suspended", "deleted"] as const) {
        yield* listingOnSale(creator, { status, tags: [tag] })
      }
      assert.deepStrictEqual(yield* places({}), [3, 2, 1, 0])
      const [newest] = made.slice(-1)
      assert.isDefined(newest)
      const first = { tags: [tag], page: 1, limit: 1 }
      const asListing = yield* listings.list(paged(first), "listing", "skill")
      assert.strictEqual(asListing.json, `[${ListingJson.closeListing(ListingJson.listingHead(newest), nothingSold)}]`)
      assert.strictEqual(asListing.total, 4)
      const asSkill = yield* listings.list(paged(first), "skill", "skill")
      assert.strictEqual(asSkill.json, `[${ListingJson.closeSkill(ListingJson.skillHead(newest), nothingSold)}]`)
      assert.strictEqual(asSkill.total, 4)
    })
  )

  it.effect("consecutive pages contain every listing exactly once", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { places, tag } = yield* shelf
      assert.deepStrictEqual(yield* places({ page: 1, limit: 3 }), [3, 2, 1])
      assert.deepStrictEqual(yield* places({ page: 2, limit: 3 }), [0])
      assert.deepStrictEqual(yield* listings.list(paged({ tags: [tag], page: 3, limit: 3 }), "skill", "skill"), {
        json: "[]",
        total: 4
      })
    })
  )

  it.effect("each filter removes listings that do not match, bounds are inclusive, and filters can be combined", () =>
    Effect.gen(function* () {
      const { places } = yield* shelf
      assert.deepStrictEqual(yield* places({ category: "data" }), [2, 0])
      assert.deepStrictEqual(yield* places({ category: "nothing" }), [])
      assert.deepStrictEqual(yield* places({ minPrice: usdt(5) }), [2, 1, 0])
      assert.deepStrictEqual(yield* places({ maxPrice: usdt(5) }), [3, 2, 0])
      assert.deepStrictEqual(yield* places({ minPrice: usdt(5.000001), maxPrice: usdt(20) }), [1])
      assert.deepStrictEqual(yield* places({ minRating: 3 }), [2, 1])
      assert.deepStrictEqual(yield* places({ minRating: 3.5 }), [2])
      assert.deepStrictEqual(yield* places({ featured: true }), [3, 1])
      assert.deepStrictEqual(yield* places({ featured: false }), [2, 0])
      assert.deepStrictEqual(yield* places({ category: "data", minRating: 1, maxPrice: usdt(5) }), [2])
    })
  )

  it.effect("several tags match listings with any of them", () =>
    Effect.gen(function* () {
      const { creator, made, tag } = yield* shelf
      const other = yield* listingOnSale(creator, { tags: [freshWord()] })
      const ids = yield* listingIds({ tags: [tag, ...other.tags] })
      assert.deepStrictEqual(ids.toSorted(), [...made, other].map(({ id }) => id as string).sort())
    })
  )

  it.effect("the default order is ascending for prices and descending otherwise; ties are newest first", () =>
    Effect.gen(function* () {
      const { places } = yield* shelf
      assert.deepStrictEqual(yield* places({ sortBy: "price" }), [3, 2, 0, 1])
      assert.deepStrictEqual(yield* places({ sortBy: "price", sortOrder: "desc" }), [1, 2, 0, 3])
      assert.deepStrictEqual((yield* places({ sortBy: "rating" })).slice(0, 2), [2, 1])
      assert.deepStrictEqual((yield* places({ sortBy: "rating", sortOrder: "asc" })).slice(2), [1, 2])
      assert.deepStrictEqual((yield* places({ sortBy: "popular" })).slice(0, 2), [1, 2])
      assert.deepStrictEqual((yield* places({ sortBy: "popular", sortOrder: "asc" })).slice(2), [2, 1])
      assert.deepStrictEqual(yield* places({ sortBy: "newest" }), [3, 2, 1, 0])
      assert.deepStrictEqual(yield* places({ sortBy: "newest", sortOrder: "asc" }), [0, 1, 2, 3])
    })
  )

  it.effect("a creator sees its own listings in every state except deleted (LISTING-23)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const creator = yield* openAccount()
      const expected: Array<string> = []
      for (const status of ["approved", "pending_review", "rejected", "suspended", "deleted"] as const) {
        yield* clock.advance(1)
        const listing = yield* listingOnSale(creator, { status })
        if (status !== "deleted") expected.unshift(listing.id)
      }
      assert.deepStrictEqual(yield* listingIds({ creatorId: creator.id, own: true }), expected)
    })
  )

  it.effect("the JSON of the list contains sales and rating", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { made, tag } = yield* shelf
      const { json } = yield* listings.list(
        paged({ tags: [tag], sortBy: "popular", page: 1, limit: 1 }),
        "listing",
        "skill"
      )
      assert.deepInclude(JSON.parse(json)[0], { id: made[1]?.id, stats: { sales: 2, rating: 3, reviews: 2 } })
      const detail = Option.getOrThrow(yield* listings.detail(made[1]?.id ?? "", null))
      assert.deepStrictEqual(detail.stats, { sales: 2, rating: 3, reviews: 2 })
    })
  )
}
