import type { ErrorFormatName } from "@agent-marketplace/api/access/Operation"
import { toSoulError } from "@agent-marketplace/api/errors/SoulError"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { HttpServerResponse } from "effect/http"

/** The body of the feed when nothing can be read (FEED-18). */
const emptyFeed = JSON.stringify({
  activities: [],
  stats: { activeAgents: 0, tradesLast24h: 0, revenueLast24h: "0" }
})

const headersOf = (error: Failure, challenge: string | undefined): Record<string, string> | undefined => {
  switch (error._tag) {
    case "InvalidApiKey":
      return { "www-authenticate": challenge ?? "Bearer" }
    case "Forbidden":
      return challenge === undefined ? undefined : { "www-authenticate": challenge }
    case "MethodNotAllowed":
      return { allow: error.allow.join(", ") }
    case "StoreUnavailable":
    case "ChainUnavailable":
    case "ServiceOverloaded":
      return { "retry-after": "1" }
    case "Overloaded":
      return { "retry-after": "10" }
    default:
      return undefined
  }
}

/** A failure in the error format of its endpoint (ERROR-1, WIRE-3, WIRE-4). */
export const failureResponse = (
  error: Failure,
  errorFormat: ErrorFormatName,
  requestId: string,
  /** How the client could get access. */
  challenge?: string
): HttpServerResponse.HttpServerResponse => {
  const headers = headersOf(error, challenge)
  if (errorFormat === "never") return HttpServerResponse.text(emptyFeed, { contentType: "application/json" })
  if (errorFormat === "general") {
    const { body, status } = toWire(error, requestId)
    return HttpServerResponse.jsonUnsafe(body, { status, headers })
  }
  const { body, status } = toSoulError(error, errorFormat)
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}
