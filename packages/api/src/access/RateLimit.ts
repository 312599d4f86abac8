import { Context } from "effect"

/** A limit of an endpoint's own. It counts the request alone: the hour of the tier does not (LIMIT-6). */
export interface EndpointLimit {
  /** Counters of different names never mix. */
  readonly name: "soul-list" | "soul-get" | "soul-create" | "activity" | "mcp" | "sign-up"
  readonly limit: number
  readonly windowSeconds: number
  /** Whether each key or each client address has a bucket of its own. */
  readonly per: "key" | "address"
  /** Past a soft limit the answer stays 200, from the last snapshot. */
  readonly soft: boolean
  /** A request that fails is not counted. */
  readonly onlySuccess?: true
}

/** The annotation of endpoints that have one: `Context.get(endpoint.annotations, RateLimit)`. */
export const RateLimit = Context.Reference<EndpointLimit | undefined>("@agent-marketplace/api/access/RateLimit", {
  defaultValue: () => undefined
})

/** Set on what is apart from the bucket that requests without a valid key share: feed, health, documents, QR images. */
export const Unmetered = Context.Reference<boolean>("@agent-marketplace/api/access/Unmetered", {
  defaultValue: () => false
})

/**
 * Set on an endpoint or its group where an owner keeps control with it: outside of the tier's hour, in a bucket of its own, so that no
 * traffic of the account can lock its owner out (LIMIT-9).
 */
export const ControlOperation = Context.Reference<boolean>("@agent-marketplace/api/access/ControlOperation", {
  defaultValue: () => false
})

const perKey = (name: EndpointLimit["name"], limit: number): EndpointLimit => ({
  name,
  limit,
  windowSeconds: 60,
  per: "key",
  soft: false
})

export const limits = {
  soulList: perKey("soul-list", 100),
  soulGet: perKey("soul-get", 200),
  soulCreate: perKey("soul-create", 10),
  mcp: perKey("mcp", 300),
  activity: { name: "activity", limit: 60, windowSeconds: 60, per: "address", soft: true },
  /** Accounts that open sign-up makes (LIMIT-13). */
  signUp: { name: "sign-up", limit: 10, windowSeconds: 3600, per: "address", soft: false, onlySuccess: true }
} as const satisfies Record<string, EndpointLimit>
