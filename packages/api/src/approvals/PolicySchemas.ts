import { listUpTo } from "@agent-marketplace/core/fields/InputRules"
import type { BudgetWindow, EffectiveBudget } from "@agent-marketplace/core/approvals/Budgets"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { limitViolations } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { flag } from "../wire/Input.ts"
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
}).annotate({ identifier: "Policy", description: "What may be spent without the owner's approval; amounts in USDT." })

const amount = Schema.NullOr(UsdtInput).annotateKey({ messageMissingKey: "is required" })
const names = Schema.NullOr(listUpTo(boundedText({ min: 1, max: 100 }), 100)).annotateKey({
  messageMissingKey: "is required"
})

const whole = {
  autoApprove: flag.annotateKey({ messageMissingKey: "is required" }),
  autoApproveThreshold: amount,
  perTransactionLimit: amount,
  dailyLimit: amount,
  weeklyLimit: amount,
  monthlyLimit: amount,
  allowedCategories: names,
  blockedSellers: names
} as const

const rises = Schema.makeFilter(
  (policy: Parameters<typeof limitViolations>[0]) =>
    limitViolations(policy).map(({ message, path }) => ({ path: [path], issue: message })),
  { toJsonSchema: () => ({ type: "object" }) }
)

/** A whole policy in a request. It must name every field, so that a misspelt name removes no limit (POLICY-4). */
export const PolicyInput = Schema.Struct({
  autoApprove: field(whole.autoApprove, described.autoApprove, true),
  autoApproveThreshold: field(whole.autoApproveThreshold, described.autoApproveThreshold, 10),
  perTransactionLimit: field(whole.perTransactionLimit, described.perTransactionLimit, 50),
  dailyLimit: field(whole.dailyLimit, `${described.dailyLimit} At least perTransactionLimit.`, 100),
  weeklyLimit: field(whole.weeklyLimit, `${described.weeklyLimit} At least dailyLimit.`, 300),
  monthlyLimit: field(whole.monthlyLimit, `${described.monthlyLimit} At least weeklyLimit.`, null),
  allowedCategories: field(whole.allowedCategories, described.allowedCategories, ["data"]),
  blockedSellers: field(whole.blockedSellers, described.blockedSellers, sellers)
})
  .check(rises)
  .annotate({ identifier: "PolicyInput", description: "The whole policy; every field must be named." })
  .pipe(withBodyRule("policyLimits"))

/** Changes of the named fields of a policy (POLICY-4). The order of the limits is checked together with the limits in force. */
export const PolicyPatch = Schema.Struct({
  autoApprove: field(Schema.optionalKey(whole.autoApprove), described.autoApprove, true),
  autoApproveThreshold: field(Schema.optionalKey(amount), described.autoApproveThreshold, 10),
  perTransactionLimit: field(Schema.optionalKey(amount), described.perTransactionLimit, 50),
  dailyLimit: field(Schema.optionalKey(amount), described.dailyLimit, 100),
  weeklyLimit: field(Schema.optionalKey(amount), described.weeklyLimit, 300),
  monthlyLimit: field(Schema.optionalKey(amount), described.monthlyLimit, null),
  allowedCategories: field(Schema.optionalKey(names), described.allowedCategories, ["data"]),
  blockedSellers: field(Schema.optionalKey(names), described.blockedSellers, sellers)
}).annotate({ identifier: "PolicyPatch", description: "The fields to change; absent fields keep their values." })

/** The policy of a claim: absent fields set no limit, and without `autoApprove` every paid purchase waits (AGENT-2, AGENT-3). */
export const ClaimPolicy = PolicyPatch.check(rises).annotate({
  identifier: "ClaimPolicy",
  description:
    "The agent's policy from the start. Absent fields set no limit; without autoApprove every paid purchase waits."
})

const window = (description: string) =>
  field(
    Schema.NullOr(
      Schema.Struct({
        limit: ResponseField.number("The most in the window.", 100),
        spent: ResponseField.number("The amount spent in the window, including holds.", 40),
        remaining: ResponseField.number("What is left.", 60)
      })
    ),
    description,
    { limit: 100, spent: 40, remaining: 60 }
  )

/** The remaining budget (BUDGET-1). */
export const Budget = Schema.Struct({
  daily: window("Any 24 hours; null: no limit."),
  weekly: window("Any 7 days; null: no limit."),
  monthly: window("Any 30 days; null: no limit."),
  perTransaction: ResponseField.numberOrNull("The most that one purchase may cost; null: no limit.", 50),
  autoApproveThreshold: ResponseField.numberOrNull(
    "A price above it waits for the owner; 0: every paid purchase does; null: none does.",
    10
  )
}).annotate({
  identifier: "Budget",
  description:
    "The effective rules of a caller, in USDT: of each rule of the owner's and the agent's, the one with less remaining."
})

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

const toWindow = (budget: BudgetWindow | null): (typeof Budget.Type)["daily"] =>
  budget === null
    ? null
    : {
        limit: Usdt.toNumber(budget.limit),
        spent: Usdt.toNumber(budget.spent),
        remaining: Usdt.toNumber(budget.remaining)
      }

export const toBudget = (budget: EffectiveBudget): typeof Budget.Type => ({
  daily: toWindow(budget.daily),
  weekly: toWindow(budget.weekly),
  monthly: toWindow(budget.monthly),
  perTransaction: toNumberOrNull(budget.perTransaction),
  autoApproveThreshold: toNumberOrNull(budget.autoApproveThreshold)
})
