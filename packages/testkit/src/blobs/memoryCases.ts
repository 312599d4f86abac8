import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { Vitest } from "@effect/vitest"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const size = 20 * 1024 * 1024
const piece = 64 * 1024

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** The bytes of live buffers. Dead ones are freed concurrently after a collection, and the next collection waits for that. */
const held = (): number => {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** 20 MiB that are never in memory as a whole: each piece is the digest of its number, repeated. */
const bytesOf = (seed: Buffer): Stream.Stream<Uint8Array> =>
  Stream.range(0, size / piece - 1).pipe(
    // Otherwise all pieces are made at once.
    Stream.rechunk(1),
    Stream.map((n) => Buffer.alloc(piece, createHash("sha256").update(seed).update(String(n)).digest()))
  )

/** Follows the most memory that buffers used at any of several samples, less what they used at first. */
const peak = () => {
  const before = held()
  let most = 0
  let count = 0
  return {
    sample: Effect.sync(() => {
      if (count++ % 16 === 0) most = Math.max(most, held() - before)
    }),
    most: () => most
  }
}

export const memoryCases = (it: Vitest.MethodsNonLive<BlobStore>): void =>
  it.effect("20 MiB are stored and read with less than 5 MiB of memory (BLOB-3)", () =>
    Effect.gen(function* () {
      const store = yield* BlobStore
      const bytes = bytesOf(randomBytes(16))
      const hash = createHash("sha256")
      yield* Stream.runForEach(bytes, (chunk) => Effect.sync(() => hash.update(chunk)))
      const sha256 = Sha256.make(hash.digest("hex"))
      const put = peak()
      yield* store.put(
        sha256,
        size,
        Stream.tap(bytes, () => put.sample)
      )
      assert.isBelow(put.most(), 5 * 1024 * 1024)
      const read = peak()
      const again = createHash("sha256")
      yield* Stream.runForEach(store.read(sha256), (chunk) =>
        Effect.andThen(
          Effect.sync(() => again.update(chunk)),
          read.sample
        )
      )
      assert.strictEqual(again.digest("hex"), sha256)
      assert.isBelow(read.most(), 5 * 1024 * 1024)
      yield* store.remove(sha256)
    })
  )
