import type { ActionState } from "../admin/OperatorAction.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import type { DecideDeposit, DepositDecision } from "../settlement/Command.ts"
import { Postings } from "../settlement/Postings.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import { confirmedDeposit, depositReference } from "../wallets/DepositRule.ts"
import type { HeldDeposit } from "./HeldDeposit.ts"

/** The deposit after a decision; undefined if its state does not allow it. */
const decided = (deposit: HeldDeposit, decision: DepositDecision, now: number): HeldDeposit | undefined => {
  const { state } = deposit
  switch (decision.to) {
    case "held":
      return state === "screening" ? { ...deposit, state: "held", evidence: decision.evidence } : undefined
    case "cleared":
      return state === "screening" ? { ...deposit, state: "cleared", decidedAt: now } : undefined
    case "released":
    case "rejected":
      return state === "screening" || state === "held" ? { ...deposit, state: decision.to, decidedAt: now } : undefined
  }
}

const shown = ({ accountId, amount, evidence, sender, state }: HeldDeposit): NonNullable<ActionState> => ({
  state,
  accountId,
  amount: Usdt.format(amount),
  sender,
  evidence: evidence === null ? null : { source: evidence.source, reference: evidence.reference }
})

const logged = (before: HeldDeposit, after: HeldDeposit, decision: DepositDecision): ReadonlyArray<Change> =>
  "action" in decision
    ? [{ _tag: "Action", action: { ...decision.action, before: shown(before), after: shown(after) } }]
    : []

/** Money leaves `held` exactly once: to the wallet, or to `unattributed` (SCREENING-6). */
const moved = (deposit: HeldDeposit, now: number): ReadonlyArray<Change> => {
  const { accountId, amount, logIndex, state, txid } = deposit
  const posting = { amount, reference: depositReference(txid, logIndex), at: now }
  if (state === "held") return []
  return state === "rejected"
    ? Postings.depositRejected(posting)
    : [...Postings.depositReleased(accountId, posting), confirmedDeposit(deposit, now)]
}

/** The decision on a deposit that is held: by screening once it answers, or by the operator (SCREENING-4, SCREENING-6). */
export const depositDecisionRule: Rule<DecideDeposit> = (state, { accountId, decision, depositId }) => {
  const deposit = state.heldDeposits.get(depositId)
  if (deposit === undefined || deposit.accountId !== accountId) return refuse(new NotFound({ resource: "DEPOSIT" }))
  const next = decided(deposit, decision, state.now)
  if (next === undefined) return refuse(new Conflict({ state: deposit.state }))
  return accept({ _tag: "HeldDeposit", deposit: next }, [
    ...moved(next, state.now),
    { _tag: "HeldDeposit", deposit: next },
    ...logged(deposit, next, decision)
  ])
}
