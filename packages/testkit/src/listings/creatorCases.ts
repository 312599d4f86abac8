import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

export const creatorCases = (it: StoreIt): void => {
  it.effect("creators are read together with the counts of their public items, and unknown ids are omitted", () =>
    Effect.gen(function* () {
      const store = yield* ListingStore
      const { buyer, item, seller } = yield* market(usdt(100))
      const author = yield* openAccount()
      yield* publishedSoul(author)
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const found = yield* store.creators([seller.id, author.id, freshId("usr") as AccountId])
      const counts = new Map(
        found.map(({ id, listings, name, sales, souls }) => [id, { listings, name, sales, souls }])
      )
      assert.strictEqual(found.length, 2)
      assert.deepStrictEqual(counts.get(seller.id), { listings: 1, name: seller.name, sales: 1, souls: 0 })
      assert.deepStrictEqual(counts.get(author.id), { listings: 0, name: author.name, sales: 0, souls: 1 })
    })
  )

  it.effect("creators and statistics of listings and souls are read together, and unknown ids are omitted", () =>
    Effect.gen(function* () {
      const store = yield* ListingStore
      const { buyer, item, seller } = yield* market(usdt(100))
      const author = yield* openAccount()
      const soul = yield* publishedSoul(author)
      const unsold = yield* listingOnSale(seller)
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const found = yield* store.itemFacts([item.id, soul.id, unsold.id, freshId("lst") as ItemId])
      const facts = new Map(found.map(({ creatorId, id, stats }) => [id, { creatorId, sales: stats.sales }]))
      assert.strictEqual(found.length, 3)
      assert.deepStrictEqual(facts.get(item.id), { creatorId: seller.id, sales: 1 })
      assert.deepStrictEqual(facts.get(soul.id), { creatorId: author.id, sales: 0 })
      assert.deepStrictEqual(facts.get(unsold.id), { creatorId: seller.id, sales: 0 })
    })
  )
}
