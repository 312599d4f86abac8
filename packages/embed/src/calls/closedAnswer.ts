import { toWire } from "@agent-marketplace/api/errors/WireError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { randomUUID } from "node:crypto"

/** What a market that is closed answers to every request: 503 in the general envelope. */
export const closedAnswer = () => {
  const requestId = randomUUID()
  const { body, status } = toWire(new StoreUnavailable({}), requestId)
  const error = { ...body.error, message: "The market is closed" }
  return {
    status,
    headers: { "content-type": "application/json", "x-request-id": requestId },
    body: JSON.stringify({ ...body, error })
  }
}
