import { Effect, Stream } from "effect"
import { Headers, HttpBody, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** Smaller bodies are sent as they are (HEADER-2). */
const smallest = 1024

type Encoding = "br" | "gzip"

const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 5 })
}

const isText = (contentType: string | undefined): boolean =>
  contentType !== undefined &&
  /^(?:text\/|application\/(?:[\w.]+\+)?json|application\/javascript|image\/svg)/.test(contentType) &&
  !contentType.startsWith("text/event-stream")

/** The encodings that a client accepts, by its weights; an encoding with `q=0` is refused. */
const weightsOf = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.trim().toLowerCase().split(";")
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return [name, weight === undefined ? 1 : Number(weight)]
    })
  )

const encodingFor = (accepted: string | undefined): Encoding | undefined => {
  if (accepted === undefined || accepted === "") return undefined
  const weights = weightsOf(accepted)
  const [br = 0, gz = 0] = [weights.get("br"), weights.get("gzip") ?? weights.get("*")]
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? "br" : "gzip"
}

/** A compressed body has different bytes, so its tag becomes a weak one. */
const weak = (tag: string): string => (tag.startsWith("W/") ? tag : `W/${tag}`)

const encoded = (response: HttpServerResponse.HttpServerResponse, encoding: Encoding, body: HttpBody.HttpBody) => {
  const { etag } = response.headers
  const headers = Headers.remove(response.headers, "content-length")
  return HttpServerResponse.setBody(HttpServerResponse.empty({ status: response.status }), body).pipe(
    HttpServerResponse.setHeaders({
      ...headers,
      "content-encoding": encoding,
      ...(etag === undefined ? {} : { etag: weak(etag) })
    })
  )
}

const compressible = ({ body, headers }: HttpServerResponse.HttpServerResponse): boolean =>
  (body._tag === "Stream" || (body._tag === "Uint8Array" && body.contentLength > smallest)) &&
  headers["content-encoding"] === undefined &&
  headers["cache-control"]?.includes("no-transform") !== true &&
  isText(body.contentType ?? headers["content-type"])

const vary = (response: HttpServerResponse.HttpServerResponse) => {
  const known = response.headers["vary"]
  return HttpServerResponse.setHeader(
    response,
    "vary",
    known === undefined ? "Accept-Encoding" : `${known}, Accept-Encoding`
  )
}

/** Streams are compressed only with gzip, chunk by chunk, so that a long one is never in memory as a whole. */
const compressedStream = (body: HttpBody.Stream): HttpBody.Stream =>
  HttpBody.stream(
    Stream.fromReadableStream({
      evaluate: () =>
        Stream.toReadableStream(body.stream).pipeThrough(
          new CompressionStream("gzip") as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>
        ),
      onError: (cause) => cause
    }),
    body.contentType
  )

/** JSON and text over 1 kB in the encoding that the client prefers (HEADER-2). */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (!compressible(response) || request.method === "HEAD") return Effect.succeed(response)
  const encoding = encodingFor(request.headers["accept-encoding"])
  const varied = vary(response)
  if (encoding === undefined) return Effect.succeed(varied)
  const { body } = varied
  if (body._tag === "Stream") return Effect.succeed(encoded(varied, "gzip", compressedStream(body)))
  if (body._tag !== "Uint8Array") return Effect.succeed(varied)
  return Effect.map(
    Effect.promise(() => compressors[encoding](body.body)),
    (bytes) => encoded(varied, encoding, HttpBody.uint8Array(bytes, body.contentType))
  )
}
