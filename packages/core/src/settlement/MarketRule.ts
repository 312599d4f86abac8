import { Result } from "effect"
import { decisionRule, endApprovalRule, expiryRule, rejectWaitingRule } from "../approvals/DecisionRule.ts"
import { IdempotencyKeyReused } from "../errors/MarketError.ts"
import { refundRule } from "../purchases/RefundRule.ts"
import { saleRule } from "../purchases/SaleRule.ts"
import { cancelSubscriptionRule, renewRule, resumeSubscriptionRule } from "../purchases/SubscriptionRules.ts"
import { depositDecisionRule } from "../screening/DepositDecisionRule.ts"
import { releaseRule } from "../wallets/EscrowRule.ts"
import { cursorRule, depositRule } from "../wallets/DepositRule.ts"
import { payoutRule } from "../wallets/PayoutRule.ts"
import { removeAddressRule, saveAddressRule, changeWithdrawalRules } from "../wallets/changeWithdrawalRules.ts"
import { withdrawalStepRule, withdrawRule } from "../wallets/WithdrawalRule.ts"
import type { MarketState } from "./MarketState.ts"
import { resultKey } from "./MarketState.ts"
import type { Command } from "./Command.ts"
import { idempotencyOf } from "./Command.ts"
import type { Decision } from "./Rule.ts"
import { refuse } from "./Rule.ts"

const decide = (state: MarketState, command: Command): Decision => {
  switch (command._tag) {
    case "Buy":
      return saleRule(state, command)
    case "Decide":
      return decisionRule(state, command)
    case "Expire":
      return expiryRule(state, command)
    case "EndApproval":
      return endApprovalRule(state, command)
    case "RejectWaiting":
      return rejectWaitingRule(state, command)
    case "Refund":
      return refundRule(state, command)
    case "Renew":
      return renewRule(state, command)
    case "CancelSubscription":
      return cancelSubscriptionRule(state, command)
    case "ResumeSubscription":
      return resumeSubscriptionRule(state, command)
    case "ReleaseEscrow":
      return releaseRule(state, command)
    case "CreditDeposit":
      return depositRule(state, command)
    case "DecideDeposit":
      return depositDecisionRule(state, command)
    case "AdvanceCursor":
      return cursorRule(state, command)
    case "Withdraw":
      return withdrawRule(state, command)
    case "MoveWithdrawal":
      return withdrawalStepRule(state, command)
    case "ChangeWithdrawalRules":
      return changeWithdrawalRules(state, command)
    case "SaveAddress":
      return saveAddressRule(state, command)
    case "RemoveAddress":
      return removeAddressRule(state, command)
    case "SetPayouts":
      return payoutRule(state, command)
  }
}

/**
 * The rule of the market: (state, command) → (outcome, changes). Pure. A command whose Idempotency-Key has a stored result returns that
 * result and changes nothing. Only successes are stored (IDEMPOTENCY-1, IDEMPOTENCY-6).
 */
export const marketRule = (state: MarketState, command: Command): Decision => {
  const idempotency = idempotencyOf(command)
  if (idempotency === undefined) return decide(state, command)
  const before = state.results.get(resultKey(idempotency.accountId, idempotency.key))
  if (before !== undefined) {
    return before.fingerprint === idempotency.fingerprint
      ? { outcome: Result.succeed({ result: before.result, replayed: true }), changes: [] }
      : refuse(new IdempotencyKeyReused())
  }
  const decision = decide(state, command)
  return Result.isFailure(decision.outcome)
    ? decision
    : {
        ...decision,
        changes: [
          ...decision.changes,
          { _tag: "IdempotentResult", idempotency, result: decision.outcome.success.result }
        ]
      }
}
