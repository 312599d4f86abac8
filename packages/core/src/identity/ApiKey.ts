import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"

export type Scope = "READ" | "BUYER" | "SELLER" | "FULL"

/** A key as it is stored: only the SHA-256 of its token (lowercase hex), never the token (KEY-4). */
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
  /** The key that this one replaced; null where it was made by itself (KEY-9). */
  readonly rotatedFrom: KeyId | null
  /** The first key of the chain of rotations that this one belongs to; its own id where nothing was rotated. */
  readonly familyId: KeyId
  /** The `expiresAt` that the first key of the family was made with: none of the family lives longer (KEY-8). */
  readonly familyEndsAt: Timestamp | null
  readonly lastUsedAt: Timestamp | null
  readonly createdAt: Timestamp
}

/** How long a key may be used before it should be rotated (KEY-11). */
export const rotationPeriod = 90 * Time.day

export const rotationDueAt = ({ createdAt }: Pick<ApiKey, "createdAt">): Timestamp => createdAt + rotationPeriod
