import { popularityOf } from "@agent-marketplace/core/catalogue/Popularity"
import type { ItemId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables } from "../MarketTables.ts"

/** The order of `sortBy=popular`: a function that reads the purchases only once. */
export const popularityIn = (tables: MarketTables): ((item: ItemId) => number) => {
  const buyers = new Map<ItemId, Set<string>>()
  for (const { amount, buyerId, item, purchasedAt, status } of tables.purchases.values()) {
    if (status !== "completed" || amount === 0n || purchasedAt > tables.aged.until) continue
    const known = buyers.get(item.id) ?? new Set()
    buyers.set(item.id, known.add(buyerId))
  }
  return (item) =>
    popularityOf({
      sales: tables.sold.get(item) ?? 0,
      agedBuyers: buyers.get(item)?.size ?? 0,
      downloads: tables.downloads.get(item as SoulId)?.size ?? 0
    })
}
