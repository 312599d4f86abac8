import type { Catalogue } from "./Catalogue.ts"
import { SearchVector } from "./SearchVector.ts"

const sharedColumns = [
  "creator_id",
  "approved",
  "category",
  "price",
  "featured",
  "pricing_model",
  "state",
  "tags",
  "created_at",
  "words"
] as const

/** The two forms of an item's words. {@link facetRows} uses one of them. */
export const bothWords = (item: Parameters<typeof SearchVector.of>[0]) => ({
  listed_words: SearchVector.of(item, true),
  apart_words: SearchVector.of(item, false)
})

/** Rows in the form of `given`: `rows` has the columns of `approved`, which is SQL for whether the item is public, and both forms of its words. */
export const facetRows = (columns: string, rows: string, approved: string): string => `given AS MATERIALIZED (
    SELECT *, CASE WHEN approved THEN listed_words ELSE apart_words END AS words
    FROM (SELECT *, ${columns}, ${approved} AS approved FROM ${rows}) AS item
  )`

const writeRows = ({ currencies, facets }: Catalogue): string => {
  const columns = currencies.length > 1 ? [...sharedColumns, "currency"] : sharedColumns
  const names = columns.join(", ")
  return `
    INSERT INTO ${facets} AS f (item_id, ${names})
    SELECT id, ${names} FROM given WHERE NOT gone
    ON CONFLICT (item_id) DO UPDATE SET ${columns.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}
      WHERE (${columns.map((name) => `f.${name}`).join(", ")})
        IS DISTINCT FROM (${columns.map((name) => `EXCLUDED.${name}`).join(", ")})`
}

/**
 * Statements over the rows of `given`, each with the columns of the facets, `id` and `gone`. They maintain the columns that lists and
 * searches use, and the shelf for the popular and the best rated. `shelf` is SQL for the shelf of a public item.
 */
export const writeFacets = (catalogue: Catalogue, shelf: string) => ({
  facets: writeRows(catalogue),
  gone: `DELETE FROM ${catalogue.facets} USING given WHERE item_id = id AND gone`,
  stats: `
    UPDATE item_stats SET shelf = new.shelf, listed_at = new.listed_at FROM (
      SELECT id, CASE WHEN approved THEN ${shelf} END AS shelf, CASE WHEN approved THEN created_at END AS listed_at FROM given
    ) AS new
    WHERE item_id = id AND (item_stats.shelf, item_stats.listed_at) IS DISTINCT FROM (new.shelf, new.listed_at)`,
  newStats: `
    INSERT INTO item_stats (item_id, shelf, listed_at)
    SELECT id, CASE WHEN approved THEN ${shelf} END, CASE WHEN approved THEN created_at END FROM given`
})
