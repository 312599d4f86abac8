import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { Review } from "@agent-marketplace/core/listings/Review"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const review = Effect.fnUntraced(function* (author: Account, listing: Listing, rating: number, comment: string | null) {
  const clock = yield* MarketClock
  const listings = yield* ListingStore
  const now = yield* clock.advance(1)
  const written: Review = {
    id: freshId("rev"),
    itemId: listing.id,
    authorId: author.id,
    author: author.name,
    rating,
    comment,
    createdAt: now,
    updatedAt: now
  }
  return yield* listings.putReview(written)
})

const statsOf = Effect.fnUntraced(function* (listing: Listing) {
  const listings = yield* ListingStore
  return Option.getOrThrow(yield* listings.detail(listing.id, null)).stats
})

export const reviewCases = (it: StoreIt): void => {
  it.effect("only holders of a valid license can review (REVIEW-2)", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100))
      assert.deepStrictEqual(yield* review(buyer, item, 5, null), Option.none())
      assert.deepStrictEqual(yield* review(seller, item, 5, null), Option.none())
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      assert.isTrue(Option.isSome(yield* review(buyer, item, 5, null)))
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.deepStrictEqual(yield* review(buyer, item, 1, "again"), Option.none())
    })
  )

  it.effect(
    "the rating is the mean of the reviews to two decimals, and a buyer's second review replaces the first",
    () =>
      Effect.gen(function* () {
        const listings = yield* ListingStore
        const item = yield* listingOnSale(yield* openAccount(), { price: usdt(0), pricingModel: "free" })
        const buyers = yield* Effect.forEach([1, 2, 3], () => openAccount())
        for (const buyer of buyers) resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        const [one, two, three] = buyers
        if (one === undefined || two === undefined || three === undefined) return assert.fail()
        yield* review(one, item, 5, "good")
        assert.deepStrictEqual(yield* statsOf(item), { sales: 3, rating: 5, reviews: 1 })
        yield* review(two, item, 4, null)
        assert.strictEqual((yield* statsOf(item)).rating, 4.5)
        yield* review(three, item, 4, "fine 🦞")
        assert.deepStrictEqual(yield* statsOf(item), { sales: 3, rating: 4.33, reviews: 3 })
        const changed = Option.getOrThrow(yield* review(one, item, 1, "bad"))
        assert.deepInclude(changed, { authorId: one.id, rating: 1, comment: "bad" })
        assert.deepStrictEqual(yield* statsOf(item), { sales: 3, rating: 3, reviews: 3 })
        const { items, total } = yield* listings.listReviews(item.id, { page: 1, limit: 10 })
        assert.strictEqual(total, 3)
        assert.deepStrictEqual(
          items.find(({ authorId }) => authorId === one.id),
          changed
        )
      })
  )

  it.effect("reviews are listed newest first, page by page", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const item = yield* listingOnSale(yield* openAccount(), { price: usdt(0), pricingModel: "free" })
      const expected: Array<Review> = []
      for (const rating of [1, 2, 3]) {
        const buyer = yield* openAccount()
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        expected.unshift(Option.getOrThrow(yield* review(buyer, item, rating, null)))
      }
      assert.deepStrictEqual(yield* listings.listReviews(item.id, { page: 1, limit: 2 }), {
        items: expected.slice(0, 2),
        total: 3
      })
      assert.deepStrictEqual(yield* listings.listReviews(item.id, { page: 2, limit: 2 }), {
        items: expected.slice(2),
        total: 3
      })
      assert.deepStrictEqual(yield* listings.listReviews(freshId("lst"), { page: 1, limit: 2 }), {
        items: [],
        total: 0
      })
    })
  )

  it.effect("20 concurrent reviews of one buyer count as one, also in the statistics", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { buyer, item } = yield* market(usdt(10))
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      yield* Effect.forEach(Array.from({ length: 20 }), (_, n) => review(buyer, item, (n % 5) + 1, `${n}`), {
        concurrency: "unbounded"
      })
      const { items, total } = yield* listings.listReviews(item.id, { page: 1, limit: 10 })
      assert.strictEqual(total, 1)
      assert.deepStrictEqual(yield* statsOf(item), { sales: 1, rating: items[0]?.rating ?? 0, reviews: 1 })
    })
  )
}
