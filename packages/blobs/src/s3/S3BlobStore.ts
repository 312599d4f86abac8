import type { BlobMismatch, ByteRange } from "@agent-marketplace/core/blobs/BlobStore"
import { BlobNotFound, BlobStore, longestPut } from "@agent-marketplace/core/blobs/BlobStore"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { verifiedBytes } from "@agent-marketplace/core/blobs/verifiedBytes"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Option, Stream } from "effect"
import { HttpClient } from "effect/http"
import { Agent } from "undici"
import { makeHasher } from "../makeHasher.ts"
import type { S3Request, S3Settings } from "./S3Requests.ts"
import { errorCode, refusedWith, retried, s3Requests } from "./S3Requests.ts"

const lost = new StoreUnavailable({ cause: "the storage of blobs broke off in the middle of a blob" })

const make = (client: HttpClient.HttpClient, settings: S3Settings): BlobStore["Service"] => {
  const send = s3Requests(client, settings)

  /** A response with a status that the caller expects; every other is `StoreUnavailable`, and is tried again if it may pass. */
  const expect = <E>(request: S3Request<E>, expected: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const response = yield* send(request)
      const code = expected.includes(response.status) ? undefined : yield* errorCode(response)
      if (!expected.includes(response.status)) return yield* refusedWith(response.status, code)
      return response
    })

  const stat = (sha256: Sha256): StoreEffect<Option.Option<{ readonly size: number }>> =>
    retried(Effect.scoped(expect({ method: "HEAD", key: sha256 }, [200, 404]))).pipe(
      Effect.map(({ headers, status }) =>
        status === 404 ? Option.none() : Option.some({ size: Number(headers["content-length"] ?? 0) })
      )
    )

  /** One attempt. The client reports a failure of the source as its own, so the source's is noted. */
  const store = <E>(sha256: Sha256, size: number, bytes: Stream.Stream<Uint8Array, E>) =>
    Effect.suspend(() => {
      let failure: Option.Option<E> = Option.none()
      const noted = Stream.tapError(bytes, (error) => Effect.sync(() => (failure = Option.some(error))))
      const put = expect({ method: "PUT", key: sha256, body: { bytes: noted, size, sha256 } }, [200, 201, 204])
      return Effect.scoped(put).pipe(
        Effect.asVoid,
        Effect.catch((error): Effect.Effect<void, E | StoreUnavailable> =>
          Option.isSome(failure) ? Effect.fail(failure.value) : Effect.fail(error)
        )
      )
    })

  const put = Effect.fn("S3BlobStore.put")(function* <E>(
    sha256: Sha256,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ): Effect.fn.Return<void, BlobMismatch | E | StoreUnavailable> {
    const verified = verifiedBytes(sha256, size, bytes, makeHasher)
    const known = yield* stat(sha256)
    const isStored = Option.isSome(known) && known.value.size === size
    yield* Effect.timeoutOrElse(isStored ? Stream.runDrain(verified) : retried(store(sha256, size, verified)), {
      duration: longestPut,
      orElse: () => Effect.fail(new StoreUnavailable({ cause: `the blob was not complete within ${longestPut}` }))
    })
  })

  /** A storage that ignores the range would send other bytes. */
  const headersOf = (range: ByteRange | undefined) =>
    range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` }

  const read = (sha256: Sha256, range?: ByteRange): Stream.Stream<Uint8Array, BlobNotFound | StoreUnavailable> => {
    if (range !== undefined && range.end <= range.start)
      return Stream.unwrap(
        Effect.map(stat(sha256), (known) =>
          Option.isSome(known) ? Stream.empty : Stream.fail(new BlobNotFound({ sha256 }))
        )
      )
    const request = { method: "GET", key: sha256, headers: headersOf(range) } as const
    return Stream.unwrap(
      Effect.gen(function* () {
        const response = yield* retried(expect(request, range === undefined ? [200, 404] : [206, 404, 416]))
        if (response.status === 416) return Stream.empty
        if (response.status !== 404) return Stream.mapError(response.stream, () => lost)
        const code = yield* errorCode(response)
        return yield* code === "NoSuchBucket" ? refusedWith(404, code) : new BlobNotFound({ sha256 })
      })
    )
  }

  return {
    put,
    read,
    stat,
    remove: Effect.fn("S3BlobStore.remove")(function* (sha256) {
      // A deletion succeeds also where there was nothing.
      if (Option.isNone(yield* stat(sha256))) return false
      yield* retried(Effect.scoped(expect({ method: "DELETE", key: sha256 }, [200, 202, 204, 404])))
      return true
    }),
    // An object appears whole or not at all.
    prune: Effect.succeed(0),
    check: Effect.asVoid(retried(Effect.scoped(expect({ method: "HEAD", key: undefined }, [200]))))
  }
}

/** Connections to the storage. The agent is imported by name because bundles lack the module of the platform that exports all of undici. */
const agent = Layer.effect(
  NodeHttpClient.Dispatcher,
  Effect.acquireRelease(
    Effect.sync(() => new Agent({ connect: { timeout: 3000 }, bodyTimeout: 30_000 })),
    (dispatcher) => Effect.promise(() => dispatcher.destroy())
  )
)

/**
 * Blobs as objects of a bucket (BLOB-11), with the digest as the end of the key. Needs the rights to read, write and delete objects with the prefix and to
 * list the bucket: without the last one, a missing object is 403. A blob is one request of constant memory, up to the 5 GB of a single object.
 */
export const S3BlobStore = {
  layer: (settings: S3Settings): Layer.Layer<BlobStore> =>
    Layer.effect(
      BlobStore,
      Effect.map(HttpClient.HttpClient, (client) => make(client, settings))
    ).pipe(Layer.provide(NodeHttpClient.layerUndiciNoDispatcher), Layer.provide(agent))
}
