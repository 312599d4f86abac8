import { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import { completeSale } from "../purchases/SaleRule.ts"
import type { Change } from "../settlement/Change.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import { Postings } from "../settlement/Postings.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import type { Decide, Expire, RejectWaiting } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, done, refuse } from "../settlement/Rule.ts"
import type { Approval } from "./Approval.ts"
import { withinBudgets } from "./Budgets.ts"

const release = (purchase: Purchase, at: Timestamp): ReadonlyArray<Change> =>
  Postings.release(purchase.buyerId, { amount: purchase.amount, reference: purchase.id, at })

/** The hold returns and the item may be bought anew. */
const letGo = (
  approval: Approval,
  purchase: Purchase,
  status: "rejected" | "expired",
  now: Timestamp
): { readonly approval: Approval; readonly changes: ReadonlyArray<Change> } => {
  const decided: Approval = { ...approval, status, decidedAt: now }
  return {
    approval: decided,
    changes: [
      ...release(purchase, now),
      { _tag: "Purchase", purchase: { ...purchase, status } },
      { _tag: "Approval", approval: decided },
      { _tag: "Entitlement", buyerId: purchase.buyerId, itemId: purchase.item.id, entitlement: null }
    ]
  }
}

/** Why the purchase may not go through any more; everything but the balance, which is held (APPROVAL-6). */
const obstacle = (state: MarketState, purchase: Purchase): string | undefined => {
  const item = state.items.get(purchase.item.id)
  if (item === undefined || !item.onSale) return "the item is not for sale any more"
  if (item.sellerId === purchase.buyerId) return "the item is the buyer's own"
  const { agentId, amount, buyerId, purchasedAt, sellerId } = purchase
  if (frozenOf(state, buyerId, agentId) !== undefined) return "the agent is frozen"
  const spending = { amount, category: item.category, sellerId }
  const allowed = withinBudgets(state, { owner: buyerId, agent: agentId }, spending, { amount, at: purchasedAt })
  return Result.isFailure(allowed) ? `the ${allowed.failure.limit} spending limit refuses it` : undefined
}

/** The owner's decision on a purchase that waits (APPROVAL-3, APPROVAL-4, APPROVAL-7). */
export const decisionRule: Rule<Decide> = (state, command) => {
  const approval = state.approvals.get(command.approvalId)
  const purchase = state.purchases.get(command.purchaseId)
  if (approval?.accountId !== command.accountId || approval.purchaseId !== purchase?.id) {
    return refuse(new NotFound({ resource: "APPROVAL" }))
  }
  if (approval.status !== "pending") return refuse(new Conflict({ state: approval.status }))
  if (state.now >= approval.expiresAt) {
    return refuse(new Conflict({ state: "expired" }), letGo(approval, purchase, "expired", state.now).changes)
  }
  if (command.decision === "reject") {
    const rejected = letGo(approval, purchase, "rejected", state.now)
    return accept({ _tag: "Decided", approval: rejected.approval }, rejected.changes)
  }
  const frozen = frozenOf(state, command.accountId)
  if (frozen !== undefined) return refuse(frozen)
  const reason = obstacle(state, purchase)
  if (reason !== undefined) {
    return refuse(new Conflict({ state: "rejected", reason }), letGo(approval, purchase, "rejected", state.now).changes)
  }
  const approved: Approval = { ...approval, status: "approved", decidedAt: state.now }
  return accept({ _tag: "Decided", approval: approved }, [
    ...release(purchase, state.now),
    ...completeSale(purchase, command, state.now).changes,
    { _tag: "Approval", approval: approved }
  ])
}

/** An approval that nobody decided in time (APPROVAL-5). */
export const expiryRule: Rule<Expire> = (state, command) => {
  const approval = state.approvals.get(command.approvalId)
  const purchase = state.purchases.get(command.purchaseId)
  if (approval?.status !== "pending" || approval.purchaseId !== purchase?.id || state.now < approval.expiresAt) {
    return done
  }
  return accept({ _tag: "Done" }, letGo(approval, purchase, "expired", state.now).changes)
}

/** Rejects what waits for an account or one of its agents. Never refused. */
export const rejectWaitingRule: Rule<RejectWaiting> = (state, { accountId, agentId }) => {
  const changes = [...state.approvals.values()].flatMap((approval) => {
    const purchase = state.purchases.get(approval.purchaseId)
    const meant = approval.accountId === accountId && (agentId === null || approval.agentId === agentId)
    if (!meant || approval.status !== "pending" || purchase === undefined) return []
    return letGo(approval, purchase, "rejected", state.now).changes
  })
  return accept({ _tag: "Done" }, changes)
}
