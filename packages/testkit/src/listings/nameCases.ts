import type { NameTooSimilar } from "@agent-marketplace/core/errors/MarketError"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { popularSales } from "@agent-marketplace/core/names/NameFindings"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { eventually } from "../fixtures/eventually.ts"
import { freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { freshName, nearNames } from "../fixtures/nearNames.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

/** A fresh word that contains an `o`, and the same word with a Cyrillic one. */
const twins = () => {
  const [before, after] = [freshWord(), freshWord()]
  return [`${before}o${after}`, `${before}о${after}`] as const
}

const conflict = <E extends { readonly _tag: string }>(outcome: Result.Result<unknown, E>): ItemId | undefined =>
  Result.isFailure(outcome) && outcome.failure._tag === "NameTooSimilar"
    ? (outcome.failure as unknown as NameTooSimilar).conflictsWith
    : undefined

/** The findings that a rename of another creator's listing gets. */
const findingsOf = Effect.fnUntraced(function* (name: string) {
  const listings = yield* ListingStore
  const { id } = yield* listingOnSale(yield* openAccount())
  const found: Array<NameFindings> = []
  yield* listings.modify(
    id,
    (listing, names) => {
      found.push(names)
      return Result.succeed({ listing, events: [] })
    },
    () => name
  )
  return found[0]
})

/** Cases about names that look like those of other creators' items. */
export const nameCases = (it: StoreIt): void => {
  it.effect(
    "a name with other letters that look the same conflicts with the other creator's item (NAME-1, ERROR-27)",
    () =>
      Effect.gen(function* () {
        const [plain, disguised] = twins()
        const [one, other] = [yield* openAccount(), yield* openAccount()]
        const item = yield* listingOnSale(one, { name: plain })
        assert.strictEqual(conflict(yield* Effect.result(listingOnSale(other, { name: disguised }))), item.id)
        assert.strictEqual(conflict(yield* Effect.result(publishedSoul(other, { name: disguised }))), item.id)
        assert.strictEqual(conflict(yield* Effect.result(listingOnSale(other, { name: plain.toUpperCase() }))), item.id)
        assert.strictEqual((yield* listingOnSale(other, { name: plain })).name, plain, "an equal name is allowed")
        const own = yield* openAccount()
        const [mine, disguisedMine] = twins()
        yield* listingOnSale(own, { name: mine })
        assert.strictEqual((yield* listingOnSale(own, { name: disguisedMine })).name, disguisedMine, "its creator may")
      })
  )

  it.effect("of two names that look alike and are inserted at once, one fails (NAME-1)", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const names = twins()
        const sellers = yield* Effect.forEach(names, () => openAccount())
        const outcomes = yield* Effect.forEach(
          names,
          (name, i) =>
            Effect.result(
              Effect.gen(function* () {
                const seller = sellers[i] ?? assert.fail("two sellers")
                return i === 0 ? yield* publishedSoul(seller, { name }) : yield* listingOnSale(seller, { name })
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        assert.lengthOf(
          outcomes.filter((outcome) => conflict(outcome) !== undefined),
          1
        )
      }
    })
  )

  it.effect(
    "a rename gets what other items say about the new name; a withdrawn name is free again (NAME-1, NAME-2)",
    () =>
      Effect.gen(function* () {
        const souls = yield* SoulStore
        const [plain, disguised] = twins()
        const soul = yield* publishedSoul(yield* openAccount(), { name: plain })
        assert.deepStrictEqual(yield* findingsOf(disguised), { similar: soul.id, same: false, popular: null })
        assert.deepStrictEqual(yield* findingsOf(plain), { similar: null, same: true, popular: null })
        assert.deepStrictEqual(yield* findingsOf(freshWord()), { similar: null, same: false, popular: null })
        yield* souls.modify(soul.slug, (before) => Result.succeed({ soul: { ...before, deleted: true }, events: [] }))
        assert.deepStrictEqual(yield* findingsOf(disguised), { similar: null, same: false, popular: null })
      })
  )

  it.effect("a changed name counts, and the slug keeps counting (NAME-1)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const [plain, disguised] = twins()
      const [next, nextDisguised] = twins()
      const item = yield* listingOnSale(yield* openAccount(), { name: plain })
      yield* listings.modify(item.id, (before) => Result.succeed({ listing: { ...before, name: next }, events: [] }))
      assert.strictEqual((yield* findingsOf(nextDisguised))?.similar, item.id)
      assert.strictEqual((yield* findingsOf(disguised))?.similar, item.id)
      assert.strictEqual(Option.getOrThrow(yield* listings.find(item.id)).slug, plain)
    })
  )

  it.effect(
    "a name at distance one of an item with 50 sales is found, and one of an item with 49 is not (NAME-3)",
    () =>
      Effect.gen(function* () {
        const name = freshName()
        const item = yield* listingOnSale(yield* openAccount(), { name, price: usdt(0), pricingModel: "free" })
        const sell = Effect.gen(function* () {
          resultOf(yield* settle(Commands.buy(yield* openAccount(), item)), "Bought")
        })
        yield* Effect.replicateEffect(sell, popularSales - 1, { discard: true })
        assert.isNull((yield* findingsOf(`${name}x`))?.popular)
        yield* sell
        // The statistics that popular items are found by are renewed within seconds of the sale.
        yield* eventually(
          "the item counts as popular",
          Effect.map(findingsOf(name), (findings) => findings?.popular === item.id)
        )
        for (const near of nearNames(name)) {
          assert.strictEqual((yield* findingsOf(near))?.popular, item.id, near)
        }
        assert.isNull((yield* findingsOf(`${name}xy`))?.popular)
      })
  )
}
