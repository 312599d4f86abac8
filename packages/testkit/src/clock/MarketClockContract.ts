import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { market } from "../fixtures/market.ts"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

/** The contract of `MarketClock`. */
export const marketClockContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: MarketClock`, stores, (it) => {
    it.effect("advancing moves the time by exactly the given amount and returns the new time (OPERATOR-19)", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const before = yield* clock.now
        const advanced = yield* clock.advance(86_400)
        const [after, lastKnown] = [yield* clock.now, yield* clock.lastKnown]
        for (const time of [advanced, after, lastKnown])
          assert.isTrue(time >= before + 86_400_000 && time < before + 86_460_000)
        assert.isTrue(Number.isInteger(before) && Number.isInteger(advanced))
      })
    )

    it.effect("the operator's advance is logged with it, and an advance without an action is not (OPERATOR-14)", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const log = yield* ActionStore
        const draft = actionDraft("clock.advance", freshId("usr"))
        const { total: before } = yield* log.list({}, { page: 1, limit: 1 })
        yield* clock.advance(60)
        yield* clock.advance(60, draft)
        const { items, total } = yield* log.list({}, { page: 1, limit: 1 })
        assert.strictEqual(total, before + 1)
        assert.deepStrictEqual(items, [{ ...draft, before: null, after: { advanceSeconds: 60 } }])
      })
    )

    it.effect("concurrent advances add up", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const before = yield* clock.now
        yield* Effect.forEach(Array.from({ length: 10 }), () => clock.advance(3600), { concurrency: "unbounded" })
        const passed = (yield* clock.now) - before
        assert.isTrue(passed >= 36_000_000 && passed < 36_060_000, `${passed} milliseconds`)
      })
    )

    it.effect("it never runs backwards", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        let last = yield* clock.now
        for (let n = 0; n < 200; n++) {
          if (n % 50 === 25) yield* clock.advance(1)
          const now = yield* clock.now
          assert.isTrue(now >= last, `${now} after ${last}`)
          last = now
        }
      })
    )

    it.effect("stored records have the same time", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const { buyer, item } = yield* market(usdt(100))
        yield* clock.advance(86_400)
        const before = yield* clock.now
        const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        const after = yield* clock.now
        assert.isTrue(purchase.purchasedAt >= before - 50 && purchase.purchasedAt <= after + 50)
      })
    )
  })
