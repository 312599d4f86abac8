import type { Timestamp } from "../clock/Timestamp.ts"
import type { Usdt } from "../money/Usdt.ts"

/** What spending is grouped by (BUDGET-4). */
export const spendingGroups = ["agent", "category", "seller", "day"] as const

export type SpendingGroup = (typeof spendingGroups)[number]

/** The group of what was bought with the owner's own keys. */
export const ownKeys = { key: "owner", name: "Own keys" } as const

/** From `from` on and before `to`; null is no bound. */
export interface SpendingFilter {
  readonly by: SpendingGroup
  readonly from: Timestamp | null
  readonly to: Timestamp | null
}

/** What was spent on one agent, category, seller or UTC day: completed purchases and renewals that were not refunded. */
export interface Spent {
  /** An agent's or account's id, a category's slug, or a date. */
  readonly key: string
  readonly name: string
  readonly amount: Usdt
  readonly count: number
}
