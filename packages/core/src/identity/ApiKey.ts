import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"

export type Scope = "READ" | "BUYER" | "SELLER" | "FULL"

/** A key as it is stored: only the SHA-256 of its token (lowercase hex), never the token. */
export interface ApiKey {
  readonly id: KeyId
  /** The owner; null while the key's agent is unclaimed. */
  readonly accountId: AccountId | null
  readonly agentId: AgentId | null
  readonly name: string
  readonly scope: Scope
  /** The first characters of the token, for people to tell keys apart. */
  readonly prefix: string
  readonly hash: string
  readonly status: "active" | "deactivated"
  /** A rotation brings it forward to the end of the grace (KEY-7). */
  readonly expiresAt: Timestamp | null
  /** Milliseconds that it was made to live for, which its successors are too; null: for ever. */
  readonly lifetime: number | null
  readonly lastUsedAt: Timestamp | null
  readonly createdAt: Timestamp
}
