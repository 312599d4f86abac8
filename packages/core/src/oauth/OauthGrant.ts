import type { Timestamp } from "../clock/Timestamp.ts"
import type { ApiKey } from "../identity/ApiKey.ts"
import type { AccountId, AgentId, GrantId, KeyId } from "../ids/Ids.ts"
import type { OauthScope } from "./OauthScope.ts"

/**
 * The access that an owner has granted to an application (OAUTH-14): an agent with a policy and a key without a token. Tokens act as that key: the
 * grant ends when the agent, the key or the account ends, and is frozen when the agent or the account is frozen.
 */
export interface OauthGrant {
  readonly id: GrantId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly keyId: KeyId
  readonly clientId: string
  readonly clientName: string
  /** Whether the client acts for itself, with its secret alone. */
  readonly forClient: boolean
  readonly scopes: ReadonlyArray<OauthScope>
  readonly createdAt: Timestamp
}

/** A grant that has not ended. */
export interface LiveGrant extends OauthGrant {
  readonly lastUsedAt: Timestamp | null
}

const grantHashPrefix = "oauth:"

/** The hash of a grant's key, which no token can have. */
export const grantKeyHash = (id: GrantId): string => grantHashPrefix + id

/** Whether a key represents a grant. It has no token, and ends with its grant. */
export const isGrantKey = ({ hash }: Pick<ApiKey, "hash">): boolean => hash.startsWith(grantHashPrefix)
