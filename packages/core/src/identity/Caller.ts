import { Effect } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, KeyId, SessionId } from "../ids/Ids.ts"
import type { Tier } from "./Account.ts"
import type { Scope } from "./ApiKey.ts"
import type { Freeze } from "./Freeze.ts"
import type { OauthScope } from "../oauth/OauthScope.ts"
import { AgentNotClaimed } from "../errors/MarketError.ts"

/** The session of a person in a browser, where one makes the request instead of a key. */
export interface CallerSession {
  readonly id: SessionId
  /** Until when the person counts as confirmed by a passkey. */
  readonly elevatedUntil: Timestamp | null
  /** Whether the account has a passkey, so that some operations need a confirmation (SESSION-17). */
  readonly hasPasskey: boolean
}

/** The access token of an application, where one makes the request instead of a key. */
export interface CallerToken {
  readonly scopes: ReadonlyArray<OauthScope>
  /** The URL of the resource that accepts it. */
  readonly resource: string
}

/** The caller of a request: its key, and the account that the key acts for. */
export interface Caller {
  /** The id of the key or, for a session, that of the session. */
  readonly keyId: KeyId
  readonly scope: Scope
  readonly agentId: AgentId | null
  /** The owner; null for the key of an unclaimed agent. */
  readonly accountId: AccountId | null
  readonly accountName: string | null
  readonly seller: boolean
  readonly tier: Tier
  readonly hourlyLimit: number | null
  readonly expiresAt: Timestamp | null
  /** Null unless the account is frozen. */
  readonly frozen: Freeze | null
  /** Null unless the key belongs to an agent that is frozen. */
  readonly agentFrozen: Freeze | null
  readonly session?: CallerSession
  /** Whether a host has identified a person who acts for themselves. */
  readonly isHostUser?: true
  readonly token?: CallerToken
}

/** The account that a caller acts for; the key of an unclaimed agent acts for none. */
export const ownerOf = (caller: Caller): Effect.Effect<AccountId, AgentNotClaimed> =>
  caller.accountId === null ? Effect.fail(new AgentNotClaimed()) : Effect.succeed(caller.accountId)
