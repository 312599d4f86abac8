import type { ByteRange } from "@agent-marketplace/core/blobs/BlobStore"
import { BlobNotFound, BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { revalidated } from "../edge/PublicResponse.ts"
import { byteRange } from "./byteRange.ts"

/** A blob and how it is sent. */
export interface ServedBlob {
  readonly sha256: Sha256
  readonly mediaType: string
  /** The name under which a browser saves it. Characters other than letters, digits, `.`, `_` and `-` become `_`. */
  readonly fileName: string
  /** Whether everyone may read it. If so, shared caches may store it, but must revalidate it before each use. */
  readonly isPublic: boolean
}

/** `no-transform`, because a range of compressed bytes would not be a range of the blob. */
const cacheControl = (isPublic: boolean): string => `${isPublic ? "public" : "private"}, no-cache, no-transform`

/** The selected part, or undefined for the whole. `If-Range` must name the blob itself; only `GET` has ranges. */
const rangeOf = ({ headers, method }: HttpServerRequest.HttpServerRequest, etag: string, size: number) => {
  const condition = headers["if-range"]
  if (method !== "GET" || (condition !== undefined && condition.trim() !== etag)) return "all"
  return byteRange(headers["range"], size)
}

const unsatisfiable = (size: number): HttpServerResponse.HttpServerResponse => {
  const message = `must select some of the ${size} bytes`
  const issues = [{ path: "headers.range", message }]
  const error = { code: "VALIDATION_ERROR", message: `headers.range: ${message}`, details: { issues } }
  return HttpServerResponse.jsonUnsafe(
    { success: false, error },
    { status: 416, headers: { "content-range": `bytes */${size}`, "cache-control": "no-store" } }
  )
}

/**
 * The bytes of a blob (BLOB-9), streamed: the response reads from the store only as fast as the client reads. Its ETag is the digest. Serves one range
 * (206); a request for several returns the whole blob. Fails before the first byte if the blob is not stored or the store is unavailable; a store that fails
 * later breaks the connection, so that the client sees that bytes are missing.
 */
export const serveBlob = Effect.fn("serveBlob")(function* (
  request: HttpServerRequest.HttpServerRequest,
  { fileName, isPublic, mediaType, sha256 }: ServedBlob
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, BlobNotFound | StoreUnavailable, BlobStore> {
  const store = yield* BlobStore
  const found = yield* store.stat(sha256)
  if (Option.isNone(found)) return yield* new BlobNotFound({ sha256 })
  const { size } = found.value
  const etag = `"${sha256}"`
  const headers = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": cacheControl(isPublic),
    "content-disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, "_")}"`
  }
  const cached = revalidated(request, HttpServerResponse.empty({ status: 200, headers }))
  if (cached.status === 304) return cached
  const send = (status: number, range: ByteRange, more: Record<string, string> = {}) =>
    HttpServerResponse.stream(store.read(sha256, range), {
      status,
      contentType: mediaType,
      contentLength: range.end - range.start,
      headers: { ...headers, ...more }
    })
  const range = rangeOf(request, etag, size)
  if (range === "unsatisfiable") return unsatisfiable(size)
  if (range === "all") return send(200, { start: 0, end: size })
  return send(206, range, { "content-range": `bytes ${range.start}-${range.end - 1}/${size}` })
})
