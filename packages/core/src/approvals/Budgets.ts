import { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { SpendingLimitExceeded } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Budget, MarketState } from "../settlement/MarketState.ts"
import type { Spending } from "./SpendingPolicy.ts"
import type { Change } from "../settlement/Change.ts"
import { checkLimits, defaultPolicy, needsApproval, nothingSpent } from "./SpendingPolicy.ts"
import { spentWith } from "./SpendingWindows.ts"

const unlimited: Budget = { policy: defaultPolicy, spent: nothingSpent }

/** The owner's budget and, for an agent's key, also the agent's (POLICY-11). */
const budgetsOf = (state: MarketState, owner: AccountId, agent: AgentId | null): ReadonlyArray<Budget> => [
  state.budgets.get(owner) ?? unlimited,
  ...(agent === null ? [] : [state.budgets.get(agent) ?? unlimited])
]

/** Whether the hard limits of all budgets allow the spending (POLICY-8). `own` is a hold that must not be counted twice. */
export const withinBudgets = (
  state: MarketState,
  spender: { readonly owner: AccountId; readonly agent: AgentId | null },
  spending: Spending,
  own?: { readonly amount: Usdt; readonly at: Timestamp }
): Result.Result<void, SpendingLimitExceeded> => {
  for (const { policy, spent } of budgetsOf(state, spender.owner, spender.agent)) {
    const before = own === undefined ? spent : spentWith(spent, own.amount, own.at, state.now, -1n)
    const checked = checkLimits(policy, spending, before)
    if (Result.isFailure(checked)) return checked
  }
  return Result.void
}

/** The share of a limit whose reaching is announced, in tenths (NOTIFY-4). */
const nearTenths = 8n

const limitNear = (
  subject: AccountId | AgentId,
  owner: AccountId,
  at: Timestamp,
  data: MarketEvent["data"]
): MarketEvent => ({ type: "spending.limit_near", at, subject, accounts: [owner], data })

/** The events of the limits of which this spending reaches 80 % (NOTIFY-4). The state is the one before it. */
export const limitsNeared = (
  state: MarketState,
  spender: { readonly owner: AccountId; readonly agent: AgentId | null },
  amount: Usdt
): ReadonlyArray<Change> => {
  const { agent, owner } = spender
  return [owner, ...(agent === null ? [] : [agent])].flatMap((subject) => {
    const { policy, spent } = state.budgets.get(subject) ?? unlimited
    const bounds = [
      ["daily", policy.dailyLimit, spent.day],
      ["weekly", policy.weeklyLimit, spent.week],
      ["monthly", policy.monthlyLimit, spent.month]
    ] as const
    return bounds.flatMap(([window, limit, before]): ReadonlyArray<Change> => {
      if (limit === null) return []
      const after = Usdt.of(before + amount)
      if (before * 10n >= limit * nearTenths || after * 10n < limit * nearTenths) return []
      const data = {
        window,
        limit: Usdt.format(limit),
        spent: Usdt.format(after),
        agentId: subject === agent ? agent : null
      }
      return [{ _tag: "Event", event: limitNear(subject, owner, state.now, data) }]
    })
  })
}

/** Whether any of the budgets requires the owner's approval. */
export const needsOwnerApproval = (
  state: MarketState,
  owner: AccountId,
  agent: AgentId | null,
  amount: Usdt
): boolean => budgetsOf(state, owner, agent).some(({ policy }) => needsApproval(policy, amount))

export interface BudgetWindow {
  readonly limit: Usdt
  readonly spent: Usdt
  readonly remaining: Usdt
}

/** What a caller may still spend (BUDGET-1). Null means no limit. */
export interface EffectiveBudget {
  readonly daily: BudgetWindow | null
  readonly weekly: BudgetWindow | null
  readonly monthly: BudgetWindow | null
  readonly perTransaction: Usdt | null
  /** Zero if every paid purchase waits for approval. */
  readonly autoApproveThreshold: Usdt | null
}

const windowOf = (limit: Usdt | null, spent: Usdt): ReadonlyArray<BudgetWindow> =>
  limit === null ? [] : [{ limit, spent, remaining: Usdt.of(spent >= limit ? 0n : limit - spent) }]

const least = <A>(all: ReadonlyArray<A>, of: (one: A) => bigint): A | null =>
  all.reduce<A | null>((found, one) => (found === null || of(one) < of(found) ? one : found), null)

const notNull = (amounts: ReadonlyArray<Usdt | null>): ReadonlyArray<Usdt> => amounts.filter((one) => one !== null)

/** Combines budgets that apply together: for each rule the one with less remaining (BUDGET-3). */
export const effectiveBudget = (budgets: ReadonlyArray<Budget>): EffectiveBudget => {
  const tightest = (of: (budget: Budget) => ReadonlyArray<BudgetWindow>) =>
    least(budgets.flatMap(of), ({ remaining }) => remaining)
  const smallest = (amounts: ReadonlyArray<Usdt | null>) => least(notNull(amounts), (one) => one)
  return {
    daily: tightest(({ policy, spent }) => windowOf(policy.dailyLimit, spent.day)),
    weekly: tightest(({ policy, spent }) => windowOf(policy.weeklyLimit, spent.week)),
    monthly: tightest(({ policy, spent }) => windowOf(policy.monthlyLimit, spent.month)),
    perTransaction: smallest(budgets.map(({ policy }) => policy.perTransactionLimit)),
    autoApproveThreshold: smallest(
      budgets.map(({ policy }) => (policy.autoApprove ? policy.autoApproveThreshold : Usdt.zero))
    )
  }
}
