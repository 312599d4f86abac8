import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { MemoryMarket } from "@agent-marketplace/memory/MemoryMarket"
import { dropBlobReferences, referBlobs } from "@agent-marketplace/memory/blobs/referBlobs"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Stream } from "effect"
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

it.effect("a purge removes blobs without references at once, and keeps shared ones (PURGE-2, PURGE-3)", () =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const store = yield* BlobStore
    const { tables } = yield* MemoryMarket
    const many = Array.from({ length: 120 }, (_, n) => draft(`own ${n}`))
    const shared = draft("shared")
    const digests = [shared, ...many].map(({ sha256 }) => sha256)
    yield* blobs.store([shared, ...many])
    yield* referBlobs(tables, "rel_1", digests)
    yield* referBlobs(tables, "rel_2", [shared.sha256])
    yield* blobs.purge(digests)
    assert.strictEqual(tables.blobs.size, 121, "a referenced blob is never removed")
    dropBlobReferences(tables, ["rel_1"])
    yield* blobs.purge([...digests, ...digests])
    assert.deepStrictEqual([...tables.blobs.keys()], [shared.sha256])
    assert.strictEqual(tables.blobRemovals.size, 0)
    assert.isTrue(Option.isSome(yield* store.stat(shared.sha256)))
    yield* blobs.purge(digests)
  }).pipe(Effect.provide(market))
)

it.effect("purged blobs do not wait for the hour of garbage collection if the process stops first (PURGE-2)", () =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const { tables } = yield* MemoryMarket
    const [purged, shared, unused] = [draft("purged"), draft("shared"), draft("unused")]
    // The system's clock is far from the epoch.
    yield* TestClock.adjust("1000 days")
    yield* blobs.store([purged, shared, unused])
    yield* referBlobs(tables, "rel_1", [purged.sha256, shared.sha256])
    yield* referBlobs(tables, "rel_2", [shared.sha256])
    dropBlobReferences(tables, ["rel_1"])
    yield* blobs.collectGarbage
    assert.deepStrictEqual([...tables.blobs.keys()], [shared.sha256, unused.sha256])
  }).pipe(Effect.provide(market))
)

it.effect("bytes that an upload stores after the purge are removed with its refusal (PURGE-9)", () =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const store = yield* BlobStore
    const { tables } = yield* MemoryMarket
    const blob = draft("leaked")
    yield* blobs.store([blob])
    yield* blobs.purge([blob.sha256])
    // The upload announced the blob before the purge, and stores its bytes only now.
    yield* store.put(blob.sha256, blob.size, blob.bytes)
    const refused = yield* Effect.flip(referBlobs(tables, "rel_1", [blob.sha256]))
    assert.deepInclude(refused.cause, { _tag: "BlobRemoved", owner: "rel_1" })
    yield* blobs.purge([blob.sha256])
    assert.isTrue(Option.isNone(yield* store.stat(blob.sha256)))
  }).pipe(Effect.provide(market))
)

it.effect(
  "a purge waits for the removal of the same bytes by another process, and fails after 10 seconds (PURGE-2)",
  () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const { tables } = yield* MemoryMarket
      const blob = draft("twice")
      yield* blobs.store([blob])
      tables.announcedBlobs.delete(blob.sha256)
      tables.blobRemovals.set(blob.sha256, 0)
      const waiting = yield* Effect.forkChild(blobs.purge([blob.sha256]))
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(waiting.pollUnsafe(), "it must not return while the bytes are stored")
      tables.blobRemovals.delete(blob.sha256)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(waiting)
      assert.strictEqual(tables.blobs.size, 0)
      tables.blobRemovals.set(blob.sha256, 0)
      const stuck = yield* Effect.forkChild(Effect.flip(blobs.purge([blob.sha256])))
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual((yield* Fiber.join(stuck))._tag, "StoreUnavailable")
    }).pipe(Effect.provide(market))
)
