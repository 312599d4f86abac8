import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Freeze } from "./Freeze.ts"

/** A program that acts with a key of its own; once claimed it acts for its owner (AGENT-1, AGENT-13). */
export interface Agent {
  readonly id: AgentId
  readonly name: string
  readonly ownerId: AccountId | null
  readonly createdAt: Timestamp
  /** Null unless it is frozen. */
  readonly frozen: Freeze | null
}
