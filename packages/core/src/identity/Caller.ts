import { Effect } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import type { Tier } from "./Account.ts"
import type { Scope } from "./ApiKey.ts"
import type { Freeze } from "./Freeze.ts"
import { AgentNotClaimed } from "../errors/MarketError.ts"

/** The caller of a request: its key, and the account that the key acts for. */
export interface Caller {
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
}

/** The account that a caller acts for; the key of an unclaimed agent acts for none. */
export const ownerOf = (caller: Caller): Effect.Effect<AccountId, AgentNotClaimed> =>
  caller.accountId === null ? Effect.fail(new AgentNotClaimed()) : Effect.succeed(caller.accountId)
