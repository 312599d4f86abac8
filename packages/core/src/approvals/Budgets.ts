import { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { SpendingLimitExceeded } from "../errors/MarketError.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Budget, MarketState } from "../settlement/MarketState.ts"
import type { Spending, SpendingPolicy, SpentWindows } from "./SpendingPolicy.ts"
import { checkLimits, defaultPolicy, needsApproval, nothingSpent } from "./SpendingPolicy.ts"

/** The rolling windows in milliseconds (POLICY-7). A payment counts while it is younger than the window. */
export const windows = { day: Time.day, week: 7 * Time.day, month: 30 * Time.day } as const

const unlimited: Budget = { policy: defaultPolicy, spent: nothingSpent }

/** The owner's budget and, for an agent's key, the agent's beside it (POLICY-11). */
const budgetsOf = (state: MarketState, owner: AccountId, agent: AgentId | null): ReadonlyArray<Budget> => [
  state.budgets.get(owner) ?? unlimited,
  ...(agent === null ? [] : [state.budgets.get(agent) ?? unlimited])
]

/** Spent windows after `amount`, paid at `at`, is added (sign 1) or taken back (sign -1: POLICY-10). */
export const spentWith = (
  spent: SpentWindows,
  amount: Usdt,
  at: Timestamp,
  now: Timestamp,
  sign: 1n | -1n
): SpentWindows => {
  const age = now - at
  const moved = (before: Usdt, window: number): Usdt => (age < window ? Usdt.of(before + sign * amount) : before)
  return {
    day: moved(spent.day, windows.day),
    week: moved(spent.week, windows.week),
    month: moved(spent.month, windows.month)
  }
}

/** Whether the hard limits of everybody concerned let the spending pass (POLICY-8); `own` is a hold that is not to count twice. */
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

/** Whether anybody concerned wants the owner to be asked. */
export const needsOwnerApproval = (
  state: MarketState,
  owner: AccountId,
  agent: AgentId | null,
  amount: Usdt
): boolean => budgetsOf(state, owner, agent).some(({ policy }) => needsApproval(policy, amount))

/** Whether a policy has a limit that needs the windows at all. */
export const hasWindows = (policy: SpendingPolicy): boolean =>
  policy.dailyLimit !== null || policy.weeklyLimit !== null || policy.monthlyLimit !== null
