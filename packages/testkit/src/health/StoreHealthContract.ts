import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"

/** The contract of `StoreHealth`. */
export const storeHealthContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: StoreHealth`, stores, (it) => {
    it.effect(
      "a store that accepts writes is writable, also when several processes check concurrently (SYSTEM-8)",
      () =>
        Effect.gen(function* () {
          const { writable } = yield* StoreHealth
          yield* Effect.all(
            Array.from({ length: 10 }, () => writable),
            { concurrency: "unbounded" }
          )
          yield* writable
        })
    )

    it.effect("a store is prepared for coming rows, also by several processes concurrently (DATABASE-10)", () =>
      Effect.gen(function* () {
        const { prepare } = yield* StoreHealth
        const found = yield* Effect.all(
          Array.from({ length: 5 }, () => prepare),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(found, [null, null, null, null, null])
      })
    )
  })
