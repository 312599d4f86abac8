import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { Idempotency } from "@agent-marketplace/core/settlement/Idempotency"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { freshText } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, refusalOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const keyOf = (account: AccountId | "admin", fingerprint: string): Idempotency => ({
  accountId: account,
  key: `key-${freshText()}`,
  fingerprint
})

export const idempotencyCases = (it: StoreIt): void => {
  it.effect(
    "the same key and request get exactly the first result again, and nothing happens twice (IDEMPOTENCY-1)",
    () =>
      Effect.gen(function* () {
        const purchases = yield* PurchaseStore
        const { buyer, item } = yield* market(usdt(100), { price: usdt(10.000001) })
        const idempotency = keyOf(buyer.id, `buy ${item.id}`)
        const first = yield* settle(Commands.buy(buyer, item, { idempotency }))
        const again = Commands.buy(buyer, item, { idempotency })
        const second = yield* settle(again)
        const result = resultOf(first, "Bought")
        assert.deepStrictEqual(second, Result.succeed({ result, replayed: true }))
        assert.isTrue(Option.isNone(yield* purchases.find(again.purchaseId)))
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(89.999999))
      })
  )

  it.effect("the same key with another request is refused on every endpoint (IDEMPOTENCY-5, ERROR-15)", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100))
      const other = yield* listingOnSale(seller)
      const idempotency = keyOf(buyer.id, `buy ${item.id}`)
      resultOf(yield* settle(Commands.buy(buyer, item, { idempotency })), "Bought")
      const changed = { ...idempotency, fingerprint: `buy ${other.id}` }
      refusalOf(yield* settle(Commands.buy(buyer, other, { idempotency: changed })), "IdempotencyKeyReused")
      const elsewhere = { ...idempotency, fingerprint: "withdraw 10" }
      refusalOf(yield* settle(Commands.withdraw(buyer, usdt(10), usdt(1), elsewhere)), "IdempotencyKeyReused")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
    })
  )

  it.effect("keys belong to an account: another account's same key is another key (IDEMPOTENCY-5)", () =>
    Effect.gen(function* () {
      const one = yield* market(usdt(100))
      const two = yield* market(usdt(100))
      const idempotency = keyOf(one.buyer.id, `buy ${one.item.id}`)
      resultOf(yield* settle(Commands.buy(one.buyer, one.item, { idempotency })), "Bought")
      const own = { ...idempotency, accountId: two.buyer.id, fingerprint: "another" }
      const outcome = yield* settle(Commands.buy(two.buyer, one.item, { idempotency: own }))
      assert.strictEqual(resultOf(outcome, "Bought").purchase.buyerId, two.buyer.id)
    })
  )

  it.effect("only successful results are stored: after a refusal the key may be used again (IDEMPOTENCY-6)", () =>
    Effect.gen(function* () {
      const { buyer, item } = yield* market(usdt(0), { price: usdt(10) })
      const idempotency = keyOf(buyer.id, `buy ${item.id}`)
      refusalOf(yield* settle(Commands.buy(buyer, item, { idempotency })), "InsufficientBalance")
      yield* fund(buyer, usdt(10))
      const outcome = yield* settle(Commands.buy(buyer, item, { idempotency }))
      resultOf(outcome, "Bought")
      assert.isTrue(Result.isSuccess(outcome) && !outcome.success.replayed)
    })
  )

  it.effect("a result is stored for 24 hours and deleted after them (IDEMPOTENCY-2)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const { buyer, item, seller } = yield* market(usdt(100))
      const other = yield* listingOnSale(seller)
      const idempotency = keyOf(buyer.id, `buy ${item.id}`)
      resultOf(yield* settle(Commands.buy(buyer, item, { idempotency })), "Bought")
      yield* clock.advance(86_400 - 120)
      const kept = yield* settle(Commands.buy(buyer, item, { idempotency }))
      assert.isTrue(Result.isSuccess(kept) && kept.success.replayed)
      yield* clock.advance(120)
      refusalOf(yield* settle(Commands.buy(buyer, item, { idempotency })), "AlreadyPurchased")
      const changed = { ...idempotency, fingerprint: `buy ${other.id}` }
      resultOf(yield* settle(Commands.buy(buyer, other, { idempotency: changed })), "Bought")
      const again = yield* settle(Commands.buy(buyer, other, { idempotency: changed }))
      assert.isTrue(Result.isSuccess(again) && again.success.replayed)
    })
  )

  it.effect("one key in 20 concurrent requests buys once, and all get the same result (IDEMPOTENCY-3)", () =>
    Effect.gen(function* () {
      const { buyer, item } = yield* market(usdt(1000))
      const idempotency = keyOf(buyer.id, `buy ${item.id}`)
      const outcomes = yield* settleAtOnce(Array.from({ length: 20 }, () => Commands.buy(buyer, item, { idempotency })))
      const results = outcomes.map((outcome) => resultOf(outcome, "Bought"))
      assert.strictEqual(new Set(results.map(({ purchase }) => purchase.id)).size, 1)
      const replayed = outcomes.filter((outcome) => Result.isSuccess(outcome) && outcome.success.replayed)
      assert.lengthOf(replayed, 19)
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(990))
    })
  )

  it.effect("one key in 20 concurrent different requests executes one of them (IDEMPOTENCY-3, IDEMPOTENCY-5)", () =>
    Effect.gen(function* () {
      const { buyer, seller } = yield* market(usdt(1000))
      const items = yield* Effect.forEach(Array.from({ length: 20 }), () => listingOnSale(seller))
      const idempotency = keyOf(buyer.id, "")
      const outcomes = yield* settleAtOnce(
        items.map((item) =>
          Commands.buy(buyer, item, { idempotency: { ...idempotency, fingerprint: `buy ${item.id}` } })
        )
      )
      const [bought, ...more] = outcomes.filter(Result.isSuccess)
      assert.isDefined(bought)
      assert.lengthOf(more, 0)
      for (const outcome of outcomes) if (outcome !== bought) refusalOf(outcome, "IdempotencyKeyReused")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(990))
    })
  )

  it.effect("one key of the operator in concurrent refunds without a common wallet executes one of them", () =>
    Effect.gen(function* () {
      const idempotency = keyOf("admin", "")
      const purchases = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.gen(function* () {
          const { buyer, item } = yield* market(usdt(10))
          return resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase
        })
      )
      const outcomes = yield* settleAtOnce(
        purchases.map((one) =>
          Commands.refund(one, "admin", { idempotency: { ...idempotency, fingerprint: `refund ${one.id}` } })
        )
      )
      const [refunded, ...more] = outcomes.filter(Result.isSuccess)
      assert.isDefined(refunded)
      assert.lengthOf(more, 0)
      for (const outcome of outcomes) if (outcome !== refunded) refusalOf(outcome, "IdempotencyKeyReused")
    })
  )
}
