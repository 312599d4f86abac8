import { isUtf8 } from "node:buffer"
import { PayloadTooLarge, UnsupportedMediaType } from "@agent-marketplace/api/errors/HttpFault"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { ByteSize, Effect, Result } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerError, HttpServerRequest } from "effect/http"

/** How deeply arrays and objects of a body may nest. */
const maxDepth = 64

const quote = 34
const backslash = 92

/** The index of the quote that closes the string opened at `start`; the length if there is none. */
const closing = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** Whether a JSON text nests no deeper than {@link maxDepth}, whether or not it is valid. */
const isShallow = (text: string): boolean => {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = closing(text, i)
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return false
    } else if (code === 93 || code === 125) depth--
  }
  return true
}

const invalid = (message: string) => new ValidationFailed({ issues: [{ path: "body", message }] })

/** The media type of a body, without parameters; undefined where the request names none. */
export const mediaTypeOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  headers["content-type"]?.split(";")[0]?.trim().toLowerCase()

/** A mistake in the host's program. Waiting for a stream that has already ended would never return. */
const readBefore = new Error("The body was read before the market saw it: mount the market before any body parser")

/** Whether a body may follow the headers. A request to a fetch handler has no such headers. */
export const hasBody = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined ||
  Number(headers["content-length"] ?? 0) > 0 ||
  (source instanceof Request && source.body !== null)

const isReadBefore = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { bodyUsed, readableEnded } = request.source as {
    readonly bodyUsed?: boolean
    readonly readableEnded?: boolean
  }
  return bodyUsed === true || (readableEnded === true && hasBody(request))
}

/** Without a content type only an empty body is accepted: a page of another site can send any other body without a preflight request. */
const check =
  (contentType: string | undefined) =>
  (buffer: ArrayBuffer): Effect.Effect<void, UnsupportedMediaType | ValidationFailed> => {
    const bytes = new Uint8Array(buffer)
    if (contentType === undefined && bytes.length > 0) return Effect.fail(new UnsupportedMediaType({}))
    return isUtf8(bytes) ? Effect.void : Effect.fail(invalid("must be valid UTF-8"))
  }

const checkDepth = (text: string) =>
  isShallow(text) ? Effect.void : Effect.fail(invalid(`must not nest deeper than ${maxDepth}`))

const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<ArrayBuffer, ValidationFailed | PayloadTooLarge> => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
  if (isReadBefore(request)) return Effect.die(readBefore)
  const unread = (error: HttpServerError.HttpServerError) =>
    Effect.fail(
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? new PayloadTooLarge({ maxBytes })
        : invalid("ended early")
    )
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.catchTag("HttpServerError", unread)
  )
}

/** What a body must be once it has been read: its depth needs its text, which the request caches. */
const checkRead = (request: HttpServerRequest.HttpServerRequest, bytes: ArrayBuffer) => {
  const contentType = mediaTypeOf(request)
  return Effect.andThen(
    check(contentType)(bytes),
    contentType === "text/markdown" ? Effect.void : Effect.flatMap(Effect.orDie(request.text), checkDepth)
  )
}

const accepts = (request: HttpServerRequest.HttpServerRequest, bodyTypes: ReadonlyArray<string>): boolean => {
  const contentType = mediaTypeOf(request)
  return contentType === undefined || bodyTypes.includes(contentType)
}

const json = ["application/json"]

/**
 * Reads the body up to the allowed size, whatever its length header says, and refuses what is not JSON (ERROR-16, ERROR-17) in valid UTF-8 of bounded
 * depth. The request caches what was read, so that decoding reads nothing again.
 */
export const admitBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number,
  bodyTypes: ReadonlyArray<string> = json
): Effect.Effect<void, ValidationFailed | PayloadTooLarge | UnsupportedMediaType> =>
  accepts(request, bodyTypes)
    ? Effect.flatMap(readBody(request, maxBytes), (bytes) => checkRead(request, bytes))
    : Effect.fail(new UnsupportedMediaType({}))

/** Refuses a body that is not JSON where the endpoint ignores it (ERROR-17). An empty body is accepted with any type. */
export const admitUnusedBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<void, ValidationFailed | PayloadTooLarge | UnsupportedMediaType> =>
  Effect.flatMap(readBody(request, maxBytes), (bytes) => {
    if (bytes.byteLength === 0) return Effect.void
    if (!accepts(request, json)) return Effect.fail(new UnsupportedMediaType({}))
    return Effect.andThen(checkRead(request, bytes), Effect.asVoid(jsonBody(request)))
  })

const invalidJson = invalid("must be valid JSON")

/** The parsed body of an admitted request; an empty one is undefined. */
export const jsonBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, ValidationFailed> =>
  Effect.flatMap(Effect.orDie(request.text), (text) =>
    Effect.fromResult(
      Result.try({ try: (): unknown => (text === "" ? undefined : JSON.parse(text)), catch: () => invalidJson })
    )
  )
