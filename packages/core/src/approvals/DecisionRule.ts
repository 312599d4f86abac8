import { Result } from "effect"
import { noProgress } from "../advisories/Revocation.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { FailureReason, Purchase } from "../purchases/Purchase.ts"
import { completeSale, purchaseEvent } from "../purchases/SaleRule.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import type { Decide, EndApproval, Expire, RejectWaiting } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, done, refuse } from "../settlement/Rule.ts"
import type { Approval } from "./Approval.ts"
import { withinBudgets } from "./Budgets.ts"

const release = (purchase: Purchase, at: Timestamp): ReadonlyArray<Change> =>
  Postings.release(purchase.buyerId, { amount: purchase.amount, reference: purchase.id, at })

/** Ends a purchase without approval: the hold is returned, and the item can be bought again (APPROVAL-7, APPROVAL-8, EVENT-3). */
const endWithout = (
  approval: Approval,
  purchase: Purchase,
  failureReason: FailureReason,
  now: Timestamp
): { readonly approval: Approval; readonly changes: ReadonlyArray<Change> } => {
  const status = failureReason === "expired" ? "expired" : "rejected"
  const decided: Approval = { ...approval, status, decidedAt: now }
  const failed: Purchase = { ...purchase, status: "failed", failureReason }
  const event = purchaseEvent(`purchase.${status}`, failed, now, { approvalId: approval.id, failureReason }, [
    purchase.buyerId
  ])
  return {
    approval: decided,
    changes: [
      ...release(purchase, now),
      { _tag: "Purchase", purchase: failed },
      { _tag: "Approval", approval: decided },
      { _tag: "Entitlement", buyerId: purchase.buyerId, itemId: purchase.item.id, entitlement: null },
      { _tag: "Event", event }
    ]
  }
}

interface Obstacle {
  readonly failureReason: FailureReason
  readonly reason: string
}

/** Why a purchase cannot be approved. Everything is checked except the balance, which is already held (APPROVAL-6). */
const obstacle = (state: MarketState, purchase: Purchase): Obstacle | undefined => {
  const item = state.items.get(purchase.item.id)
  if (item === undefined || !item.onSale) {
    return { failureReason: "not_for_sale", reason: "the item is not for sale any more" }
  }
  if (item.sellerId === purchase.buyerId) {
    return { failureReason: "not_for_sale", reason: "the item is the buyer's own" }
  }
  const { agentId, amount, buyerId, purchasedAt, sellerId } = purchase
  if (frozenOf(state, buyerId, agentId) !== undefined) {
    return { failureReason: "frozen", reason: "the agent is frozen" }
  }
  const spending = { amount, category: item.category, sellerId }
  const allowed = withinBudgets(state, { owner: buyerId, agent: agentId }, spending, { amount, at: purchasedAt })
  return Result.isFailure(allowed)
    ? { failureReason: "rejected", reason: `the ${allowed.failure.limit} spending limit refuses it` }
    : undefined
}

/** The owner's decision on a pending purchase (APPROVAL-3, APPROVAL-4, APPROVAL-7). */
export const decisionRule: Rule<Decide> = (state, command) => {
  const approval = state.approvals.get(command.approvalId)
  const purchase = state.purchases.get(command.purchaseId)
  if (approval?.accountId !== command.accountId || approval.purchaseId !== purchase?.id) {
    return refuse(new NotFound({ resource: "APPROVAL" }))
  }
  if (approval.status !== "pending") return refuse(new Conflict({ state: approval.status }))
  if (state.now >= approval.expiresAt) {
    return refuse(new Conflict({ state: "expired" }), endWithout(approval, purchase, "expired", state.now).changes)
  }
  if (command.decision === "reject") {
    const rejected = endWithout(approval, purchase, "rejected", state.now)
    return accept({ _tag: "Decided", approval: rejected.approval }, rejected.changes)
  }
  const frozen = frozenOf(state, command.accountId)
  if (frozen !== undefined) return refuse(frozen)
  const found = obstacle(state, purchase)
  if (found !== undefined) {
    const { failureReason, reason } = found
    const { changes } = endWithout(approval, purchase, failureReason, state.now)
    return refuse(new Conflict({ state: "rejected", reason }), changes)
  }
  const approved: Approval = { ...approval, status: "approved", decidedAt: state.now }
  return accept({ _tag: "Decided", approval: approved }, [
    ...release(purchase, state.now),
    ...completeSale(state, purchase, command).changes,
    { _tag: "Approval", approval: approved }
  ])
}

/** Ends an approval that was not decided in time (APPROVAL-5). */
export const expiryRule: Rule<Expire> = (state, command) => {
  const approval = state.approvals.get(command.approvalId)
  const purchase = state.purchases.get(command.purchaseId)
  if (approval?.status !== "pending" || approval.purchaseId !== purchase?.id || state.now < approval.expiresAt) {
    return done
  }
  return accept({ _tag: "Done" }, endWithout(approval, purchase, "expired", state.now).changes)
}

/** Ends an approval that waits for a revoked item, if it still waits (REVOKE-6). */
export const endApprovalRule: Rule<EndApproval> = (state, { approvalId, purchaseId, revocationId }) => {
  const approval = state.approvals.get(approvalId)
  const purchase = state.purchases.get(purchaseId)
  if (approval?.status !== "pending" || approval.purchaseId !== purchase?.id) return done
  return accept({ _tag: "Done" }, [
    ...endWithout(approval, purchase, "not_for_sale", state.now).changes,
    { _tag: "RevocationProgress", revocationId, progress: { ...noProgress, rejected: 1 } }
  ])
}

/** Rejects the pending approvals of an account or of one of its agents, oldest first. Never refused. */
export const rejectWaitingRule: Rule<RejectWaiting> = (state, { accountId, agentId, reason }) => {
  // The state holds approvals in load order, which depends on the other commands of the batch.
  const approvals = [...state.approvals.values()].toSorted(
    (a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1)
  )
  const changes = approvals.flatMap((approval) => {
    const purchase = state.purchases.get(approval.purchaseId)
    const meant = approval.accountId === accountId && (agentId === null || approval.agentId === agentId)
    if (!meant || approval.status !== "pending" || purchase === undefined) return []
    return endWithout(approval, purchase, reason, state.now).changes
  })
  return accept({ _tag: "Done" }, changes)
}
