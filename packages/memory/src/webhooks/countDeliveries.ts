import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { periodAt } from "@agent-marketplace/core/purchases/Timeline"
import type { DeliveryCount, DeliveryTimelineFilter } from "@agent-marketplace/core/webhooks/DeliveryTimeline"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import type { DeliveryTable } from "./deliveryTable.ts"

/** The deliveries of the account's subscriptions by UTC day and status (DELIVERY-15). */
export const countDeliveries = (
  tables: MarketTables,
  table: DeliveryTable,
  account: AccountId,
  { agent, from, to, webhook }: DeliveryTimelineFilter
): ReadonlyArray<DeliveryCount> => {
  const counts = new Map<string, DeliveryCount>()
  const deliveries = Index.records(tables.webhooksOf, account, tables.webhooks)
    .filter(({ agentId, id }) => (agent === null || agentId === agent) && (webhook === null || id === webhook))
    .flatMap(({ id }) => table.ofWebhook(id))
    .filter(({ eventAt }) => eventAt >= from && eventAt < to)
  for (const { eventAt, status } of deliveries) {
    const period = periodAt(eventAt, "day")
    const key = `${period} ${status}`
    counts.set(key, { status, period, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
