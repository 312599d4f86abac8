import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { PurchaseId } from "@agent-marketplace/core/ids/Ids"
import { activationRule } from "@agent-marketplace/core/licenses/Activation"
import { ActivationStore } from "@agent-marketplace/core/licenses/ActivationStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const everything = { page: 1, limit: 100 }

/** A completed purchase of a new listing. */
const bought = Effect.fnUntraced(function* (fields: Partial<Listing> = {}) {
  const { buyer, item } = yield* market(usdt(100), { price: usdt(5), ...fields })
  return resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase
})

const activate = Effect.fnUntraced(function* (id: PurchaseId, machine: string, label: string | null = null) {
  const store = yield* ActivationStore
  const result = yield* store.activate(id, machine, activationRule(machine, label, yield* (yield* MarketClock).now))
  return Option.getOrThrow(result)
})

/** The contract of `ActivationStore`. */
export const activationStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ActivationStore`, stores, (it) => {
    it.effect(
      "the same machine is one activation, and a released machine makes room (ACTIVATION-2, ACTIVATION-6)",
      () =>
        Effect.gen(function* () {
          const { deactivate, list } = yield* ActivationStore
          const { id } = yield* bought({ maxActivations: 1 })
          const first = Result.getOrThrow(yield* activate(id, "laptop", "Work"))
          assert.deepInclude(first, { purchaseId: id, machine: "laptop", label: "Work" })
          assert.deepStrictEqual(Result.getOrThrow(yield* activate(id, "laptop", "Renamed")), first)
          const refused = yield* activate(id, "desktop")
          assert.isTrue(Result.isFailure(refused))
          if (Result.isFailure(refused)) assert.deepInclude(refused.failure, { state: "activations_used", limit: 1 })
          assert.deepStrictEqual(yield* list(id, everything), { items: [first], total: 1 })
          assert.isTrue(yield* deactivate(id, "laptop"))
          assert.isFalse(yield* deactivate(id, "laptop"))
          assert.isTrue(Result.isSuccess(yield* activate(id, "desktop")))
          assert.isTrue(Result.isFailure(yield* activate(id, "laptop")))
        })
    )

    it.effect(
      "without a limit every machine is activated; the newest is listed first (ACTIVATION-2, ACTIVATION-7)",
      () =>
        Effect.gen(function* () {
          const { list } = yield* ActivationStore
          const clock = yield* MarketClock
          const { id } = yield* bought()
          for (const machine of ["a", "b", "c"]) {
            yield* clock.advance(1)
            yield* activate(id, machine)
          }
          const { items, total } = yield* list(id, { page: 1, limit: 2 })
          assert.deepStrictEqual([items.map(({ machine }) => machine), total], [["c", "b"], 3])
        })
    )

    it.effect("a refunded or expired license activates nothing, not even a known machine (ACTIVATION-4)", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const refunded = yield* bought()
        yield* activate(refunded.id, "laptop")
        resultOf(yield* settle(Commands.refund(refunded)), "Refunded")
        const subscribed = yield* bought({ pricingModel: "subscription" })
        yield* clock.advance((31 * Timestamp.day) / Timestamp.second)
        for (const [{ id }, state] of [
          [refunded, "refunded"],
          [subscribed, "expired"]
        ] as const) {
          const result = yield* activate(id, "laptop")
          assert.isTrue(Result.isFailure(result))
          if (Result.isFailure(result)) assert.strictEqual(result.failure.state, state)
        }
      })
    )

    it.effect("no purchase: nothing is activated (ACTIVATION-5)", () =>
      Effect.gen(function* () {
        const { activate: store, deactivate, list } = yield* ActivationStore
        const unknown = "pur_unknown" as PurchaseId
        assert.isTrue(Option.isNone(yield* store(unknown, "laptop", () => assert.fail("called"))))
        assert.isFalse(yield* deactivate(unknown, "laptop"))
        assert.deepStrictEqual(yield* list(unknown, everything), { items: [], total: 0 })
      })
    )

    it.effect("erasing the buyer removes the labels and keeps the machines (ACTIVATION-8)", () =>
      Effect.gen(function* () {
        const { list } = yield* ActivationStore
        const seller = yield* openAccount()
        const buyer = yield* openAccount()
        const item = yield* listingOnSale(seller, { price: usdt(0), pricingModel: "free" })
        const { id } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase
        yield* activate(id, "laptop", "Ada's laptop")
        assert.isTrue(yield* eraseNow(buyer))
        const { items } = yield* list(id, everything)
        assert.deepStrictEqual(
          items.map(({ label, machine }) => [machine, label]),
          [["laptop", null]]
        )
      })
    )

    it.effect("of 20 machines at once exactly as many as the limit are activated (ACTIVATION-3)", () =>
      Effect.gen(function* () {
        const { list } = yield* ActivationStore
        const { id } = yield* bought({ maxActivations: 3 })
        const machines = Array.from({ length: 20 }, (_, index) => `machine ${index}`)
        const results = yield* Effect.forEach(machines, (machine) => activate(id, machine), {
          concurrency: "unbounded"
        })
        assert.lengthOf(results.filter(Result.isSuccess), 3)
        assert.strictEqual((yield* list(id, everything)).total, 3)
        const same = yield* bought({ maxActivations: 1 })
        const again = yield* Effect.forEach(machines, () => activate(same.id, "laptop"), { concurrency: "unbounded" })
        assert.isTrue(again.every(Result.isSuccess), "the same machine at once is one activation")
        assert.strictEqual((yield* list(same.id, everything)).total, 1)
      })
    )
  })
