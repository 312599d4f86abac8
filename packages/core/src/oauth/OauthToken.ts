import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { GrantId } from "../ids/Ids.ts"
import type { OauthScope } from "./OauthScope.ts"

/** An access or refresh token of a grant. Only the SHA-256 of its text is stored (lowercase hex). */
export interface OauthToken {
  readonly hash: string
  readonly kind: "access" | "refresh"
  readonly grantId: GrantId
  readonly scopes: ReadonlyArray<OauthScope>
  /** The resource that accepts an access token: a URL. */
  readonly resource: string
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp
  /** When a refresh token was exchanged for the next one; it works once. */
  readonly usedAt: Timestamp | null
}

/** How long an access token works (OAUTH-7). */
export const accessTokenLifetime = Time.hour

/** How long a refresh token works unless it is used, which replaces it. */
export const refreshTokenLifetime = 90 * Time.day
