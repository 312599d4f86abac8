import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { Effect, Layer, Option } from "effect"
import { Index } from "../Index.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { NewestFirst } from "../paging/NewestFirst.ts"

const requested = ({ id, requestedAt }: Approval) => ({ id, at: requestedAt })

const expiring = ({ expiresAt, id }: Approval) => ({ id, at: expiresAt })

export const MemoryApprovalStore: { readonly layer: Layer.Layer<ApprovalStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ApprovalStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      return {
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.approvals.get(id))),
        list: (account, status, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.approvalsOf, account, tables.approvals)
            const wanted = status === undefined ? own : own.filter((approval) => approval.status === status)
            return NewestFirst.page(NewestFirst.sort(wanted, requested), page)
          }),
        due: (now, limit) =>
          Effect.sync(() => {
            const due = [...tables.approvals.values()].filter(
              ({ expiresAt, status }) => status === "pending" && expiresAt <= now
            )
            return NewestFirst.reverse(due, expiring).slice(0, limit)
          }),
        policy: (subject) => Effect.sync(() => Option.fromUndefinedOr(tables.policies.get(subject))),
        setPolicy: (subject, policy) => Effect.sync(() => void tables.policies.set(subject, policy))
      }
    })
  )
}
