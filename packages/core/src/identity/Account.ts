import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Freeze } from "./Freeze.ts"
import type { Quotas } from "./Quotas.ts"
import type { ActionState } from "../admin/OperatorAction.ts"

export type Tier = "free" | "pro" | "enterprise"

/** A person or company that owns wallets, agents, keys and items. */
export interface Account {
  readonly id: AccountId
  readonly name: string
  /** For contact only: need not be unique, and other accounts never see it (ACCOUNT-5). */
  readonly email: string | null
  /** Whether the account may create listings (ACCOUNT-4). */
  readonly seller: boolean
  readonly tier: Tier
  /** Requests per hour if the operator set a number; null: the tier's limit applies (OPERATOR-5). */
  readonly hourlyLimit: number | null
  /** The quotas that the operator set; for the others the tier's quotas apply (OPERATOR-23). */
  readonly quotas: Quotas
  /** Whether the account's sessions may do what the operator's token does (SESSION-16). */
  readonly operator: boolean
  readonly createdAt: Timestamp
  /** Null unless it is frozen. */
  readonly frozen: Freeze | null
}

/** What an operator may set on an account, as the log of actions shows it. Name and e-mail address stay out of the log. */
export const settingsOf = ({ hourlyLimit, operator, quotas, seller, tier }: Account): NonNullable<ActionState> => ({
  tier,
  seller,
  hourlyLimit,
  quotas,
  operator
})

/** What counts as an e-mail address, whichever way an account is made. Only a message to it would prove more. */
export const EmailAddress = {
  maxLength: 254,
  is: (text: string): boolean => text.length <= EmailAddress.maxLength && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  rule: "must be an e-mail address"
} as const
