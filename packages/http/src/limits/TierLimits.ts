import type { EndpointLimit } from "@agent-marketplace/api/access/EndpointLimits"
import type { Tier } from "@agent-marketplace/core/identity/Account"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { Limit, Use } from "./RateLimits.ts"

const perMinute = (name: string): Limit => ({ name, limit: 60, windowSeconds: 60, soft: false })

/** The limit for requests without a valid key, for each client address (LIMIT-12). */
const anonymous = perMinute("anonymous")

/** The limit for well-formed unknown keys, for each client address: each of them costs a query. */
export const unknownKeys = perMinute("unknown-key")

/** The operations by which an owner keeps control (LIMIT-9). */
const control = perMinute("control")

/** Requests per hour; null is unlimited (LIMIT-5). */
const tiers: Readonly<Record<Tier, number | null>> = { free: 100, pro: 1000, enterprise: null }

/** All agents of an owner together have this multiple of the account's hourly limit (LIMIT-8). */
const agentsShare = 10

const hourly = (name: string, limit: number): Limit => ({ name, limit, windowSeconds: 3600, soft: false })

/** An account's own keys count together. An agent counts apart from them, so that it cannot lock its owner out (LIMIT-7). */
const subjectOf = ({ accountId, agentId, keyId }: Caller): string => agentId ?? accountId ?? keyId

/** The hourly limits that a request of the caller counts against; none if they are unlimited. */
export const hourOf = (caller: Caller): ReadonlyArray<Use> => {
  const limit = caller.hourlyLimit ?? tiers[caller.tier]
  if (limit === null) return []
  const own = { limit: hourly("tier", limit), subject: subjectOf(caller) }
  return caller.agentId === null || caller.accountId === null
    ? [own]
    : [own, { limit: hourly("agents", limit * agentsShare), subject: caller.accountId }]
}

export interface Metered {
  readonly limit: EndpointLimit | undefined
  /** Not counted against the limit for requests without a valid key. */
  readonly unmetered: boolean
  /** Not counted against the tier's hourly limit. */
  readonly control: boolean
}

/** The limits that a request counts against: with a valid key only those of the key, otherwise those of its address (LIMIT-11). */
export const usesOf = (endpoint: Metered, caller: Caller | null, address: () => string): ReadonlyArray<Use> => {
  const own = endpoint.limit
  if (own?.per === "caller") return [{ limit: own, subject: caller?.keyId ?? address() }]
  if (own?.per === "address" || caller === null) {
    const limits = [...(own?.per === "address" ? [own] : []), ...(endpoint.unmetered ? [] : [anonymous])]
    return limits.map((limit) => ({ limit, subject: address() }))
  }
  if (own !== undefined) return [{ limit: own, subject: caller.keyId }]
  return endpoint.control ? [{ limit: control, subject: subjectOf(caller) }] : hourOf(caller)
}
