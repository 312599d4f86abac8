import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Freeze } from "./Freeze.ts"

/** How an agent was created: over the API, or by consent to an application (OAUTH-14). */
export type AgentSource = "api" | "oauth"

/** A program with its own keys. Once claimed it acts for its owner (AGENT-1, AGENT-13). */
export interface Agent {
  readonly id: AgentId
  readonly name: string
  readonly ownerId: AccountId | null
  readonly source: AgentSource
  readonly createdAt: Timestamp
  /** Null unless it is frozen (AGENT-11). */
  readonly frozen: Freeze | null
  /** When the agent was retired: its keys ended permanently, its records remain (AGENT-7). */
  readonly retiredAt: Timestamp | null
}
