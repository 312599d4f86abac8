import { Context } from "effect"

/** A limit of one endpoint. Its requests do not count against the tier's hourly limit (LIMIT-6). */
export interface EndpointLimit {
  /** Counters of different names never mix. */
  readonly name:
    | "soul-list"
    | "soul-get"
    | "soul-create"
    | "activity"
    | "approval-page"
    | "unsubscribe"
    | "mcp"
    | "graphql"
    | "sign-up"
    | "license"
    | "oauth"
    | "oauth-token"
    | "oauth-metadata"
    | "oauth-register"
    | "skill-files"
    | "images"
    | "shop"
  readonly limit: number
  readonly windowSeconds: number
  /** Whether requests are counted for each key or for each client address. "caller": for each valid key, and for each address without one. */
  readonly per: "key" | "address" | "caller"
  /** Requests that exceed a soft limit still get 200, with the last snapshot. */
  readonly soft: boolean
  /** A request that fails is not counted. */
  readonly onlySuccess?: true
}

/** The annotation of endpoints with a limit of their own: `Context.get(endpoint.annotations, RateLimit)`. */
export const RateLimit = Context.Reference<EndpointLimit | undefined>("@agent-marketplace/api/access/RateLimit", {
  defaultValue: () => undefined
})

/** Set on endpoints that do not count against the limit for requests without a valid key: feed, health, documents, QR images. */
export const Unmetered = Context.Reference<boolean>("@agent-marketplace/api/access/Unmetered", {
  defaultValue: () => false
})

/**
 * Set on endpoints or groups with which an owner keeps control. They have their own limit apart from the tier's hour, so that no
 * traffic of the account can lock out its owner (LIMIT-9).
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

const perAddress = (name: EndpointLimit["name"], limit: number, windowSeconds: number): EndpointLimit => ({
  name,
  limit,
  windowSeconds,
  per: "address",
  soft: false
})

export const limits = {
  soulList: perKey("soul-list", 100),
  soulGet: perKey("soul-get", 200),
  soulCreate: perKey("soul-create", 10),
  mcp: perKey("mcp", 300),
  /** Requests of any caller; each of their fields also counts as a request of its operation (GRAPHQL-6). */
  graphql: { name: "graphql", limit: 600, windowSeconds: 60, per: "caller", soft: false },
  /** Requests for access, and pages where people decide (OAUTH-21). */
  oauthAuthorize: perAddress("oauth", 60, 60),
  /** The page of an approval (APPROVAL-9). */
  approvalPage: perAddress("approval-page", 60, 60),
  /** The page that ends the messages of a channel (NOTIFY-11). */
  unsubscribe: perAddress("unsubscribe", 60, 60),
  /** Exchanges of codes and tokens: a server may make them for many people. */
  oauthToken: perAddress("oauth-token", 300, 60),
  /** Activations, whose secret is the license key (ACTIVATION-5). */
  license: perAddress("license", 60, 60),
  oauthMetadata: perAddress("oauth-metadata", 300, 60),
  /** The index of free skills and their files: an installer may read every file of the index (INSTALLER-7). */
  skillFiles: perAddress("skill-files", 1200, 60),
  /** Pictures of items: a page of the shop window shows up to 32 (IMAGE-10). */
  images: perAddress("images", 3000, 60),
  /** Pages of the shop window and their data (SHOP-6). */
  shop: perAddress("shop", 300, 60),
  oauthRegister: { ...perAddress("oauth-register", 10, 3600), onlySuccess: true },
  activity: { name: "activity", limit: 60, windowSeconds: 60, per: "address", soft: true },
  /** Accounts created by open sign-up (LIMIT-13). */
  signUp: { name: "sign-up", limit: 10, windowSeconds: 3600, per: "address", soft: false, onlySuccess: true }
} as const satisfies Record<string, EndpointLimit>
