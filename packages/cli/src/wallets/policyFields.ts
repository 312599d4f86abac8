import type { Policy } from "@agent-marketplace/client/wire/Endpoints"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"
import { usdt } from "../terminal/usdt.ts"

const limit = (amount: number | null): string => (amount === null ? "none" : usdt(amount))

const approval = ({ autoApprove, autoApproveThreshold }: Policy): string => {
  if (!autoApprove) return "never: every paid purchase waits"
  return autoApproveThreshold === null ? "always" : `up to ${usdt(autoApproveThreshold)}`
}

/** A policy, a line each. */
export const policyFields = (page: Page, policy: Policy): string =>
  fields(page, [
    ["without asking", approval(policy)],
    ["one purchase", limit(policy.perTransactionLimit)],
    ["24 hours", limit(policy.dailyLimit)],
    ["7 days", limit(policy.weeklyLimit)],
    ["30 days", limit(policy.monthlyLimit)],
    ["categories", policy.allowedCategories?.join(", ") ?? "any"],
    ["blocked sellers", policy.blockedSellers?.join(", ") ?? "none"]
  ])
