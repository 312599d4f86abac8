import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as TestClock from "effect/testing/TestClock"
import { Conditions } from "../../src/health/Conditions.ts"
import { StorageWatch } from "../../src/health/StorageWatch.ts"
import { StoreHealth } from "../../src/health/StoreHealth.ts"

const stores = Layer.fresh(
  MemoryStores.layer.pipe(Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)))
)

it.effect("the condition is open while the store is not prepared for new rows (DATABASE-11)", () => {
  let unprepared: string | null = "new rows go to ledger_lines_default"
  const watched = StorageWatch.layer.pipe(
    Layer.provideMerge(Conditions.layer),
    Layer.provideMerge(Layer.merge(stores, Layer.mock(StoreHealth)({ prepare: Effect.sync(() => unprepared) })))
  )
  return Effect.gen(function* () {
    const conditions = yield* Conditions
    const { check } = yield* StorageWatch
    yield* check
    yield* TestClock.adjust("2 seconds")
    const open = (yield* conditions.open).map(({ detail, kind }) => ({ detail, kind }))
    assert.deepStrictEqual(open, [{ kind: "partitions_missing", detail: unprepared }])
    unprepared = null
    yield* check
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(yield* conditions.open, [])
  }).pipe(Effect.provide(watched))
})
