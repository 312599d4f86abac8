import type { ListingStatus } from "@agent-marketplace/core/listings/Listing"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { storeSuite } from "@agent-marketplace/testkit/fixtures/storeSuite"
import { paged } from "@agent-marketplace/testkit/listings/listingIds"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { testStores } from "../testStores.ts"

const categories = ["data", "security", "creative"] as const

const statuses: ReadonlyArray<ListingStatus> = ["approved", "suspended", "deleted", "approved", "rejected"]

storeSuite("stored totals of the catalogue", testStores, (it) => {
  it.effect("of listings are exact after concurrent creations, moves and deletions", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const creator = yield* openAccount()
      const places = Array.from({ length: 40 }, (_, n) => n)
      const made = yield* Effect.forEach(
        places,
        (n) => listingOnSale(creator, { category: categories[n % 3] ?? "data", status: statuses[n % 5] ?? "approved" }),
        { concurrency: "unbounded" }
      )
      const ends = yield* Effect.forEach(
        made,
        ({ id }, n) =>
          listings.modify(id, (listing) =>
            Result.succeed({
              listing: {
                ...listing,
                category: categories[(n * 7) % 3] ?? "data",
                status: statuses[(n * 3 + 1) % 5] ?? "approved"
              },
              events: []
            })
          ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(ends, 40)
      const total = (category?: string) =>
        Effect.map(listings.list(paged({ page: 1, limit: 1, category }), "skill", "skill"), (found) => found.total)
      const expected = (category?: string) =>
        places.filter(
          (n) =>
            statuses[(n * 3 + 1) % 5] === "approved" && (category === undefined || categories[(n * 7) % 3] === category)
        ).length
      for (const category of [undefined, ...categories, "nothing"]) {
        assert.strictEqual(yield* total(category), expected(category), category)
      }
    })
  )

  it.effect("of souls exclude hidden and deleted ones", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount()
      const made = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => publishedSoul(author, { category: n % 2 === 0 ? "even" : "odd" }),
        { concurrency: "unbounded" }
      )
      yield* Effect.forEach(
        made,
        ({ slug }, n) =>
          souls.modify(slug, (soul) =>
            Result.succeed({
              soul: { ...soul, deleted: n % 5 === 0, visibility: n % 4 === 1 ? "private" : "public" },
              events: []
            })
          ),
        { concurrency: "unbounded" }
      )
      const total = (categories?: ReadonlyArray<string>) =>
        Effect.map(souls.list({ limit: 1, offset: 0, categories }), (found) => found.total)
      const listed = made.filter((_, n) => n % 5 !== 0 && n % 4 !== 1)
      assert.strictEqual(yield* total(), listed.length)
      assert.strictEqual(yield* total(["even"]), listed.filter(({ category }) => category === "even").length)
      assert.strictEqual(yield* total(["even", "odd", "even"]), listed.length)
    })
  )
})
