import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Listing, ListingStatus } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { listingApproved, listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"

const nothingSold = { sales: 0, rating: 0, reviews: 0 }

const queued = Effect.fnUntraced(function* (status: ListingStatus | undefined, creatorId: string) {
  const listings = yield* ListingStore
  const found: Array<Listing> = []
  for (let page = 1; ; page++) {
    const { items, total } = yield* listings.queue(status, { page, limit: 100 })
    found.push(...items.filter((listing) => listing.creatorId === creatorId))
    if (page * 100 >= total) return found.map(({ id }) => id)
  }
})

export const listingCases = (it: StoreIt): void => {
  it.effect("a listing is stored completely, with its events", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const creator = yield* openAccount({ name: `"Ünïcode" ${freshWord()}` })
      const listing = yield* listingOnSale(creator, {
        price: usdt(999_999_999.123456),
        currency: "USDC",
        shortDesc: "short 🦞",
        longDescription: '# Long\n\n\\ "quoted" \u2028',
        tags: ["a", "b-c"],
        installUrl: null,
        documentationUrl: "https://example.com/docs",
        thumbnailUrl: "https://example.com/t.png",
        screenshots: ["https://example.com/1.png", "https://example.com/2.png"],
        videoUrl: "https://example.com/v",
        pricingModel: "subscription",
        featured: true
      })
      assert.deepStrictEqual(yield* listings.find(listing.id), Option.some(listing))
      assert.deepStrictEqual(yield* listings.find(freshId("lst")), Option.none())
      const event = yield* onlyEvent(listing.id)
      assert.deepInclude(event, { type: "listing.approved", accounts: [creator.id] })
      assert.strictEqual(event.data.slug, listing.slug)
    })
  )

  it.effect("listings written by this version do not need to be rendered again", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const creator = yield* openAccount()
      yield* listingOnSale(creator)
      const filter = { offset: 0, limit: 10, creatorId: creator.id, own: true }
      const before = yield* listings.list(filter, "listing", "skill")
      assert.isFalse(yield* listings.renderStale)
      assert.deepStrictEqual(yield* listings.list(filter, "listing", "skill"), before)
    })
  )

  it.effect("20 concurrent listings of one name get 20 slugs; a slug is not reused after deletion (TEXT-6)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const creator = yield* openAccount()
      const name = freshWord()
      const make = listingOnSale(creator, { name })
      const made = yield* Effect.forEach(Array.from({ length: 20 }), () => make, { concurrency: "unbounded" })
      const expected = [name, ...Array.from({ length: 19 }, (_, n) => `${name}-${n + 2}`)]
      assert.deepStrictEqual(made.map(({ slug }) => slug).sort(), expected.sort())
      for (const { id } of made) {
        yield* listings.modify(id, (one) =>
          Result.succeed({ listing: { ...one, status: "deleted" as const }, events: [] })
        )
      }
      assert.strictEqual((yield* make).slug, `${name}-21`)
    })
  )

  it.effect(
    "a change is stored with its events, a refused one changes nothing, and a missing listing returns none",
    () =>
      Effect.gen(function* () {
        const listings = yield* ListingStore
        const listing = yield* listingOnSale(yield* openAccount(), { status: "rejected", rejectionReason: "no" })
        const next: Listing = { ...listing, status: "approved", rejectionReason: null, name: "Other", tags: ["z"] }
        const changed = yield* listings.modify(listing.id, () =>
          Result.succeed({ listing: next, events: [listingApproved(next)] })
        )
        assert.deepStrictEqual(changed, Option.some(Result.succeed(next)))
        assert.deepStrictEqual(yield* listings.find(listing.id), Option.some(next))
        assert.deepStrictEqual(
          yield* listings.modify(listing.id, () => Result.fail("no" as const)),
          Option.some(Result.fail("no" as const))
        )
        assert.deepStrictEqual(yield* listings.find(listing.id), Option.some(next))
        assert.lengthOf(yield* subjectEvents(listing.id), 1)
        const absent = yield* listings.modify(freshId("lst"), (one) => Result.succeed({ listing: one, events: [] }))
        assert.deepStrictEqual(absent, Option.none())
      })
  )

  it.effect("20 concurrent changes are all stored", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const listing = yield* listingOnSale(yield* openAccount(), { price: usdt(1) })
      const raise = listings.modify(listing.id, (one) =>
        Result.succeed({ listing: { ...one, price: Usdt.of(one.price + 1n) }, events: [] })
      )
      yield* Effect.forEach(Array.from({ length: 20 }), () => raise, { concurrency: "unbounded" })
      assert.strictEqual(Option.getOrThrow(yield* listings.find(listing.id)).price, Usdt.of(1_000_020n))
    })
  )

  it.effect("the detail is found by id and by slug in every state, and states whether the viewer has a license", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { buyer, item, seller } = yield* market(usdt(100))
      const expected = { listing: item, stats: nothingSold, licensed: false, listed: true }
      for (const key of [item.id, item.slug]) {
        assert.deepStrictEqual(yield* listings.detail(key, null), Option.some(expected))
        assert.deepStrictEqual(yield* listings.detail(key, buyer.id), Option.some(expected))
      }
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const sold = { listing: item, stats: { ...nothingSold, sales: 1 }, licensed: true, listed: true }
      assert.deepStrictEqual(yield* listings.detail(item.slug, buyer.id), Option.some(sold))
      assert.deepStrictEqual(
        yield* listings.detail(item.id, seller.id),
        Option.some({ ...sold, licensed: false, listed: true })
      )
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.deepStrictEqual(yield* listings.detail(item.id, buyer.id), Option.some(expected))
      const hidden = yield* listingOnSale(seller, { status: "deleted" })
      assert.isTrue(Option.isSome(yield* listings.detail(hidden.slug, null)))
      assert.deepStrictEqual(yield* listings.detail(freshWord(), null), Option.none())
    })
  )

  it.effect("the skill's JSON has the fields of SKILL-3, and only approved listings have it", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { buyer, item } = yield* market(usdt(100))
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const stats = { ...nothingSold, sales: 1 }
      const expected = JSON.parse(ListingJson.closeSkillDetail(ListingJson.skillDetailHead(item), stats))
      for (const key of [item.id, item.slug]) {
        assert.deepStrictEqual(JSON.parse(Option.getOrThrow(yield* listings.skillJson(key))), expected)
      }
      yield* listings.modify(item.id, (one) =>
        Result.succeed({ listing: { ...one, status: "suspended" as const }, events: [] })
      )
      assert.deepStrictEqual(yield* listings.skillJson(item.id), Option.none())
      assert.deepStrictEqual(yield* listings.skillJson(freshWord()), Option.none())
    })
  )

  it.effect("the review queue is oldest first, with one state or all except deleted (OPERATOR-2)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const creator = yield* openAccount()
      const made: Array<Listing> = []
      for (const status of ["pending_review", "approved", "pending_review", "rejected", "deleted"] as const) {
        yield* clock.advance(1)
        made.push(yield* listingOnSale(creator, { status }))
      }
      const ids = (...statuses: ReadonlyArray<ListingStatus>) =>
        made.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)
      assert.deepStrictEqual(yield* queued("pending_review", creator.id), ids("pending_review"))
      assert.deepStrictEqual(yield* queued("approved", creator.id), ids("approved"))
      assert.deepStrictEqual(yield* queued(undefined, creator.id), ids("pending_review", "approved", "rejected"))
    })
  )
}
