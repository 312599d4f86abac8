import type { ListingFilter } from "@agent-marketplace/core/listings/ListingStore"

/** What a page of listings is sorted by. */
export interface ListingOrder {
  readonly by: NonNullable<ListingFilter["sortBy"]> | "relevance"
  readonly way: "ASC" | "DESC"
}

export const ListingOrder = {
  of: ({ sortBy, sortOrder }: ListingFilter, searching: boolean): ListingOrder => {
    const by = sortBy ?? (searching ? "relevance" : "newest")
    const way = sortOrder ?? (by === "price" ? "asc" : "desc")
    return { by, way: way === "asc" ? "ASC" : "DESC" }
  },
  /**
   * SQL, from SQL for the key, the time and the id. What is equal goes newest first, but the other way round in the unusual direction
   * of sales, ratings and times: so one index serves both ways.
   */
  sql: ({ by, way }: ListingOrder, key: string, createdAt: string, id: string): string => {
    const ties = by === "price" || by === "relevance" ? "DESC" : way
    return `${key} ${way}, ${createdAt} ${ties}, ${id} ${ties}`
  }
}
