import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { ItemKind } from "@agent-marketplace/core/listings/ListingStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { FixedRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const rates: FixedRates = { USD: usdt(2), USDC: usdt(0.5) }

/** Oldest first: the value of each in USDT is 20, 20, 20, 6, 0 and 2 (rounded); two souls of 5 and 12 USDC follow. */
const items = [
  { price: usdt(10), currency: "USD", category: "data" },
  { price: usdt(20), currency: "USDT", category: "security" },
  { price: usdt(40), currency: "USDC", category: "data" },
  { price: usdt(3), currency: "USD", category: "security" },
  { price: usdt(0), currency: "USDC", category: "data" },
  // Rounded half to even: 4.000001 × 0.5 = 2.0000005.
  { price: usdt(4.000001), currency: "USDC", category: "data" }
] as const

const shelf = Effect.gen(function* () {
  const clock = yield* MarketClock
  const listings = yield* ListingStore
  const store = yield* SoulStore
  const [seller, word, tag] = [yield* openAccount(), freshWord(), freshWord()]
  const made: Array<string> = []
  for (const fields of items) {
    yield* clock.advance(1)
    made.push((yield* listingOnSale(seller, { ...fields, name: `${word} listing`, tags: [tag] })).id)
  }
  for (const price of [5, 12]) {
    yield* clock.advance(1)
    made.push((yield* publishedSoul(seller, { price: usdt(price), name: `${word} soul`, tags: [tag] })).id)
  }
  const places = ({ json, total }: { readonly json: string; readonly total: number }) => ({
    places: (JSON.parse(json) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => made.indexOf(id)),
    total
  })
  /** The ways in which the same items are found, each with its own plan. */
  const scopes: ReadonlyArray<Partial<CatalogueFilter>> = [
    { tags: [tag] },
    { creatorId: seller.id },
    { creatorId: seller.id, own: true },
    { search: word },
    { search: word, creatorId: seller.id }
  ]
  const list = (filter: Partial<CatalogueFilter>, kind: ItemKind) =>
    Effect.map(listings.list({ rates, limit: 100, offset: 0, ...filter }, "skill", kind), places)
  const souls = (filter: Partial<CatalogueFilter>) =>
    Effect.map(store.list({ rates, limit: 100, offset: 0, ...filter }), places)
  return { list, made, scopes, souls, tag }
})

/** Lists filter and sort prices by their value in USDT, whatever way the items are found. */
export const valueCases = (it: StoreIt): void => {
  it.effect("prices are sorted by their value in USDT, ties newest first in both directions (MONEY-8)", () =>
    Effect.gen(function* () {
      const { list, scopes } = yield* shelf
      for (const scope of scopes) {
        const sorted = (more: Partial<CatalogueFilter>, kind: ItemKind) =>
          Effect.map(list({ ...scope, sortBy: "price", ...more }, kind), ({ places }) => places)
        assert.deepStrictEqual(yield* sorted({}, "skill"), [4, 5, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* sorted({ sortOrder: "desc" }, "skill"), [2, 1, 0, 3, 5, 4])
        // A soul of 5 USDC has a value of 2.5, one of 12 USDC a value of 6.
        assert.deepStrictEqual(yield* sorted({}, "all"), [4, 5, 6, 7, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* sorted({ sortOrder: "desc" }, "all"), [2, 1, 0, 7, 3, 6, 5, 4])
        assert.deepStrictEqual(yield* sorted({ categories: ["data", "security"] }, "all"), [4, 5, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* sorted({ rates: undefined }, "all"), [4, 3, 5, 6, 0, 7, 1, 2])
      }
    })
  )

  it.effect("bounds are values in USDT, rounded as a purchase rounds them, and inclusive (MONEY-8)", () =>
    Effect.gen(function* () {
      const { list, scopes, souls } = yield* shelf
      for (const scope of scopes) {
        const within = (
          minPrice: number | undefined,
          maxPrice: number | undefined,
          more: Partial<CatalogueFilter> = {}
        ) =>
          list(
            {
              ...scope,
              sortBy: "price",
              minPrice: minPrice === undefined ? undefined : usdt(minPrice),
              maxPrice: maxPrice === undefined ? undefined : usdt(maxPrice),
              ...more
            },
            "all"
          )
        assert.deepStrictEqual(yield* within(6, 20), { places: [7, 3, 2, 1, 0], total: 5 })
        assert.deepStrictEqual(yield* within(6.000001, 19.999999), { places: [], total: 0 })
        assert.deepStrictEqual(yield* within(undefined, 2), { places: [4, 5], total: 2 })
        assert.deepStrictEqual(yield* within(2.000001, 2.5), { places: [6], total: 1 })
        assert.deepStrictEqual(yield* within(2, 2), { places: [5], total: 1 })
        assert.deepStrictEqual(yield* within(undefined, 0), { places: [4], total: 1 })
        assert.deepStrictEqual(yield* within(20, undefined, { sortOrder: "desc" }), { places: [2, 1, 0], total: 3 })
        assert.deepStrictEqual(yield* within(6, undefined, { categories: ["data"] }), { places: [2, 0], total: 2 })
        assert.deepStrictEqual(yield* within(2, 6, { sortBy: "newest" }), { places: [7, 6, 5, 3], total: 4 })
        assert.deepStrictEqual(yield* within(2, 6, { sortBy: "popular" }), { places: [7, 6, 5, 3], total: 4 })
        assert.deepStrictEqual(yield* within(2, 6, { sortBy: "rating" }), { places: [7, 6, 5, 3], total: 4 })
        const { places } = yield* souls({ ...scope, minPrice: usdt(2.5), maxPrice: usdt(5.999999), sortBy: "price" })
        assert.deepStrictEqual(places, [6])
      }
    })
  )

  it.effect("pages by value contain every item once, across currencies and categories (MONEY-8)", () =>
    Effect.gen(function* () {
      const { list, made, scopes } = yield* shelf
      for (const sortOrder of ["asc", "desc"] as const) {
        for (const scope of scopes) {
          const all = (yield* list({ ...scope, sortBy: "price", sortOrder }, "all")).places
          const pages: Array<number> = []
          for (let offset = 0; offset < made.length; offset += 3) {
            const page = yield* list({ ...scope, sortBy: "price", sortOrder, offset, limit: 3 }, "all")
            assert.strictEqual(page.total, made.length)
            pages.push(...page.places)
          }
          assert.deepStrictEqual(pages, all)
        }
        // The public list without a scope, in which other items may be between them.
        const places: Array<number> = []
        for (let offset = 0, total = 1; offset < total; offset += 100) {
          const page = yield* list({ sortBy: "price", sortOrder, offset }, "skill")
          total = page.total
          places.push(...page.places.filter((place) => place >= 0))
        }
        assert.deepStrictEqual(places, sortOrder === "asc" ? [4, 5, 3, 2, 1, 0] : [2, 1, 0, 3, 5, 4])
        const within = { minPrice: usdt(2), maxPrice: usdt(6), categories: ["data", "security"] }
        const { places: bounded } = yield* list({ ...within, sortBy: "price", sortOrder }, "skill")
        assert.deepStrictEqual(
          bounded.filter((place) => place >= 0),
          sortOrder === "asc" ? [5, 3] : [3, 5]
        )
      }
    })
  )

  it.effect("a listing moves when its currency changes (MONEY-8)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { list, made, tag } = yield* shelf
      const [id = ""] = made
      yield* listings.modify(id as never, (listing) =>
        Result.succeed({ listing: { ...listing, currency: "USDC" as const }, events: [] })
      )
      const { places } = yield* list({ tags: [tag], sortBy: "price" }, "skill")
      assert.deepStrictEqual(places, [4, 5, 0, 3, 2, 1])
      assert.deepStrictEqual(
        (yield* list({ tags: [tag], sortBy: "price", rates: { USD: usdt(1), USDC: Usdt.of(3n) } }, "skill")).places,
        [4, 5, 0, 2, 3, 1]
      )
    })
  )
}
