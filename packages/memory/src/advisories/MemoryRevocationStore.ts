import type { Revocation } from "@agent-marketplace/core/advisories/Revocation"
import { newRevocation, refundsSince } from "@agent-marketplace/core/advisories/Revocation"
import type { WorkPage } from "@agent-marketplace/core/advisories/RevocationStore"
import { RevocationStore } from "@agent-marketplace/core/advisories/RevocationStore"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect, Layer, Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

/** A position is the number of records before it. Records are only appended, and keep their place. */
const pageOf = <A, B>(
  records: ReadonlyArray<A>,
  { position }: Revocation,
  limit: number,
  itemOf: (record: A) => ReadonlyArray<B>
): WorkPage<B> => {
  const start = Number(position ?? 0)
  const next = start + limit
  return {
    items: records.slice(start, next).flatMap(itemOf),
    next: next < records.length ? String(next) : null
  }
}

const isRefunded = (revocation: Revocation, at: Timestamp): boolean => {
  const since = refundsSince(revocation)
  return since !== null && revocation.until !== null && at >= since && at <= revocation.until
}

const waiting = (tables: MarketTables, revocation: Revocation, limit: number) =>
  pageOf([...tables.approvals.values()], revocation, limit, ({ accountId, id, item, purchaseId, status }) =>
    item.id === revocation.itemId && status === "pending" ? [{ approvalId: id, accountId, purchaseId }] : []
  )

const purchases = (tables: MarketTables, revocation: Revocation, limit: number) =>
  pageOf([...tables.purchases.values()], revocation, limit, (purchase) => {
    const { amount, buyerId, fee, id, item, purchasedAt, sellerId, status } = purchase
    const due = item.id === revocation.itemId && status === "completed" && isRefunded(revocation, purchasedAt)
    return due ? [{ purchaseId: id, renewalId: null, buyerId, sellerId, net: Usdt.of(amount - fee) }] : []
  })

const renewals = (tables: MarketTables, revocation: Revocation, limit: number) =>
  pageOf([...tables.renewals.values()], revocation, limit, (renewal) => {
    const { amount, at, buyerId, fee, id, purchaseId, sellerId, status } = renewal
    const about = tables.purchases.get(purchaseId)?.item.id === revocation.itemId
    const due = about && status === "completed" && isRefunded(revocation, at)
    return due ? [{ purchaseId, renewalId: id, buyerId, sellerId, net: Usdt.of(amount - fee) }] : []
  })

export const MemoryRevocationStore: { readonly layer: Layer.Layer<RevocationStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    RevocationStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      add: (draft, action) =>
        Effect.sync(() => {
          tables.revocations.set(draft.id, newRevocation(draft))
          tables.actions.push(action)
        }),
      find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.revocations.get(id))),
      list: ({ itemId }, page) =>
        Effect.sync(() => {
          const wanted = [...tables.revocations.values()].filter((one) => itemId === undefined || one.itemId === itemId)
          return Timeline.page(wanted.toReversed(), page)
        }),
      running: Effect.sync(() =>
        Option.fromUndefinedOr([...tables.revocations.values()].find(({ step }) => step !== "done"))
      ),
      waiting: (revocation, limit) => Effect.sync(() => waiting(tables, revocation, limit)),
      purchases: (revocation, limit) => Effect.sync(() => purchases(tables, revocation, limit)),
      renewals: (revocation, limit) => Effect.sync(() => renewals(tables, revocation, limit)),
      move: (id, { action, finishedAt = null, position, step, until }) =>
        Effect.sync(() => {
          const before = tables.revocations.get(id)
          if (before === undefined || before.step === "done") return
          tables.revocations.set(id, { ...before, step, position, finishedAt, until: before.until ?? until ?? null })
          if (action !== undefined) tables.actions.push(action)
        })
    }))
  )
}
