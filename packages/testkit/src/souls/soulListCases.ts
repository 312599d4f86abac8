import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { QueuedSouls } from "@agent-marketplace/core/souls/SoulStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { freshWord } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul, soulEvent } from "../fixtures/publishedSoul.ts"
import { storedRelease } from "../fixtures/release.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { listedSouls } from "./listedSouls.ts"

/** Lists, searches and the operator's list of souls. */
export const soulListCases = (it: StoreIt): void => {
  it.effect("the list is searched, filtered by price and rating, and sorted (SOUL-8, SOUL-10)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const souls = yield* SoulStore
      const author = yield* openAccount()
      const [word, tag] = [freshWord(), freshWord()]
      const made: Array<Soul> = []
      for (const [name, price, category] of [
        [`${word} one`, 5, "personas"],
        ["Plain two", 1, "odd-category"],
        [`Third ${word}`, 3, "soul-legal"]
      ] as const) {
        yield* clock.advance(1)
        made.push(yield* publishedSoul(author, { name, price: usdt(price), category, tags: [tag] }))
      }
      const places = (filter: Partial<CatalogueFilter>) =>
        Effect.map(listedSouls({ tags: [tag], ...filter }), ({ slugs }) =>
          slugs.map((slug) => made.findIndex((soul) => soul.slug === slug))
        )
      assert.deepStrictEqual(yield* places({}), [2, 1, 0])
      assert.deepStrictEqual((yield* places({ search: word })).toSorted(), [0, 2])
      assert.deepStrictEqual(yield* places({ search: `${word} third` }), [2])
      assert.deepStrictEqual(yield* places({ sortBy: "price" }), [1, 2, 0])
      assert.deepStrictEqual(yield* places({ sortBy: "price", sortOrder: "desc" }), [0, 2, 1])
      assert.deepStrictEqual(yield* places({ minPrice: usdt(3), sortBy: "price" }), [2, 0])
      assert.deepStrictEqual(yield* places({ maxPrice: usdt(3), categories: ["odd-category", "personas"] }), [1])
      const [first, second] = made
      assert.isDefined(first)
      assert.isDefined(second)
      const reader = yield* openAccount()
      yield* souls.download(second, reader.id, (current) => soulEvent("soul.downloaded", current))
      assert.deepStrictEqual((yield* places({ sortBy: "popular" }))[0], 1)
      assert.deepStrictEqual(yield* places({ minRating: 1 }), [])
      // Without the tag every shelf takes part.
      const found = yield* listedSouls({ search: word, sortBy: "popular", maxPrice: usdt(4) })
      assert.deepStrictEqual(found.slugs, [made[2]?.slug])
    })
  )

  it.effect("several categories in any order are one list (SOUL-6)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const author = yield* openAccount()
      const categories = [freshWord(), freshWord()]
      const slugs: Array<string> = []
      for (let n = 0; n < 5; n++) {
        yield* clock.advance(1)
        slugs.push((yield* publishedSoul(author, { category: categories[n % 2] ?? "", price: usdt(9 - n) })).slug)
      }
      const page = { categories, limit: 2, offset: 1 }
      assert.deepStrictEqual((yield* listedSouls(page)).slugs, [slugs[3], slugs[2]])
      assert.deepStrictEqual((yield* listedSouls({ ...page, sortBy: "price" })).slugs, [slugs[3], slugs[2]])
      assert.deepStrictEqual((yield* listedSouls({ ...page, sortBy: "newest", sortOrder: "asc" })).slugs, [
        slugs[1],
        slugs[2]
      ])
      assert.strictEqual((yield* listedSouls({ ...page, sortBy: "rating" })).slugs.length, 2)
      assert.strictEqual((yield* listedSouls(page)).total, 5)
    })
  )

  it.effect("an author's list has public souls for everybody and every state but deleted for the author (SOUL-9)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const author = yield* openAccount()
      const states = [{}, { visibility: "private" as const }, { suspension: "copied" }, { deleted: true }]
      const slugs: Array<string> = []
      for (const state of states) {
        yield* clock.advance(1)
        slugs.push((yield* publishedSoul(author, state)).slug)
      }
      assert.deepStrictEqual((yield* listedSouls({ creatorId: author.id })).slugs, slugs.slice(0, 1))
      const own = yield* listedSouls({ creatorId: author.id, own: true })
      assert.deepStrictEqual(own.slugs, slugs.slice(0, 3).toReversed())
      const [suspended, hidden] = own.items as ReadonlyArray<object>
      assert.deepInclude(suspended, { visibility: "public", suspensionReason: "copied" })
      assert.deepInclude(hidden, { visibility: "private", suspensionReason: null })
      assert.deepStrictEqual((yield* listedSouls({ creatorId: author.id, own: true, state: "private" })).slugs, [
        slugs[1]
      ])
    })
  )

  it.effect(
    "a suspended soul and those of a frozen author are in no list and found by nobody (SOUL-47, OPERATOR-8)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const identity = yield* IdentityStore
        const listings = yield* ListingStore
        const souls = yield* SoulStore
        const author = yield* openAccount()
        const word = freshWord()
        const soul = yield* publishedSoul(author, { name: `${word} soul` })
        const seen = Effect.gen(function* () {
          const skills = yield* listings.list({ search: word, limit: 5, offset: 0 }, "skill", "all")
          const detail = Option.getOrThrow(yield* souls.detail(soul.id, null))
          const json = Option.isSome(yield* souls.detailJson(soul.slug))
          return [(yield* listedSouls({ search: word })).total, skills.total, detail.listed, json]
        })
        const [everywhere, nowhere] = [
          [1, 1, true, true],
          [0, 0, false, false]
        ]
        assert.deepStrictEqual(yield* seen, everywhere)
        const suspend = (suspension: string | null) =>
          souls.modify(soul.slug, (before) => Result.succeed({ soul: { ...before, suspension }, events: [] }))
        yield* suspend("copied")
        assert.deepStrictEqual(yield* seen, nowhere)
        assert.include(
          (yield* souls.queue("suspended", { page: 1, limit: 100 })).items.map(({ id }) => id),
          soul.id
        )
        assert.notInclude(
          (yield* souls.queue("active", { page: 1, limit: 100 })).items.map(({ id }) => id),
          soul.id
        )
        yield* suspend(null)
        assert.deepStrictEqual(yield* seen, everywhere)
        yield* identity.setFrozen(author.id, { since: yield* clock.now, reason: "stolen" })
        assert.deepStrictEqual(yield* seen, nowhere)
        yield* identity.setFrozen(author.id, null)
        assert.deepStrictEqual(yield* seen, everywhere)
      })
  )

  it.effect("an operator lists the souls with a version that waits for a review (SOUL-46, SOUL-49)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount()
      const [onSale, waiting, suspended] = [
        yield* publishedSoul(author),
        yield* publishedSoul(author),
        yield* publishedSoul(author, { suspension: "copied" })
      ]
      yield* storedRelease(onSale.id, "clean")
      for (const { id } of [waiting, suspended]) {
        yield* storedRelease(id, "clean")
        yield* storedRelease(id, "warn", { version: "2.0.0", status: "in_review", awaits: "operator" })
      }
      const own = Effect.fnUntraced(function* (which: QueuedSouls | undefined) {
        const { items } = yield* souls.queue(which, { page: 1, limit: 1000 })
        return items.filter(({ authorId }) => authorId === author.id).map(({ id }) => id)
      })
      assert.sameMembers(yield* own("in_review"), [waiting.id, suspended.id])
      assert.sameMembers(yield* own("active"), [onSale.id, waiting.id])
      assert.sameMembers(yield* own("suspended"), [suspended.id])
      assert.sameMembers(yield* own(undefined), [onSale.id, waiting.id, suspended.id])
    })
  )

  it.effect("skills, souls, or both are found through the skill API, in one order (SEARCH-7)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const listings = yield* ListingStore
      const seller = yield* openAccount()
      const word = freshWord()
      const soul = yield* publishedSoul(seller, { name: `${word} soul`, price: usdt(4) })
      yield* clock.advance(1)
      const listing = yield* listingOnSale(seller, { name: `${word} skill`, price: usdt(2) })
      const find = (filter: Partial<CatalogueFilter>, kind: "skill" | "soul" | "all") =>
        Effect.map(
          listings.list({ search: word, limit: 5, offset: 0, ...filter }, "skill", kind),
          ({ json, total }) => ({
            ids: (JSON.parse(json) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id),
            total
          })
        )
      assert.deepStrictEqual(yield* find({}, "skill"), { ids: [listing.id], total: 1 })
      assert.deepStrictEqual(yield* find({}, "soul"), { ids: [soul.id], total: 1 })
      assert.deepStrictEqual(yield* find({ sortBy: "price", sortOrder: "desc" }, "all"), {
        ids: [soul.id, listing.id],
        total: 2
      })
      assert.deepStrictEqual(yield* find({ sortBy: "newest", offset: 1, limit: 1 }, "all"), {
        ids: [soul.id],
        total: 2
      })
      const own = { search: undefined, creatorId: seller.id }
      assert.deepStrictEqual(yield* find({ ...own, sortBy: "popular" }, "all"), {
        ids: [listing.id, soul.id],
        total: 2
      })
      assert.deepStrictEqual(yield* find({ ...own, pricingModel: "free" }, "all"), { ids: [], total: 0 })
      assert.deepStrictEqual(yield* find({ featured: true }, "all"), { ids: [], total: 0 })
    })
  )
}
