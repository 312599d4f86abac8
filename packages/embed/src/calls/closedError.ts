import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"

/** What a market that is closed rejects with, as its 503 says it too. */
export const closedError = (): MarketplaceError =>
  new MarketplaceError({ message: "The market is closed", code: "SERVICE_UNAVAILABLE", statusCode: 503 })
