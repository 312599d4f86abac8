import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ListingStats } from "@agent-marketplace/core/listings/Listing"
import type { MarketTables } from "../MarketTables.ts"

/** An item's sales and ratings. */
export const statsOf = (tables: MarketTables, id: ItemId): ListingStats => {
  const ratings = tables.ratings.get(id)
  return { sales: tables.sold.get(id) ?? 0, rating: ratings?.rating ?? 0, reviews: ratings?.reviews ?? 0 }
}
