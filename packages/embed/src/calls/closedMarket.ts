import { toWire } from "@agent-marketplace/api/errors/WireError"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { randomUUID } from "node:crypto"

/** The response of a closed market to every request: 503 in the general envelope. */
export const closedResponse = () => {
  const requestId = randomUUID()
  const { body, status } = toWire(new StoreUnavailable({}), requestId)
  const error = { ...body.error, message: "The market is closed" }
  return {
    status,
    headers: { "content-type": "application/json", "x-request-id": requestId },
    body: JSON.stringify({ ...body, error })
  }
}

/** The error with which calls of a closed market reject, the same as its 503. */
export const closedError = (): MarketplaceError =>
  new MarketplaceError({ message: "The market is closed", code: "SERVICE_UNAVAILABLE", statusCode: 503 })
