import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { erasedName } from "@agent-marketplace/core/identity/Erasure"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { market } from "@agent-marketplace/testkit/fixtures/market"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { fund, resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Database } from "../../src/Database.ts"
import { insertListings } from "../../src/listings/writeListings.ts"
import { testStores } from "../testStores.ts"

const items = 10_000

/** How long another account may wait to buy something else, in milliseconds. */
const longestWait = 200

/** Items on sale, each bought once by another account, with the result of its Idempotency-Key. */
const sold = Effect.fnUntraced(function* (seller: Account) {
  const { sql, transaction } = yield* Database
  const sample = yield* listingOnSale(seller)
  for (let made = 0; made < items; made += 500) {
    const listings = Array.from({ length: 500 }, (_, index) => ({
      ...sample,
      id: freshId("lst"),
      slug: `${sample.slug.slice(0, 80)}-${made + index}`
    }))
    yield* transaction(insertListings(sql, listings, []))
  }
  const buyer = yield* openAccount()
  yield* sql.unsafe(
    `INSERT INTO purchases (id, buyer_id, seller_id, item_kind, item_id, item_name, item_slug, item_description, item_category,
        item_creator, amount, fee, status, license_type, purchased_at)
      SELECT 'pur_' || id, $2, creator_id, 'listing', id, name, slug, description, category, creator_name, 1000000, 0, 'completed',
        'perpetual', now() FROM listings WHERE creator_id = $1`,
    [seller.id, buyer.id]
  )
  yield* sql.unsafe(
    `INSERT INTO idempotent_results (account_id, key, fingerprint, result, at)
      SELECT $2, id, 'buy', '{"_tag":"Bought","purchase":{"id":"pur_' || id || '","item":{"id":"' || id || '","creator":"' || creator_name || '"}}}', now()
      FROM listings WHERE creator_id = $1`,
    [seller.id, buyer.id]
  )
  yield* sql.unsafe("ANALYZE")
})

const funded = Effect.gen(function* () {
  const buyer = yield* openAccount()
  yield* fund(buyer, usdt(10))
  return buyer
})

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })(
  "an erasure of an account with many items",
  (it) => {
    it.effect("keeps no settlement of other accounts waiting (ACCOUNT-13)", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const clock = yield* MarketClock
        const identity = yield* IdentityStore
        const seller = yield* openAccount()
        yield* sold(seller)
        const { item } = yield* market()
        const buyers = yield* Effect.replicateEffect(funded, 1000, { concurrency: 4 })
        const waits: Array<number> = []
        let erased = false
        const others = yield* Effect.forkChild(
          Effect.gen(function* () {
            for (const buyer of buyers) {
              if (erased) return
              const start = performance.now()
              resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
              waits.push(performance.now() - start)
              yield* Effect.sleep("1 millis")
            }
          })
        )
        const start = performance.now()
        assert.isTrue(yield* identity.eraseAccount(seller.id, yield* clock.now, null))
        erased = true
        const took = Math.round(performance.now() - start)
        yield* Fiber.join(others)
        const longest = Math.round(Math.max(...waits))
        yield* Effect.log(
          `${items} items erased in ${took} ms; the longest of ${waits.length} purchases took ${longest} ms`
        )
        assert.isAbove(waits.length, 100)
        assert.isBelow(longest, longestWait)
        const [left] = yield* sql.unsafe(`SELECT FROM purchases WHERE seller_id = $1 AND item_creator <> $2`, [
          seller.id,
          erasedName
        ])
        assert.isUndefined(left, "no sale names the seller")
      })
    )
  }
)
