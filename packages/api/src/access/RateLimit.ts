import { Context } from "effect"

/** A limit of an endpoint's own, beside the tier's (LIMIT-6). */
export interface EndpointLimit {
  /** Counters of different names never mix. */
  readonly name: "soul-list" | "soul-get" | "soul-create" | "activity" | "mcp"
  readonly limit: number
  readonly windowSeconds: number
  /** Whether each key or each client address has a bucket of its own. */
  readonly per: "key" | "address"
  /** Past a soft limit the answer stays 200, from the last snapshot. */
  readonly soft: boolean
  /** The tier's limit does not count the request: it counts the operations that the request calls. */
  readonly beforeTier?: true
}

/** The annotation of endpoints that have one: `Context.get(endpoint.annotations, RateLimit)`. */
export const RateLimit = Context.Reference<EndpointLimit | undefined>("@agent-marketplace/api/access/RateLimit", {
  defaultValue: () => undefined
})

/** Set on what is apart from the bucket that requests without a valid key share: feed, health, documents, QR images. */
export const Unmetered = Context.Reference<boolean>("@agent-marketplace/api/access/Unmetered", {
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
  mcp: { ...perKey("mcp", 300), beforeTier: true },
  activity: { name: "activity", limit: 60, windowSeconds: 60, per: "address", soft: true }
} as const satisfies Record<string, EndpointLimit>
