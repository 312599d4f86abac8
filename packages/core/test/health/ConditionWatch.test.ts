import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as TestClock from "effect/testing/TestClock"
import { BlobStore } from "../../src/blobs/BlobStore.ts"
import { StoreUnavailable } from "../../src/errors/MarketError.ts"
import { ConditionWatch } from "../../src/health/ConditionWatch.ts"
import { Conditions } from "../../src/health/Conditions.ts"

const stores = Layer.fresh(
  MemoryStores.layer.pipe(Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)))
)

it.effect("the condition blobs_unavailable holds while the storage of blobs is unavailable (BLOB-7)", () => {
  let isAway = true
  const check = Effect.suspend(() => (isAway ? Effect.fail(new StoreUnavailable({ cause: "refused" })) : Effect.void))
  const blobs = Layer.mock(BlobStore)({ check })
  const watch = ConditionWatch.layer.pipe(
    Layer.provideMerge(Conditions.layer),
    Layer.provide(Layer.merge(stores, blobs))
  )
  return Effect.gen(function* () {
    const { check: look } = yield* ConditionWatch
    const { open } = yield* Conditions
    yield* look
    assert.deepStrictEqual(
      (yield* open).map(({ detail, kind }) => ({ detail, kind })),
      [{ detail: "refused", kind: "blobs_unavailable" }]
    )
    isAway = false
    yield* TestClock.adjust("2 seconds")
    yield* look
    assert.deepStrictEqual(yield* open, [])
  }).pipe(Effect.provide(watch))
})
