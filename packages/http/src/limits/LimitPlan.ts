import type { EndpointLimit } from "@agent-marketplace/api/access/RateLimit"
import type { Tier } from "@agent-marketplace/core/identity/Account"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { Limit, Use } from "./RateLimits.ts"

/** What requests without a valid key share, for each client address (LIMIT-12). */
const anonymous: Limit = { name: "anonymous", limit: 60, windowSeconds: 60, soft: false }

/** Requests per hour; null is unlimited (LIMIT-5). */
const tiers: Readonly<Record<Tier, number | null>> = { free: 100, pro: 1000, enterprise: null }

/** All requests of an account count together; an agent that nobody claimed counts for itself. */
const ofAccount = (caller: Caller): ReadonlyArray<Use> => {
  const limit = caller.hourlyLimit ?? tiers[caller.tier]
  return limit === null
    ? []
    : [
        {
          limit: { name: "tier", limit, windowSeconds: 3600, soft: false },
          subject: caller.accountId ?? caller.agentId ?? caller.keyId
        }
      ]
}

export interface Metered {
  readonly limit: EndpointLimit | undefined
  /** Apart from the bucket that requests without a valid key share. */
  readonly unmetered: boolean
}

/** What a request counts against: a valid key its own limits and never anybody else's, all else its address (LIMIT-11). */
export const usesOf = (endpoint: Metered, caller: Caller | null, address: () => string): ReadonlyArray<Use> => {
  const own = endpoint.limit
  if (own?.per === "address") return [{ limit: own, subject: address() }]
  if (caller !== null) {
    const tier = own?.beforeTier === true ? [] : ofAccount(caller)
    return own === undefined ? tier : [{ limit: own, subject: caller.keyId }, ...tier]
  }
  return endpoint.unmetered ? [] : [{ limit: anonymous, subject: address() }]
}
