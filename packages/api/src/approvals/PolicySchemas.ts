import { listUpTo } from "@agent-marketplace/core/fields/InputRules"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { clearable, flag, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const described = {
  autoApprove: "False: every paid purchase waits for the owner.",
  autoApproveThreshold: "A price above it waits for the owner; null: none does.",
  perTransactionLimit: "The most that one purchase may cost; null: no limit.",
  dailyLimit: "The most in any 24 hours; null: no limit.",
  weeklyLimit: "The most in any 7 days; null: no limit.",
  monthlyLimit: "The most in any 30 days; null: no limit.",
  allowedCategories: "The only categories that may be bought; null: all.",
  blockedSellers: "Accounts that nothing is bought from; null: none."
} as const

const sellers = ["usr_01j9zq5k2f8h3m6n7p0r4s"]

/** A spending policy in a response (POLICY-1). */
export const Policy = Schema.Struct({
  autoApprove: ResponseField.flag(described.autoApprove, true),
  autoApproveThreshold: ResponseField.numberOrNull(described.autoApproveThreshold, 10),
  perTransactionLimit: ResponseField.numberOrNull(described.perTransactionLimit, 50),
  dailyLimit: ResponseField.numberOrNull(described.dailyLimit, 100),
  weeklyLimit: ResponseField.numberOrNull(described.weeklyLimit, 300),
  monthlyLimit: ResponseField.numberOrNull(described.monthlyLimit, null),
  allowedCategories: field(Schema.NullOr(Schema.Array(Schema.String)), described.allowedCategories, ["data"]),
  blockedSellers: field(Schema.NullOr(Schema.Array(Schema.String)), described.blockedSellers, sellers)
}).annotate({ identifier: "Policy", description: "What may be spent without asking the owner; amounts in USDT." })

const amount = clearable(UsdtInput)
const names = clearable(listUpTo(boundedText({ min: 1, max: 100 }), 100))

const rising = ["perTransactionLimit", "dailyLimit", "weeklyLimit", "monthlyLimit"] as const

type Limits = { readonly [K in (typeof rising)[number]]?: Usdt | null }

/** Each limit is at least the one before it that is set (POLICY-5). */
export const limitViolations = (policy: Limits): ReadonlyArray<Issue> => {
  const set = rising.flatMap((name) => {
    const limit = policy[name]
    return limit === undefined || limit === null ? [] : [{ name, limit }]
  })
  return set.flatMap(({ limit, name }, index) => {
    const before = set[index - 1]
    return before === undefined || before.limit <= limit
      ? []
      : [{ path: name, message: `must be at least ${before.name}` }]
  })
}

/** A spending policy in a request (POLICY-1); what it leaves out takes its default (POLICY-2). */
export const PolicyInput = Schema.Struct({
  autoApprove: field(optional(flag), `${described.autoApprove} True where absent.`, true),
  autoApproveThreshold: field(amount, described.autoApproveThreshold, 10),
  perTransactionLimit: field(amount, described.perTransactionLimit, 50),
  dailyLimit: field(amount, `${described.dailyLimit} At least perTransactionLimit.`, 100),
  weeklyLimit: field(amount, `${described.weeklyLimit} At least dailyLimit.`, 300),
  monthlyLimit: field(amount, `${described.monthlyLimit} At least weeklyLimit.`, null),
  allowedCategories: field(names, described.allowedCategories, ["data"]),
  blockedSellers: field(names, described.blockedSellers, sellers)
})
  .check(
    Schema.makeFilter(
      (policy) => limitViolations(policy).map(({ message, path }) => ({ path: [path], issue: message })),
      { toJsonSchema: () => ({ type: "object" }) }
    )
  )
  .annotate({ identifier: "PolicyInput", description: "The whole policy; what is left out takes its default." })
  .pipe(withBodyRule("policyLimits"))

export const toSpendingPolicy = (body: typeof PolicyInput.Type): SpendingPolicy => ({ ...defaultPolicy, ...body })

const toNumberOrNull = (limit: Usdt | null): number | null => (limit === null ? null : Usdt.toNumber(limit))

export const toPolicy = (policy: SpendingPolicy): typeof Policy.Type => ({
  autoApprove: policy.autoApprove,
  autoApproveThreshold: toNumberOrNull(policy.autoApproveThreshold),
  perTransactionLimit: toNumberOrNull(policy.perTransactionLimit),
  dailyLimit: toNumberOrNull(policy.dailyLimit),
  weeklyLimit: toNumberOrNull(policy.weeklyLimit),
  monthlyLimit: toNumberOrNull(policy.monthlyLimit),
  allowedCategories: policy.allowedCategories,
  blockedSellers: policy.blockedSellers
})
