import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { randomUUID } from "node:crypto"

/** A failure of the core as the error of the HTTP API. */
export const failureOf = (error: Failure): MarketplaceError => {
  const requestId = randomUUID()
  const { body, status } = toWire(error, requestId)
  return new MarketplaceError({ ...body.error, statusCode: status, response: body, requestId, cause: error })
}

const isAway = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "StoreUnavailable"

/** Why a market did not start, without the storage's address and password. */
export const startFailure = (cause: unknown): MarketplaceError =>
  new MarketplaceError({
    message: isAway(cause)
      ? "createMarketplace: the storage cannot be reached or refuses the login: check its url"
      : "createMarketplace: the market did not start",
    code: "INTERNAL_ERROR",
    statusCode: 503,
    cause
  })
