import type { BlobStore as Store } from "@agent-marketplace/core/blobs/BlobStore"
import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { assert, layer, vi } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Exit, Fiber, Latch, Option, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { memoryCases } from "./memoryCases.ts"

const sha256Of = (bytes: Uint8Array): Sha256 => Sha256.make(createHash("sha256").update(bytes).digest("hex"))

/** Random bytes in pieces of a size that divides no power of two. */
const pieces = (bytes: Uint8Array) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / 50_001) }, (_, n) => bytes.subarray(n * 50_001, (n + 1) * 50_001))
  )

const collect = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(bytes), (all) => Buffer.concat(all))

const blob = (size: number) => {
  const bytes = randomBytes(size)
  return { bytes, sha256: sha256Of(bytes) }
}

/** What an adapter can do that not every other can. */
export interface BlobStoreAbilities {
  /** Whether blobs are kept outside of the process: a put and a read then need constant memory. */
  readonly constantMemory: boolean
}

/** The contract of `BlobStore`. */
export const blobStoreContract = <E>(
  name: string,
  stores: Layer.Layer<Store, E>,
  { constantMemory }: BlobStoreAbilities
): void => {
  vi.setConfig({ testTimeout: 120_000 })
  layer(stores, { excludeTestServices: true, timeout: "5 minutes" })(`${name}: BlobStore`, (it) => {
    it.effect("stores bytes under their digest, again without effect, and reads them whole (BLOB-1)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        for (const size of [0, 1, 262_143, 262_144, 262_145, 1_100_000]) {
          const { bytes, sha256 } = blob(size)
          assert.deepStrictEqual(yield* store.stat(sha256), Option.none())
          yield* store.put(sha256, size, pieces(bytes))
          yield* store.put(sha256, size, pieces(bytes))
          assert.deepStrictEqual(yield* store.stat(sha256), Option.some({ size }))
          assert.isTrue((yield* collect(store.read(sha256))).equals(bytes), `${size} bytes`)
        }
        yield* store.check
      })
    )

    it.effect("reads any range, at the borders of chunks and across them, in chunks of at most 1 MiB (BLOB-3)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const chunk = 262_144
        const size = 5 * chunk + 17
        const { bytes, sha256 } = blob(size)
        yield* store.put(sha256, size, pieces(bytes))
        const offsets = [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, size - 1, size]
        for (const start of offsets)
          for (const end of [...offsets, size + 1].filter((each) => each >= start)) {
            const read = yield* collect(store.read(sha256, { start, end }))
            assert.isTrue(read.equals(bytes.subarray(start, end)), `from ${start} to ${end}`)
          }
        assert.lengthOf(yield* collect(store.read(sha256, { start: size + 5, end: size + 9 })), 0)
        const chunks = yield* Stream.runCollect(store.read(sha256))
        assert.isTrue(chunks.every(({ length }) => length <= 1024 * 1024))
      })
    )

    it.effect("two puts of one digest at once store it once (BLOB-1)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(700_000)
        yield* Effect.forEach(Array.from({ length: 6 }), () => store.put(sha256, bytes.length, pieces(bytes)), {
          concurrency: "unbounded"
        })
        assert.isTrue((yield* collect(store.read(sha256))).equals(bytes))
        assert.isTrue(yield* store.remove(sha256))
        assert.isFalse(yield* store.remove(sha256))
        assert.deepStrictEqual(yield* store.stat(sha256), Option.none())
      })
    )

    it.effect("bytes with another digest or size store nothing, also where the digest is stored (BLOB-2)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(600_000)
        const refused = Effect.fnUntraced(function* (reason: string, size: number, given: Uint8Array) {
          const error = yield* Effect.flip(store.put(sha256, size, pieces(given)))
          assert.deepStrictEqual({ reason, tag: error._tag }, { reason, tag: "BlobMismatch" })
        })
        const other = Buffer.from(bytes)
        other[599_999] = (other[599_999] ?? 0) ^ 1
        const attempts = Effect.gen(function* () {
          yield* refused("another byte", bytes.length, other)
          yield* refused("a byte less", bytes.length, bytes.subarray(0, -1))
          yield* refused("a byte more", bytes.length, Buffer.concat([bytes, Buffer.from([0])]))
          yield* refused("a size that is too small", bytes.length - 1, bytes)
          yield* refused("a size that is too large", bytes.length + 1, bytes)
          yield* refused("no byte", bytes.length, new Uint8Array())
        })
        yield* attempts
        assert.deepStrictEqual(yield* store.stat(sha256), Option.none())
        yield* store.put(sha256, bytes.length, pieces(bytes))
        yield* attempts
        assert.isTrue((yield* collect(store.read(sha256))).equals(bytes))
      })
    )

    it.effect("a put that fails or is interrupted half-way leaves nothing (BLOB-2)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(900_000)
        const half = pieces(bytes.subarray(0, 600_000))
        const failed = yield* Effect.flip(
          store.put(sha256, bytes.length, Stream.concat(half, Stream.fail("cut off" as const)))
        )
        assert.strictEqual(failed, "cut off")
        assert.deepStrictEqual(yield* store.stat(sha256), Option.none())

        const arrived = Latch.makeUnsafe()
        const waiting = Stream.fromEffect(Effect.andThen(arrived.open, Effect.never))
        const fiber = yield* Effect.forkChild(store.put(sha256, bytes.length, Stream.concat(half, waiting)))
        yield* arrived.await
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
        assert.deepStrictEqual(yield* store.stat(sha256), Option.none())
        assert.strictEqual((yield* Effect.flip(collect(store.read(sha256))))._tag, "BlobNotFound")
        assert.strictEqual(yield* store.prune, 0)
      })
    )

    it.effect("an unknown digest is not found", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { sha256 } = blob(10)
        assert.strictEqual((yield* Effect.flip(collect(store.read(sha256))))._tag, "BlobNotFound")
        assert.strictEqual((yield* Effect.flip(collect(store.read(sha256, { start: 1, end: 2 }))))._tag, "BlobNotFound")
        assert.isFalse(yield* store.remove(sha256))
      })
    )

    it.effect("removed bytes are not read, and can be put again (BLOB-4)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(300_000)
        yield* store.put(sha256, bytes.length, pieces(bytes))
        assert.isTrue(yield* store.remove(sha256))
        assert.strictEqual((yield* Effect.flip(collect(store.read(sha256))))._tag, "BlobNotFound")
        yield* store.put(sha256, bytes.length, pieces(bytes))
        assert.isTrue((yield* collect(store.read(sha256))).equals(bytes))
      })
    )

    it.effect("200 readers that stop early leave the store usable (BLOB-3)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(2_000_000)
        yield* store.put(sha256, bytes.length, pieces(bytes))
        yield* Effect.forEach(
          Array.from({ length: 200 }),
          () => Effect.map(Stream.runHead(store.read(sha256)), (head) => assert.isTrue(Option.isSome(head))),
          { concurrency: 50 }
        )
        assert.isTrue((yield* collect(store.read(sha256))).equals(bytes))
      })
    )

    it.effect("20 readers that stand still keep nobody from reading or storing (BLOB-3)", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const { bytes, sha256 } = blob(2_000_000)
        yield* store.put(sha256, bytes.length, pieces(bytes))
        const latches = Array.from({ length: 20 }, () => Latch.makeUnsafe())
        const stalled = yield* Effect.forEach(latches, (latch) =>
          Effect.forkChild(Stream.runForEach(store.read(sha256), () => Effect.andThen(latch.open, Effect.never)))
        )
        yield* Effect.forEach(latches, (latch) => latch.await)
        assert.isTrue((yield* collect(store.read(sha256))).equals(bytes))
        const other = blob(300_000)
        yield* store.put(other.sha256, other.bytes.length, pieces(other.bytes))
        yield* Effect.forEach(stalled, Fiber.interrupt)
      })
    )

    if (constantMemory) memoryCases(it)
  })
}
