import { Result } from "effect"
import { decisionRule, expiryRule } from "../approvals/DecisionRule.ts"
import { IdempotencyKeyReused } from "../errors/MarketError.ts"
import { refundRule } from "../purchases/RefundRule.ts"
import { saleRule } from "../purchases/SaleRule.ts"
import { cancelSubscriptionRule, renewRule } from "../purchases/SubscriptionRules.ts"
import { cursorRule, depositRule } from "../wallets/DepositRule.ts"
import { withdrawalStepRule, withdrawRule } from "../wallets/WithdrawalRules.ts"
import type { MarketState } from "./MarketState.ts"
import { answerKey } from "./MarketState.ts"
import type { Order } from "./Order.ts"
import { idempotencyOf } from "./Order.ts"
import type { Decision } from "./Rule.ts"
import { refuse } from "./Rule.ts"

const decide = (state: MarketState, order: Order): Decision => {
  switch (order._tag) {
    case "Buy":
      return saleRule(state, order)
    case "Decide":
      return decisionRule(state, order)
    case "Expire":
      return expiryRule(state, order)
    case "Refund":
      return refundRule(state, order)
    case "Renew":
      return renewRule(state, order)
    case "CancelSubscription":
      return cancelSubscriptionRule(state, order)
    case "CreditDeposit":
      return depositRule(state, order)
    case "AdvanceCursor":
      return cursorRule(state, order)
    case "Withdraw":
      return withdrawRule(state, order)
    case "MoveWithdrawal":
      return withdrawalStepRule(state, order)
  }
}

/**
 * The rule of the market: (state, order) → (what the caller is told, what changes). Pure. An order whose Idempotency-Key was
 * answered before gets that answer and changes nothing; only what succeeds is kept (contract 4).
 */
export const marketRule = (state: MarketState, order: Order): Decision => {
  const idempotency = idempotencyOf(order)
  if (idempotency === undefined) return decide(state, order)
  const before = state.answers.get(answerKey(idempotency.accountId, idempotency.key))
  if (before !== undefined) {
    return before.fingerprint === idempotency.fingerprint
      ? { outcome: Result.succeed({ answer: before.answer, replayed: true }), changes: [] }
      : refuse(new IdempotencyKeyReused())
  }
  const decision = decide(state, order)
  return Result.isFailure(decision.outcome)
    ? decision
    : {
        ...decision,
        changes: [...decision.changes, { _tag: "Answer", idempotency, answer: decision.outcome.success.answer }]
      }
}
