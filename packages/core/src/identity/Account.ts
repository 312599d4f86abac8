import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Freeze } from "./Freeze.ts"
import type { Quotas } from "./Quotas.ts"

export type Tier = "free" | "pro" | "enterprise"

/** A person or company: owns wallets, agents, keys, items. */
export interface Account {
  readonly id: AccountId
  readonly name: string
  /** For contact: need not be unique, and no other account sees it (ACCOUNT-5). */
  readonly email: string | null
  /** May create listings (ACCOUNT-4). */
  readonly seller: boolean
  readonly tier: Tier
  /** Requests per hour where the operator set a number; null follows the tier (OPERATOR-5). */
  readonly hourlyLimit: number | null
  /** The quotas that the operator set; what is missing follows the tier (OPERATOR-23). */
  readonly quotas: Quotas
  readonly createdAt: Timestamp
  /** Null unless it is frozen. */
  readonly frozen: Freeze | null
}
