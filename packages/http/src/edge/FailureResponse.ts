import type { FailureSurface } from "@agent-marketplace/api/access/Surface"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { toSoulError } from "@agent-marketplace/api/errors/SoulError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import type { MarketError } from "@agent-marketplace/core/errors/MarketError"
import { HttpServerResponse } from "effect/http"

/** What the feed says when nothing can be said (specification 4.3). */
const emptyFeed = JSON.stringify({
  activities: [],
  stats: { activeAgents: 0, tradesLast24h: 0, revenueLast24h: "0" }
})

const headersOf = (error: MarketError | HttpFault): Record<string, string> | undefined => {
  switch (error._tag) {
    case "InvalidApiKey":
      return { "www-authenticate": "Bearer" }
    case "MethodNotAllowed":
      return { allow: error.allow.join(", ") }
    case "StoreUnavailable":
      return { "retry-after": "1" }
    default:
      return undefined
  }
}

/** A store that cannot be reached is said to come back: 503, in the envelope of INTERNAL_ERROR. */
const generalStatus = (error: MarketError | HttpFault, status: number): number =>
  error._tag === "StoreUnavailable" ? 503 : status

/** A failure as the surface speaks it (contract 1). */
export const failureResponse = (
  error: MarketError | HttpFault,
  surface: FailureSurface,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const headers = headersOf(error)
  if (surface === "never") return HttpServerResponse.text(emptyFeed, { contentType: "application/json" })
  if (surface === "general") {
    const { body, status } = toWire(error, requestId)
    return HttpServerResponse.jsonUnsafe(body, { status: generalStatus(error, status), headers })
  }
  const { body, status } = toSoulError(error, surface)
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}
