import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"

const isAway = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "StoreUnavailable"

/** Why a market did not start, without the storage's address and password. */
export const startFailure = (cause: unknown): MarketplaceError =>
  new MarketplaceError({
    message: isAway(cause)
      ? "createMarketplace: the storage cannot be reached, or does not let us in: look at its url"
      : "createMarketplace: the market did not start",
    code: "INTERNAL_ERROR",
    statusCode: 503,
    cause
  })
