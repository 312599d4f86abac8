import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy, nothingSpent } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Effect, Layer, Option, Result } from "effect"
import { Index } from "../Index.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

const requested = ({ requestedAt }: Approval) => requestedAt

const expiring = ({ expiresAt }: Approval) => expiresAt

export const MemoryApprovalStore: { readonly layer: Layer.Layer<ApprovalStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ApprovalStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      return {
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.approvals.get(id))),
        list: (account, { agentId, status }, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.approvalsOf, account, tables.approvals)
            const found = own.filter(
              (approval) =>
                (status === undefined || approval.status === status) &&
                (agentId === undefined || approval.agentId === agentId)
            )
            return Timeline.page(Timeline.newestFirst(found, requested), page)
          }),
        changePolicy: (subject, rule) =>
          Effect.suspend(() => {
            const changed = rule(tables.policies.get(subject) ?? defaultPolicy)
            if (Result.isSuccess(changed)) tables.policies.set(subject, changed.success)
            return Effect.fromResult(changed)
          }),
        budgets: (subjects, now) =>
          Effect.sync(() =>
            subjects.flatMap((subject) => {
              const policy = tables.policies.get(subject)
              return policy === undefined
                ? []
                : [{ policy, spent: tables.spending.get(subject)?.spent(now) ?? nothingSpent }]
            })
          ),
        due: (now, limit) =>
          Effect.sync(() => {
            const due = [...tables.approvals.values()].filter(
              ({ expiresAt, status }) => status === "pending" && expiresAt <= now
            )
            return Timeline.oldestFirst(due, expiring).slice(0, limit)
          }),
        policy: (subject) => Effect.sync(() => Option.fromUndefinedOr(tables.policies.get(subject))),
        setPolicy: (subject, policy) => Effect.sync(() => void tables.policies.set(subject, policy))
      }
    })
  )
}
