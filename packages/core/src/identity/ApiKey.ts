import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"

export type Scope = "READ" | "BUYER" | "SELLER" | "FULL"

/** A stored key. Only the SHA-256 of its token (lowercase hex) is stored, never the token (KEY-4). */
export interface ApiKey {
  readonly id: KeyId
  /** The owner; null while the key's agent is unclaimed. */
  readonly accountId: AccountId | null
  readonly agentId: AgentId | null
  readonly name: string
  readonly scope: Scope
  /** The first characters of the token, which identify the key to people. */
  readonly prefix: string
  readonly hash: string
  readonly status: "active" | "deactivated"
  /** A rotation sets it to the end of the grace period, if that is earlier (KEY-7). */
  readonly expiresAt: Timestamp | null
  /** The key that this one replaced; null if it was created directly (KEY-9). */
  readonly rotatedFrom: KeyId | null
  /** The first key in the chain of rotations; the key's own id if it was never rotated. */
  readonly familyId: KeyId
  /** The `expiresAt` of the first key of the family; no key of the family expires later (KEY-8). */
  readonly familyEndsAt: Timestamp | null
  readonly lastUsedAt: Timestamp | null
  readonly createdAt: Timestamp
}

/** The age at which a key should be rotated (KEY-11). */
export const rotationPeriod = 90 * Time.day

export const rotationDueAt = ({ createdAt }: Pick<ApiKey, "createdAt">): Timestamp => createdAt + rotationPeriod
