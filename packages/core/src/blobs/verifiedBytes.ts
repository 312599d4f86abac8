import { Effect, Stream } from "effect"
import { BlobMismatch } from "./BlobStore.ts"
import type { Sha256 } from "./Sha256.ts"

/** An incremental SHA-256. */
export interface Hasher {
  readonly update: (bytes: Uint8Array) => void
  /** The digest in lower-case hexadecimal digits. Ends the hasher. */
  readonly hex: () => string
}

/**
 * Passes the bytes through and verifies them. Fails with `BlobMismatch` before the last chunk if the digest or size is wrong, so that a consumer
 * never receives all bytes of a wrong blob (BLOB-2). Fails as soon as there are more than `size` bytes.
 */
export const verifiedBytes = <E>(
  sha256: Sha256,
  size: number,
  bytes: Stream.Stream<Uint8Array, E>,
  makeHasher: () => Hasher
): Stream.Stream<Uint8Array, BlobMismatch | E> =>
  Stream.suspend(() => {
    const hasher = makeHasher()
    let received = 0
    let held: ReadonlyArray<Uint8Array> = []
    const mismatch = new BlobMismatch({ sha256 })
    const next = (chunk: Uint8Array) => {
      received += chunk.length
      if (received > size) return Effect.fail(mismatch)
      hasher.update(chunk)
      const ready = held
      held = [chunk]
      return Effect.succeed(ready)
    }
    const last = Effect.suspend(() =>
      received === size && hasher.hex() === sha256 ? Effect.succeed(held) : Effect.fail(mismatch)
    )
    return bytes.pipe(
      Stream.filter((chunk) => chunk.length > 0),
      Stream.mapEffect(next),
      Stream.concat(Stream.fromEffect(last)),
      Stream.flattenIterable
    )
  })
