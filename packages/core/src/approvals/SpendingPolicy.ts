import { Result } from "effect"
import { SpendingLimitExceeded } from "../errors/MarketError.ts"
import type { Issue, LimitName } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"

/** The limits within which purchases need no approval by the owner (POLICY-1). Null means unlimited. */
export interface SpendingPolicy {
  /** False: every paid purchase waits for the owner (POLICY-12). */
  readonly autoApprove: boolean
  /** A higher price waits for the owner. */
  readonly autoApproveThreshold: Usdt | null
  readonly perTransactionLimit: Usdt | null
  /** Any 24 hours. */
  readonly dailyLimit: Usdt | null
  /** Any 7 days. */
  readonly weeklyLimit: Usdt | null
  /** Any 30 days. */
  readonly monthlyLimit: Usdt | null
  readonly allowedCategories: ReadonlyArray<string> | null
  /** Account ids. */
  readonly blockedSellers: ReadonlyArray<string> | null
}

/** The policy if none was set (POLICY-2). */
export const defaultPolicy: SpendingPolicy = {
  autoApprove: true,
  autoApproveThreshold: null,
  perTransactionLimit: null,
  dailyLimit: null,
  weeklyLimit: null,
  monthlyLimit: null,
  allowedCategories: null,
  blockedSellers: null
}

const rising = ["perTransactionLimit", "dailyLimit", "weeklyLimit", "monthlyLimit"] as const

type Limits = { readonly [K in (typeof rising)[number]]?: Usdt | null }

/** Each limit must be at least the previous limit that is set (POLICY-5). */
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

/** The spending in the rolling windows that end now, including holds (POLICY-9). */
export interface SpentWindows {
  readonly day: Usdt
  readonly week: Usdt
  readonly month: Usdt
}

export const nothingSpent: SpentWindows = { day: Usdt.zero, week: Usdt.zero, month: Usdt.zero }

/** The fields of a purchase that a policy uses. */
export interface Spending {
  readonly amount: Usdt
  readonly category: string
  readonly sellerId: string
}

const left = (limit: Usdt, spent: Usdt): Usdt => (spent >= limit ? Usdt.zero : Usdt.of(limit - spent))

/** Checks the hard limits in the order of ERROR-7 and reports the first one that refuses (POLICY-13). */
export const checkLimits = (
  policy: SpendingPolicy,
  spending: Spending,
  spent: SpentWindows
): Result.Result<void, SpendingLimitExceeded> => {
  const limits: ReadonlyArray<readonly [LimitName, Usdt | null, Usdt]> = [
    ["perTransaction", policy.perTransactionLimit, Usdt.zero],
    ["daily", policy.dailyLimit, spent.day],
    ["weekly", policy.weeklyLimit, spent.week],
    ["monthly", policy.monthlyLimit, spent.month]
  ]
  for (const [limit, bound, before] of limits) {
    if (bound === null || spending.amount === 0n) continue
    const allowed = left(bound, before)
    if (spending.amount > allowed) {
      return Result.fail(new SpendingLimitExceeded({ limit, allowed, requested: spending.amount }))
    }
  }
  if (policy.allowedCategories !== null && !policy.allowedCategories.includes(spending.category)) {
    return Result.fail(new SpendingLimitExceeded({ limit: "category" }))
  }
  if (policy.blockedSellers !== null && policy.blockedSellers.includes(spending.sellerId)) {
    return Result.fail(new SpendingLimitExceeded({ limit: "seller" }))
  }
  return Result.void
}

const atMost = (limit: Usdt | null, bound: Usdt | null): boolean => bound === null || (limit !== null && limit <= bound)

const within = (some: ReadonlyArray<string> | null, all: ReadonlyArray<string> | null): boolean =>
  all === null || (some !== null && some.every((each) => all.includes(each)))

/** Whether the new policy allows nothing that the old one refuses; a frozen account may set only such policies (ACCOUNT-12). */
export const isTightening = (before: SpendingPolicy, after: SpendingPolicy): boolean =>
  (before.autoApprove || !after.autoApprove) &&
  (!after.autoApprove || atMost(after.autoApproveThreshold, before.autoApproveThreshold)) &&
  atMost(after.perTransactionLimit, before.perTransactionLimit) &&
  atMost(after.dailyLimit, before.dailyLimit) &&
  atMost(after.weeklyLimit, before.weeklyLimit) &&
  atMost(after.monthlyLimit, before.monthlyLimit) &&
  within(after.allowedCategories, before.allowedCategories) &&
  (before.blockedSellers ?? []).every((seller) => after.blockedSellers?.includes(seller) === true)

/** Whether the owner must approve; never for a free item. */
export const needsApproval = (policy: SpendingPolicy, amount: Usdt): boolean =>
  amount > 0n && (!policy.autoApprove || (policy.autoApproveThreshold !== null && amount > policy.autoApproveThreshold))
