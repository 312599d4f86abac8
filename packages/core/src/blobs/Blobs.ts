import { Clock, Context, Effect, Layer } from "effect"
import type { Stream } from "effect"
import { StoreUnavailable } from "../errors/MarketError.ts"
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

/** How many blobs a purge claims at once, so that their removal stays well below `longestRun`. */
const purgeBatch = 50

/** How long a purge waits for removals by other processes, and how often it looks. */
const purgePatience = 10_000
const purgePause = "100 millis"

const notRemoved = new StoreUnavailable({ cause: "the removal of some bytes takes too long" })

/** Stores the blobs of uploads, and removes those that no record refers to. */
export class Blobs extends Context.Service<
  Blobs,
  {
    /**
     * Stores all blobs (BLOB-1). They are kept for an hour, in which a record must refer to them (BLOB-6). Fails with `BlobMismatch` if one does
     * not have its digest and size; others may then be stored, and are removed later.
     */
    readonly store: <E>(blobs: ReadonlyArray<BlobDraft<E>>) => StoreEffect<void, BlobMismatch | E>
    /**
     * Removes those of these blobs that no record refers to, without the hour of `store`. When this returns, their bytes are gone (PURGE-2). An upload
     * that stored one of them and does not refer to it yet fails and must be repeated (PURGE-9). Can be repeated after a failure; blobs that it has
     * claimed are also removed by `collectGarbage`.
     */
    readonly purge: (blobs: ReadonlyArray<Sha256>) => StoreEffect<void>
    /** Removes some blobs without references, and temporary data of interrupted writes. True if there may be more. */
    readonly collectGarbage: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/blobs/Blobs") {
  static readonly layer = Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const registry = yield* BlobRegistry
      const bytes = yield* BlobStore
      /** False if the claim is too old. */
      const remove = (blob: Sha256, claimedAt: number) =>
        Effect.gen(function* () {
          if ((yield* Clock.currentTimeMillis) - claimedAt > longestRun) return false
          yield* bytes.remove(blob)
          yield* registry.removed(blob)
          return true
        })

      const purgeSome = Effect.fnUntraced(function* (blobs: ReadonlyArray<Sha256>) {
        const startedAt = yield* Clock.currentTimeMillis
        let waiting = blobs
        for (;;) {
          const claimedAt = yield* Clock.currentTimeMillis
          const { claimed, removing } = yield* registry.claimUnused(waiting)
          const removed = yield* Effect.forEach(claimed, (blob) => remove(blob, claimedAt))
          if (removed.includes(false)) return yield* notRemoved
          if (removing.length === 0) return
          if (claimedAt - startedAt >= purgePatience) return yield* notRemoved
          waiting = removing
          yield* Effect.sleep(purgePause)
        }
      })
      return {
        store: Effect.fn("Blobs.store")(function* <E>(blobs: ReadonlyArray<BlobDraft<E>>) {
          yield* registry.announce(blobs.map(({ sha256 }) => sha256))
          yield* Effect.forEach(blobs, (each) => bytes.put(each.sha256, each.size, each.bytes), {
            concurrency,
            discard: true
          })
        }),
        purge: Effect.fn("Blobs.purge")(function* (blobs) {
          const distinct = [...new Set(blobs)]
          for (let start = 0; start < distinct.length; start += purgeBatch) {
            yield* purgeSome(distinct.slice(start, start + purgeBatch))
          }
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
