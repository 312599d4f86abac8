import type { Timestamp } from "../clock/Timestamp.ts"
import type { ActionState } from "../admin/OperatorAction.ts"
import { Conflict, InsufficientBalance, NotFound, WithdrawalRefused } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MoveWithdrawal, Withdraw, WithdrawalStep } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import { emptyBalance } from "./Ledger.ts"
import type { PayoutPause, Withdrawal } from "./Withdrawal.ts"
import { isOpen } from "./Withdrawal.ts"
import { mostOpenWithdrawals, refusingRule } from "./WithdrawalStanding.ts"

/**
 * Holds the amount and the fee until the result on the chain is known (WITHDRAWAL-1, WITHDRAWAL-7). Refused while the account is in debt
 * (DEBT-3), by the owner's withdrawal rules (WITHDRAWAL-19), and while too many withdrawals are open (WITHDRAWAL-10).
 */
export const withdrawRule: Rule<Withdraw> = (state, command) => {
  const { accountId, amount, destinationAddress, fee, network, quoteExpiresAt, reviewAbove } = command
  const frozen = frozenOf(state, accountId)
  if (frozen !== undefined) return refuse(frozen)
  const total = Usdt.of(amount + fee)
  const { available, debt } = state.wallets.get(accountId) ?? emptyBalance
  if (debt > 0n) {
    return refuse(
      new Conflict({
        state: "debt",
        reason: `${Usdt.withCurrency(debt)} are owed for refunds and must be repaid from later earnings first`
      })
    )
  }
  const standing = state.standings.get(accountId)
  if (standing === undefined) return refuse(new NotFound({ resource: "ACCOUNT" }))
  // A quote names its withdrawal in advance.
  if (state.withdrawals.has(command.withdrawalId)) {
    return refuse(new Conflict({ state: "quote_used", reason: "the quote was used for another withdrawal" }))
  }
  if (quoteExpiresAt !== null && quoteExpiresAt <= state.now) {
    return refuse(new Conflict({ state: "quote_expired", reason: "the quote has expired: request a new one" }))
  }
  if (command.flagged === true) return refuse(new WithdrawalRefused({ rule: "screening" }))
  const rule = refusingRule(standing, destinationAddress, amount, state.now)
  if (rule !== undefined) return refuse(new WithdrawalRefused({ rule }))
  if (standing.open >= mostOpenWithdrawals) {
    return refuse(new Conflict({ state: "open_withdrawals", limit: mostOpenWithdrawals }))
  }
  if (available < total) return refuse(new InsufficientBalance({ required: total, available }))
  const withdrawal: Withdrawal = {
    id: command.withdrawalId,
    accountId,
    amount,
    fee,
    network,
    destinationAddress,
    state: reviewAbove !== null && amount > reviewAbove ? "in_review" : "queued",
    transaction: null,
    tokenFee: null,
    attempts: 0,
    failure: null,
    screening: null,
    createdAt: state.now,
    completedAt: null
  }
  return accept({ _tag: "Withdrawal", withdrawal }, [
    ...Postings.hold(accountId, { amount: total, reference: withdrawal.id, at: state.now }),
    { _tag: "Withdrawal", withdrawal }
  ])
}

/** An approval covers only the evidence that the operator saw. A destination that is flagged later is held. */
const approvedScreening = ({ screening }: Withdrawal): Withdrawal["screening"] =>
  screening === null ? null : { ...screening, approved: true }

/** The withdrawal after a step; undefined if its state does not allow the step. */
const moved = (withdrawal: Withdrawal, step: WithdrawalStep, now: Timestamp): Withdrawal | undefined => {
  const { state, transaction } = withdrawal
  switch (step.to) {
    case "cancelled":
      return state === "queued" || state === "in_review" ? { ...withdrawal, state: "cancelled" } : undefined
    case "approved":
      return state === "in_review"
        ? { ...withdrawal, state: "queued", failure: null, screening: approvedScreening(withdrawal) }
        : undefined
    case "rejected":
      return state === "in_review" ? { ...withdrawal, state: "failed", failure: step.reason } : undefined
    case "held":
      return state === "queued" ? { ...withdrawal, state: "in_review" } : undefined
    case "flagged":
      return state === "queued"
        ? { ...withdrawal, state: "in_review", screening: { ...step.evidence, approved: false } }
        : undefined
    case "settled":
      return state === "queued" || state === "in_review"
        ? {
            ...withdrawal,
            state: "completed",
            failure: null,
            transaction: step.transaction,
            tokenFee: step.tokenFee,
            completedAt: now
          }
        : undefined
    case "broadcasting":
      return state === "queued"
        ? { ...withdrawal, state: "broadcasting", transaction: step.transaction, attempts: withdrawal.attempts + 1 }
        : undefined
    case "refused":
      return state === "broadcasting" && transaction?.txid === step.txid
        ? { ...withdrawal, failure: step.reason }
        : undefined
    case "queued":
      // What a signer refused is not offered again before the operator has decided (SIGNER-6).
      return state === "broadcasting" && transaction?.txid === step.abandoned
        ? { ...withdrawal, state: withdrawal.failure === null ? "queued" : "in_review", transaction: null }
        : undefined
    case "completed":
      return state === "broadcasting" && transaction?.txid === step.txid
        ? { ...withdrawal, state: "completed", failure: null, tokenFee: step.tokenFee ?? null, completedAt: now }
        : undefined
    case "failed":
      return (state === "queued" || state === "broadcasting") && (transaction?.txid ?? null) === step.txid
        ? { ...withdrawal, state: "failed", failure: step.reason }
        : undefined
  }
}

const eventsOf = (withdrawal: Withdrawal, now: Timestamp): ReadonlyArray<MarketEvent> =>
  withdrawal.state === "completed" || withdrawal.state === "failed"
    ? [
        {
          type: `withdrawal.${withdrawal.state}`,
          at: now,
          subject: withdrawal.id,
          accounts: [withdrawal.accountId],
          data: {
            withdrawalId: withdrawal.id,
            amount: Usdt.format(withdrawal.amount),
            fee: Usdt.format(withdrawal.fee),
            currency: "USDT",
            destinationAddress: withdrawal.destinationAddress,
            txHash: withdrawal.state === "completed" ? (withdrawal.transaction?.txid ?? null) : null
          }
        }
      ]
    : []

const settled = (withdrawal: Withdrawal, now: Timestamp): ReadonlyArray<Change> => {
  const { accountId, amount, fee, id: reference, state } = withdrawal
  if (isOpen(withdrawal)) return []
  return [
    ...Postings.release(accountId, { amount: Usdt.of(amount + fee), reference, at: now }),
    ...(state === "completed" ? Postings.withdrawal(accountId, { amount, reference, at: now }, fee) : [])
  ]
}

const shown = ({ screening, state, transaction }: Withdrawal, settled: boolean): NonNullable<ActionState> => ({
  state,
  ...(settled ? { txHash: transaction?.txid ?? null } : {}),
  ...(screening === null ? {} : { evidence: { source: screening.source, reference: screening.reference } })
})

/** The entry of the operator's log, if the operator decided. */
const actionOf = (before: Withdrawal, after: Withdrawal, step: WithdrawalStep): ReadonlyArray<Change> =>
  "action" in step
    ? [
        {
          _tag: "Action",
          action: {
            ...step.action,
            before: shown(before, step.to === "settled"),
            after: shown(after, step.to === "settled")
          }
        }
      ]
    : []

/**
 * Why a pause prevents the step. While the hot wallet made unknown transfers, one of them may have paid the withdrawal, so its money is not
 * returned (TREASURY-3).
 */
const stopOf = (pause: PayoutPause | null, { to }: WithdrawalStep): string | undefined => {
  if (pause === null) return undefined
  if (to === "broadcasting") return "paused"
  return pause.unknownTransfers === true && (to === "cancelled" || to === "rejected") ? "unknown_transfers" : undefined
}

/** One step of a withdrawal. The hold is released exactly once, when the final result is known (WITHDRAWAL-5, WITHDRAWAL-20). */
export const withdrawalStepRule: Rule<MoveWithdrawal> = (state, command) => {
  const withdrawal = state.withdrawals.get(command.withdrawalId)
  if (withdrawal === undefined || withdrawal.accountId !== command.accountId) {
    return refuse(new NotFound({ resource: "WITHDRAWAL" }))
  }
  const starts = command.step.to === "broadcasting" || command.step.to === "cancelled"
  const frozen = starts ? frozenOf(state, command.accountId) : undefined
  if (frozen !== undefined) return refuse(frozen)
  const stop = stopOf(state.payoutPause, command.step)
  if (stop !== undefined) return refuse(new Conflict({ state: stop }))
  const next = moved(withdrawal, command.step, state.now)
  if (next === undefined) return refuse(new Conflict({ state: withdrawal.state }))
  if (command.step.to === "settled" && state.usedTransactions.has(command.step.transaction.txid)) {
    return refuse(new Conflict({ state: "transaction_used" }))
  }
  return accept({ _tag: "Withdrawal", withdrawal: next }, [
    ...settled(next, state.now),
    { _tag: "Withdrawal", withdrawal: next },
    ...actionOf(withdrawal, next, command.step),
    ...eventsOf(next, state.now).map((event): Change => ({ _tag: "Event", event }))
  ])
}
