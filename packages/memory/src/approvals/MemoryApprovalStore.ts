import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { Effect, Layer, Option } from "effect"
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
        list: (account, status, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.approvalsOf, account, tables.approvals)
            const wanted = status === undefined ? own : own.filter((approval) => approval.status === status)
            return Timeline.page(Timeline.newestFirst(wanted, requested), page)
          }),
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
