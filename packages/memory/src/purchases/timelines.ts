import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { AccountId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type {
  EarningsSeries,
  SpendingSeries,
  TimelineFilter,
  TimelineSum
} from "@agent-marketplace/core/purchases/Timeline"
import { largestGroups, otherGroups, periodAt, totalSeries } from "@agent-marketplace/core/purchases/Timeline"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { groupOf, paymentsOf } from "./spendingReport.ts"
import type { Payment } from "./spendingReport.ts"

interface Grouped extends Omit<Payment, "purchase"> {
  readonly key: string
  readonly name: string
}

const groupBy = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}

const total = (payments: ReadonlyArray<{ readonly amount: Usdt }>): Usdt =>
  Usdt.of(payments.reduce((sum, { amount }) => sum + amount, 0n))

/** The sums of the largest groups and of the others together, in the order of their series and then of time. */
const sumsOf = (all: ReadonlyArray<Grouped>, filter: TimelineFilter<unknown>): ReadonlyArray<TimelineSum> => {
  const within = all.filter(({ at }) => at >= filter.from && at < filter.to)
  const groups = [...groupBy(within, ({ key }) => key)]
    .map(([key, payments]) => ({ key, name: payments[0]?.name ?? "", payments, amount: total(payments) }))
    .toSorted((a, b) => Number(b.amount - a.amount) || (a.key < b.key ? -1 : 1))
  const others = groups.slice(largestGroups).flatMap(({ payments }) => payments)
  const series = [...groups.slice(0, largestGroups), { key: null, name: otherGroups, payments: others }]
  return series.flatMap(({ key, name, payments }) =>
    [...groupBy(payments, ({ at }) => periodAt(at, filter.per))]
      .map(([period, own]) => ({ key, name, period, amount: total(own), count: own.length }))
      .toSorted((a, b) => (a.period < b.period ? -1 : 1))
  )
}

/** The buyer's payments over time (BUDGET-5). */
export const spendingTimeline = (
  tables: MarketTables,
  buyer: AccountId,
  filter: TimelineFilter<SpendingSeries>
): ReadonlyArray<TimelineSum> => {
  const { by } = filter
  const payments = paymentsOf(tables, buyer).map((payment) => ({
    at: payment.at,
    amount: payment.amount,
    ...(by === "total" ? totalSeries : groupOf(tables, by, payment))
  }))
  return sumsOf(payments, filter)
}

/** The seller's net earnings over time (SALE-5). */
export const earningsTimeline = (
  tables: MarketTables,
  seller: AccountId,
  filter: TimelineFilter<EarningsSeries>
): ReadonlyArray<TimelineSum> => {
  const sold = Index.records(tables.purchasesBySeller, seller, tables.purchases)
  const renewed = Index.records(tables.renewalsBySeller, seller, tables.renewals).flatMap((renewal) => {
    const purchase = tables.purchases.get(renewal.purchaseId)
    return purchase === undefined ? [] : [{ ...renewal, item: purchase.item, purchasedAt: renewal.at }]
  })
  const earned = [...sold, ...renewed]
    .filter(({ status }) => status === "completed")
    .map(({ amount, fee, item: { id, name }, purchasedAt }) => {
      const found = tables.listings.get(id as ListingId)?.listing ?? tables.souls.get(id as SoulId)?.soul
      const group = filter.by === "total" ? totalSeries : { key: id, name: found?.name ?? name }
      return { ...group, at: purchasedAt, amount: Usdt.of(amount - fee) }
    })
  return sumsOf(earned, filter)
}
