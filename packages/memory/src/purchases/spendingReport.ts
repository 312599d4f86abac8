import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { SpendingFilter, Spent } from "@agent-marketplace/core/purchases/SpendingReport"
import { ownKeys } from "@agent-marketplace/core/purchases/SpendingReport"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

export interface Payment {
  readonly at: Timestamp
  readonly amount: Usdt
  readonly purchase: Purchase
}

/** The buyer's purchases and renewals that were not refunded. */
export const paymentsOf = (tables: MarketTables, buyer: AccountId): ReadonlyArray<Payment> => {
  const purchases = Index.records(tables.purchasesByBuyer, buyer, tables.purchases)
  const renewals = [...tables.renewals.values()].filter(
    ({ buyerId, status }) => buyerId === buyer && status === "completed"
  )
  return [
    ...purchases
      .filter(({ status }) => status === "completed")
      .map((purchase) => ({ at: purchase.purchasedAt, amount: purchase.amount, purchase })),
    ...renewals.flatMap(({ amount, at, purchaseId }) => {
      const purchase = tables.purchases.get(purchaseId)
      return purchase === undefined ? [] : [{ at, amount, purchase }]
    })
  ]
}

export const groupOf = (
  tables: MarketTables,
  by: SpendingFilter["by"],
  { at, purchase }: Payment
): Pick<Spent, "key" | "name"> => {
  switch (by) {
    case "agent": {
      const id: AgentId | null = purchase.agentId
      return id === null ? ownKeys : { key: id, name: tables.agents.get(id)?.name ?? ownKeys.name }
    }
    case "category":
      return { key: purchase.item.category, name: purchase.item.category }
    case "seller":
      return { key: purchase.sellerId, name: tables.accounts.get(purchase.sellerId)?.name ?? "" }
    case "day": {
      const day = Timestamp.toIso(at).slice(0, 10)
      return { key: day, name: day }
    }
  }
}

/** The buyer's spending by group. Days are sorted by date, other groups by amount, largest first. */
export const spending = (
  tables: MarketTables,
  buyer: AccountId,
  { by, from, to }: SpendingFilter
): ReadonlyArray<Spent> => {
  const groups = new Map<string, Spent>()
  for (const payment of paymentsOf(tables, buyer)) {
    if (payment.at < (from ?? -Infinity) || payment.at >= (to ?? Infinity)) continue
    const { key, name } = groupOf(tables, by, payment)
    const before = groups.get(key) ?? { key, name, amount: Usdt.zero, count: 0 }
    groups.set(key, { ...before, amount: Usdt.of(before.amount + payment.amount), count: before.count + 1 })
  }
  const byKey = [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return by === "day" ? byKey : byKey.toSorted((a, b) => Number(b.amount - a.amount))
}
