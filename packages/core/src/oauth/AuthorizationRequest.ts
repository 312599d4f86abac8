import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { GrantId, OauthRequestId } from "../ids/Ids.ts"
import type { OauthScope } from "./OauthScope.ts"

/** An application's request for access, which waits for a person's decision (OAUTH-9). */
export interface AuthorizationRequest {
  readonly id: OauthRequestId
  readonly clientId: string
  readonly clientName: string
  /** Null for a device. */
  readonly redirectUri: string | null
  readonly state: string | null
  readonly codeChallenge: string | null
  /** The requested ones; once it is approved, the granted ones. */
  readonly scopes: ReadonlyArray<OauthScope>
  readonly resource: string
  /** Whether the tokens can be refreshed. */
  readonly refreshable: boolean
  /** Null where the person comes from the application's page. */
  readonly userCodeHash: string | null
  /** The hash of the device code or, once the request is approved, of the authorization code. */
  readonly codeHash: string | null
  readonly codeExpiresAt: Timestamp | null
  readonly decision: "pending" | "approved" | "denied"
  readonly grantId: GrantId | null
  /** When the code was exchanged for tokens; it works once. */
  readonly redeemedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp
}

/** How long a request waits for a decision, and a device for its tokens. */
export const requestLifetime = Time.hour

/** How long an authorization code can be exchanged. */
export const codeLifetime = 10 * Time.minute

/** The minimum time between two requests of a device for its tokens (RFC 8628, 3.5). */
export const pollInterval = 5 * Time.second
