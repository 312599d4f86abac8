import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { MemoryMarket } from "@agent-marketplace/memory/MemoryMarket"
import { referBlobs } from "@agent-marketplace/memory/blobs/referBlobs"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { Blobs } from "../../src/blobs/Blobs.ts"
import { BlobStore } from "../../src/blobs/BlobStore.ts"
import { Sha256 } from "../../src/blobs/Sha256.ts"

const draft = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return {
    sha256: Sha256.make(createHash("sha256").update(bytes).digest("hex")),
    size: bytes.length,
    bytes: Stream.make(bytes)
  }
}

const stores = Layer.fresh(
  MemoryStores.layer.pipe(Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)))
)

const market = Blobs.layer.pipe(Layer.provideMerge(stores))

it.effect("blobs that no record refers to are removed after an hour, others remain (BLOB-6)", () =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const store = yield* BlobStore
    const { tables } = yield* MemoryMarket
    const [used, unused, late] = [draft("used"), draft("unused"), draft("late")]
    yield* blobs.store([used, unused, late])
    yield* referBlobs(tables, "rel_1", [used.sha256])
    yield* TestClock.adjust("59 minutes")
    assert.isFalse(yield* blobs.collectGarbage)
    assert.isTrue(Option.isSome(yield* store.stat(unused.sha256)))
    // An upload of the same bytes starts anew.
    yield* blobs.store([late])
    yield* TestClock.adjust("1 minute")
    yield* blobs.collectGarbage
    assert.isTrue(Option.isSome(yield* store.stat(used.sha256)))
    assert.isTrue(Option.isSome(yield* store.stat(late.sha256)))
    assert.isTrue(Option.isNone(yield* store.stat(unused.sha256)))
    assert.strictEqual((yield* Effect.flip(referBlobs(tables, "rel_2", [unused.sha256])))._tag, "StoreUnavailable")
    yield* blobs.store([unused])
    yield* referBlobs(tables, "rel_2", [unused.sha256])
  }).pipe(Effect.provide(market))
)

it.effect("more garbage than one run removes takes several runs", () =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const { tables } = yield* MemoryMarket
    yield* blobs.store(Array.from({ length: 60 }, (_, n) => draft(String(n))))
    yield* TestClock.adjust("1 hour")
    assert.isTrue(yield* blobs.collectGarbage)
    assert.isFalse(yield* blobs.collectGarbage)
    assert.deepStrictEqual([tables.blobs.size, tables.blobRemovals.size], [0, 0])
  }).pipe(Effect.provide(market))
)
