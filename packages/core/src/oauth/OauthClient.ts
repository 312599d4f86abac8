import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { OauthScope } from "./OauthScope.ts"
import { oauthScopes } from "./OauthScope.ts"

/** The grant type of devices (RFC 8628). */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** The supported grant types of OAuth. */
export const grantTypes = ["authorization_code", "refresh_token", "client_credentials", deviceGrant] as const

export type GrantType = (typeof grantTypes)[number]

/** The supported methods by which a client authenticates at the token endpoint. */
export const clientAuthMethods = ["none", "client_secret_basic", "client_secret_post"] as const

export type ClientAuthMethod = (typeof clientAuthMethods)[number]

/** An application that requests access to accounts (OAUTH-4). */
export interface OauthClient {
  /** `oac_…`, the URL of the client's metadata document, or the id of the market's own command line. */
  readonly id: string
  /** The account that registered it; null if none did. */
  readonly ownerId: AccountId | null
  /** The name that the client gives itself. It is not verified. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  readonly grantTypes: ReadonlyArray<GrantType>
  readonly authMethod: ClientAuthMethod
  /** The SHA-256 of the client's secret (lowercase hex); null for a client that cannot keep one. */
  readonly secretHash: string | null
  readonly scopes: ReadonlyArray<OauthScope>
  readonly createdAt: Timestamp
}

/** The command line. It is a public program, so it cannot keep a secret; it connects as a device (OAUTH-13). */
export const commandLineClient: OauthClient = {
  id: "agent-marketplace-cli",
  ownerId: null,
  name: "Agent Marketplace CLI",
  redirectUris: [],
  grantTypes: [deviceGrant, "refresh_token"],
  authMethod: "none",
  secretHash: null,
  scopes: oauthScopes,
  createdAt: 0
}

/** Whether an id is the URL of a metadata document. */
export const isDocumentUrl = (id: string): boolean => /^https?:\/\//.test(id)
