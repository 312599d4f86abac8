import type { Option, Stream } from "effect"
import { Context, Data } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Sha256 } from "./Sha256.ts"

/** The bytes that were put do not have the given digest or size. Nothing was stored (BLOB-2). */
export class BlobMismatch extends Data.TaggedError("BlobMismatch")<{ readonly sha256: Sha256 }> {}

/** No bytes with this digest are stored, or they were removed while they were read. */
export class BlobNotFound extends Data.TaggedError("BlobNotFound")<{ readonly sha256: Sha256 }> {}

/** The bytes from offset `start` up to, but not including, offset `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A put that takes longer fails with `StoreUnavailable`. */
export const longestPut = "30 minutes"

/** Temporary data of an interrupted put can be removed after this many minutes, well above `longestPut`. */
export const staleAfterMinutes = 60

/**
 * Immutable bytes by their SHA-256 digest (BLOB-1). Nothing is ever overwritten.
 *
 * Contract: no method holds more than a few chunks of a blob in memory, whatever its size. The chunks of a stream have at most 1 MiB and must not be
 * changed by their consumer. While the storage is unavailable, every method fails with `StoreUnavailable` within seconds. When the storage is
 * available again, the methods work without a restart.
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Stores the bytes, whose digest and size are verified before they can be read (BLOB-2). Idempotent, also concurrently: bytes that are stored
     * already are only verified. A put that fails or is interrupted stores nothing. An adapter may run the stream a second time after a failure, so
     * it must start at the first byte each time. `size` in bytes, at most 5 GB.
     */
    readonly put: <E>(
      sha256: Sha256,
      size: number,
      bytes: Stream.Stream<Uint8Array, E>
    ) => StoreEffect<void, BlobMismatch | E>
    /**
     * The bytes, or those of `range`, which is cut at the end of the blob (BLOB-3). Reads only as fast as it is consumed. A consumer that stops early
     * frees the connection or file.
     */
    readonly read: (sha256: Sha256, range?: ByteRange) => Stream.Stream<Uint8Array, BlobNotFound | StoreUnavailable>
    /** The size in bytes, if the blob is stored. */
    readonly stat: (sha256: Sha256) => StoreEffect<Option.Option<{ readonly size: number }>>
    /** Removes the bytes (BLOB-4). False if they were not stored. They can be put again. */
    readonly remove: (sha256: Sha256) => StoreEffect<boolean>
    /** Removes the temporary data of puts that were interrupted more than `staleAfterMinutes` ago (BLOB-5). Returns how many were removed. */
    readonly prune: StoreEffect<number>
    /** Fails while the storage does not accept reads or writes. To be called every few seconds, not for each request. */
    readonly check: StoreEffect<void>
  }
>()("@agent-marketplace/core/blobs/BlobStore") {}
