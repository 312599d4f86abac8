import { Clock, Context, Effect, Layer } from "effect"
import type { Stream } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { BlobRegistry } from "./BlobRegistry.ts"
import type { BlobMismatch } from "./BlobStore.ts"
import { BlobStore, staleAfterMinutes } from "./BlobStore.ts"
import type { Sha256 } from "./Sha256.ts"

/** Bytes to be stored. `size` in bytes; the stream starts at the first byte each time it is run. */
export interface BlobDraft<E> {
  readonly sha256: Sha256
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/** How many blobs of one upload are stored at once. */
const concurrency = 4

/** The maximum number of blobs that one run of the garbage collection removes. */
const claimTerms = { unusedFor: staleAfterMinutes * 60, unfinishedFor: 300, limit: 50 } as const

/**
 * A process stops removing claimed blobs this many milliseconds after its claim, for example because it was suspended, and leaves the rest to a
 * later run of any process. This is far less than `unfinishedFor`, so that it never removes bytes that were stored again after that later run.
 */
const longestRun = 60_000

/** Stores the blobs of uploads, and removes those that no record refers to. */
export class Blobs extends Context.Service<
  Blobs,
  {
    /**
     * Stores all blobs (BLOB-1). They are kept for an hour, in which a record must refer to them (BLOB-6). Fails with `BlobMismatch` if one does
     * not have its digest and size; others may then be stored, and are removed later.
     */
    readonly store: <E>(blobs: ReadonlyArray<BlobDraft<E>>) => StoreEffect<void, BlobMismatch | E>
    /** Removes some blobs without references, and temporary data of interrupted writes. True if there may be more. */
    readonly collectGarbage: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/blobs/Blobs") {
  static readonly layer = Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const registry = yield* BlobRegistry
      const bytes = yield* BlobStore
      const remove = (blob: Sha256, claimedAt: number) =>
        Effect.gen(function* () {
          if ((yield* Clock.currentTimeMillis) - claimedAt > longestRun) return
          yield* bytes.remove(blob)
          yield* registry.removed(blob)
        })
      return {
        store: Effect.fn("Blobs.store")(function* <E>(blobs: ReadonlyArray<BlobDraft<E>>) {
          yield* registry.announce(blobs.map(({ sha256 }) => sha256))
          yield* Effect.forEach(blobs, (each) => bytes.put(each.sha256, each.size, each.bytes), {
            concurrency,
            discard: true
          })
        }),
        collectGarbage: Effect.gen(function* () {
          yield* bytes.prune
          const claimedAt = yield* Clock.currentTimeMillis
          const claimed = yield* registry.claim(claimTerms)
          yield* Effect.forEach(claimed, (blob) => remove(blob, claimedAt), { discard: true })
          return claimed.length === claimTerms.limit
        }).pipe(Effect.withSpan("Blobs.collectGarbage"))
      }
    })
  )
}
