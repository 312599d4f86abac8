import { isUtf8 } from "node:buffer"
import { PayloadTooLarge, UnsupportedMediaType } from "@agent-marketplace/api/errors/HttpFault"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import { isShallow, maxDepth } from "./JsonDepth.ts"

const invalid = (message: string) => new ValidationFailed({ issues: [{ path: "body", message }] })

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^\s*application\/json\s*(?:;|$)/i.test(contentType)

/** What whoever holds the server has to be told: to wait for a stream that has ended already would be to wait for ever. */
const readBefore = new Error("The body was read before the market saw it: mount the market before any body parser")

const isReadBefore = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { bodyUsed, readableEnded } = source as { readonly bodyUsed?: boolean; readonly readableEnded?: boolean }
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  return bodyUsed === true || (readableEnded === true && hasBody)
}

const check = (buffer: ArrayBuffer) => {
  const bytes = new Uint8Array(buffer)
  return isUtf8(bytes) ? Effect.void : Effect.fail(invalid("must be valid UTF-8"))
}

const checkDepth = (text: string) =>
  isShallow(text) ? Effect.void : Effect.fail(invalid(`must not nest deeper than ${maxDepth}`))

/**
 * Reads the body as far as its size is allowed, whatever its length header says, and refuses what is not JSON (ERROR-16, ERROR-17) in valid UTF-8
 * of bounded depth. The request keeps what was read, so that decoding reads nothing again.
 */
export const admitBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<void, ValidationFailed | PayloadTooLarge | UnsupportedMediaType> => {
  if (!isJson(request.headers["content-type"])) return Effect.fail(new UnsupportedMediaType())
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
  if (isReadBefore(request)) return Effect.die(readBefore)
  const unread = (error: HttpServerError.HttpServerError) =>
    Effect.fail(
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? new PayloadTooLarge({ maxBytes })
        : invalid("could not be read to its end")
    )
  return Effect.flatMap(request.arrayBuffer, check).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.andThen(Effect.flatMap(request.text, checkDepth)),
    Effect.catchTag("HttpServerError", unread)
  )
}
