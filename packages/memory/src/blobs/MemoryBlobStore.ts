import { BlobMismatch, BlobNotFound, BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { Effect, Layer, Option, Stream } from "effect"
import { Digest } from "effect/crypto"
import { MemoryMarket } from "../MemoryMarket.ts"

const chunkBytes = 256 * 1024

/** The bytes of a stream that has exactly `size` of them. */
const gather = Effect.fnUntraced(function* <E>(sha256: Sha256, size: number, bytes: Stream.Stream<Uint8Array, E>) {
  const all = new Uint8Array(size)
  let received = 0
  yield* Stream.runForEach(bytes, (chunk) =>
    Effect.suspend(() => {
      if (received + chunk.length > size) return Effect.fail(new BlobMismatch({ sha256 }))
      all.set(chunk, received)
      received += chunk.length
      return Effect.void
    })
  )
  return received === size ? all : yield* new BlobMismatch({ sha256 })
})

function* chunksOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
}

/** Holds every blob whole. */
export const MemoryBlobStore: { readonly layer: Layer.Layer<BlobStore, never, MemoryMarket | Digest.Digest> } = {
  layer: Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const digest = yield* Digest.Digest
      const put = Effect.fn("MemoryBlobStore.put")(function* <E>(
        sha256: Sha256,
        size: number,
        bytes: Stream.Stream<Uint8Array, E>
      ) {
        const all = yield* gather(sha256, size, bytes)
        if ((yield* Effect.orDie(digest.digestHex(Digest.sha256, all))) !== sha256)
          return yield* new BlobMismatch({ sha256 })
        if (!tables.blobs.has(sha256)) tables.blobs.set(sha256, all)
      })
      return {
        put,
        read: (sha256, range) =>
          Stream.suspend(() => {
            const bytes = tables.blobs.get(sha256)
            if (bytes === undefined) return Stream.fail(new BlobNotFound({ sha256 }))
            return Stream.fromIterable(chunksOf(bytes.subarray(range?.start ?? 0, range?.end)))
          }),
        stat: (sha256) =>
          Effect.sync(() =>
            Option.map(Option.fromUndefinedOr(tables.blobs.get(sha256)), ({ length }) => ({ size: length }))
          ),
        remove: (sha256) => Effect.sync(() => tables.blobs.delete(sha256)),
        prune: Effect.succeed(0),
        check: Effect.void
      }
    })
  )
}
