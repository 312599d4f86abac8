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
