import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { listingIds, paged } from "./listingIds.ts"

const nonsense = [
  "&",
  "|",
  "!",
  "()",
  ":*",
  "<->",
  "'",
  "''",
  '"',
  "\\",
  "%",
  "_",
  "--",
  ";",
  "🦞",
  "\u200b",
  "!!! &&& ((("
]

export const searchCases = (it: StoreIt): void => {
  it.effect("a word is found in name, description, tags and creator, in any case (SEARCH-4)", () =>
    Effect.gen(function* () {
      const word = freshWord()
      const creator = yield* openAccount()
      const named = yield* openAccount({ name: `The ${word} house` })
      const made = [
        yield* listingOnSale(creator, { name: `Great ${word.toUpperCase()}` }),
        yield* listingOnSale(creator, { description: `It does ${word}, and well.` }),
        yield* listingOnSale(creator, { tags: ["other", word] }),
        yield* listingOnSale(named)
      ]
      yield* listingOnSale(creator)
      const expected = made.map(({ id }) => id as string).sort()
      for (const search of [word, word.toUpperCase(), `  ${word}  `, `"${word}"`, `${word}!`, `(${word})`]) {
        assert.deepStrictEqual((yield* listingIds({ search })).toSorted(), expected, search)
      }
    })
  )

  it.effect("a prefix finds a word, a middle part does not", () =>
    Effect.gen(function* () {
      const word = freshWord()
      const listing = yield* listingOnSale(yield* openAccount(), { name: `Great ${word}` })
      assert.deepStrictEqual(yield* listingIds({ search: word.slice(0, 9) }), [listing.id])
      assert.deepStrictEqual(yield* listingIds({ search: word.slice(4) }), [])
      assert.deepStrictEqual(yield* listingIds({ search: `${word}x` }), [])
    })
  )

  it.effect("accents are ignored in queries and texts", () =>
    Effect.gen(function* () {
      const word = freshWord()
      const creator = yield* openAccount()
      const accented = yield* listingOnSale(creator, { name: `Café-${word} Ünder` })
      const plain = yield* listingOnSale(creator, { name: `Cafe ${word} Under` })
      const both = [accented.id, plain.id].sort()
      for (const search of [`cafe ${word}`, `CAFÉ ${word}`, `cafe\u0301 ${word}`, `under ${word}`, `ünder ${word}`]) {
        assert.deepStrictEqual((yield* listingIds({ search })).toSorted(), both as ReadonlyArray<string>, search)
      }
    })
  )

  it.effect("all words must occur, in any field and order", () =>
    Effect.gen(function* () {
      const [one, two, three] = [freshWord(), freshWord(), freshWord()]
      const creator = yield* openAccount()
      const both = yield* listingOnSale(creator, { name: `A ${one}`, description: `With some ${two} in it.` })
      yield* listingOnSale(creator, { name: `Only ${one}` })
      yield* listingOnSale(creator, { tags: [two] })
      for (const search of [
        `${one} ${two}`,
        `${two}   ${one}`,
        `${one.slice(0, 8)} ${two.slice(0, 8)}`,
        `${one},${two}`
      ]) {
        assert.deepStrictEqual(yield* listingIds({ search }), [both.id], search)
      }
      assert.deepStrictEqual(yield* listingIds({ search: `${one} ${two} ${three}` }), [])
    })
  )

  it.effect("the best match comes first, a name before a description, unless another order is requested", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const word = freshWord()
      const creator = yield* openAccount()
      const inName = yield* listingOnSale(creator, { name: `${word} tool`, price: usdt(9) })
      yield* clock.advance(1)
      const inText = yield* listingOnSale(creator, { description: `Somewhere it says ${word} too.`, price: usdt(5) })
      assert.deepStrictEqual(yield* listingIds({ search: word }), [inName.id, inText.id])
      assert.deepStrictEqual(yield* listingIds({ search: word, sortBy: "newest" }), [inText.id, inName.id])
      assert.deepStrictEqual(yield* listingIds({ search: word, sortBy: "price", sortOrder: "desc" }), [
        inName.id,
        inText.id
      ])
    })
  )

  it.effect("a search respects filters and pages, and finds only approved listings", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const word = freshWord()
      const creator = yield* openAccount()
      const data = yield* listingOnSale(creator, { name: `${word} one`, category: "data" })
      const security = yield* listingOnSale(creator, { name: `${word} two`, category: "security" })
      const hidden = yield* listingOnSale(creator, { name: `${word} three`, status: "suspended" })
      assert.deepStrictEqual(yield* listingIds({ search: word, category: "data" }), [data.id])
      assert.deepStrictEqual(
        (yield* listingIds({ search: word, creatorId: creator.id, own: true })).toSorted(),
        [data.id, hidden.id, security.id].sort() as ReadonlyArray<string>
      )
      const { json, total } = yield* listings.list(paged({ search: word, page: 1, limit: 1 }), "skill", "skill")
      assert.deepStrictEqual([JSON.parse(json).length, total], [1, 2])
    })
  )

  it.effect("a changed listing is found by its new words, not by its old ones", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const [before, after] = [freshWord(), freshWord()]
      const { id } = yield* listingOnSale(yield* openAccount(), { name: `Is ${before}` })
      yield* listings.modify(id, (one) => Result.succeed({ listing: { ...one, name: `Is ${after}` }, events: [] }))
      assert.deepStrictEqual(yield* listingIds({ search: before }), [])
      assert.deepStrictEqual(yield* listingIds({ search: after }), [id])
    })
  )

  it.effect("malformed queries find nothing and cause no error", () =>
    Effect.gen(function* () {
      const word = freshWord()
      const { id } = yield* listingOnSale(yield* openAccount(), { name: `Is ${word}` })
      for (const search of nonsense) assert.deepStrictEqual(yield* listingIds({ search }), [], JSON.stringify(search))
      for (const search of nonsense.filter((text) => !/^[\p{L}\p{N}]/u.test(text))) {
        assert.deepStrictEqual(yield* listingIds({ search: `${word} ${search}` }), [id], JSON.stringify(search))
      }
      assert.deepStrictEqual(yield* listingIds({ search: `${word} `.repeat(400) }), [id])
      assert.deepStrictEqual(yield* listingIds({ search: "x".repeat(5000) }), [])
    })
  )
}
