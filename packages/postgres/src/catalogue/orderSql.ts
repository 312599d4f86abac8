import type { CatalogueOrder } from "@agent-marketplace/core/catalogue/CatalogueFilter"

/**
 * The order as SQL, from SQL for the key, the time and the id. Ties are ordered newest first, except in the unusual direction of
 * popularity, ratings and times, where they are reversed: so one index serves both directions.
 */
export const orderSql = ({ by, direction }: CatalogueOrder, key: string, createdAt: string, id: string): string => {
  const way = direction === "asc" ? "ASC" : "DESC"
  const ties = by === "price" || by === "relevance" ? "DESC" : way
  return `${key} ${way}, ${createdAt} ${ties}, ${id} ${ties}`
}
