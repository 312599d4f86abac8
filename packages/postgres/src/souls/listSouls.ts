import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SoulFilter } from "@agent-marketplace/core/souls/SoulStore"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { isUsualPage } from "../paging/isUsualPage.ts"

const listed = "visibility = 'public' AND NOT deleted"

const newest = "created_at DESC, id DESC"

/** The columns that come with each id of the page. */
const pageColumns = "id, created_at, item_head"

const total = (filter: SoulFilter): string => {
  if (filter.tags !== undefined) {
    const category = filter.categories === undefined ? "" : "AND category = ANY($2::text[])"
    return `SELECT count(*) FROM souls WHERE ${listed} AND tags && $1::text[] ${category}`
  }
  const category = filter.categories === undefined ? "= ''" : "= ANY($1::text[])"
  return `SELECT sum(items) FROM catalogue_counts WHERE kind = 'soul' AND category ${category}`
}

/** Bounds stand in the text: a plan that is kept must know how little of an index it will read. */
const page = (filter: SoulFilter): string => {
  const bounds = `ORDER BY ${newest} LIMIT ${filter.limit} OFFSET ${filter.offset}`
  if (filter.tags !== undefined) {
    const category = filter.categories === undefined ? "" : "AND category = ANY($2::text[])"
    return `SELECT ${pageColumns} FROM souls WHERE ${listed} AND tags && $1::text[] ${category} ${bounds}`
  }
  if (filter.categories === undefined) return `SELECT ${pageColumns} FROM souls WHERE ${listed} ${bounds}`
  // The newest of each category, from its own end of the index, merged.
  const each = `SELECT ${pageColumns} FROM souls WHERE ${listed} AND category = wanted
    ORDER BY ${newest} LIMIT ${filter.limit + filter.offset}`
  return `SELECT souls.* FROM unnest($1::text[]) AS wanted CROSS JOIN LATERAL (${each}) AS souls ${bounds}`
}

/** The page's JSON and the total, as one row. */
const query = (filter: SoulFilter): string => `
  SELECT '[' || coalesce(string_agg(item_head || ',"downloads":' || downloads || '}', ',' ORDER BY ${newest}), '') || ']' AS json,
    coalesce((${total(filter)}), 0)::int AS total
  FROM (${page(filter)}) AS page JOIN item_stats ON item_id = id`

const asInteger = (value: number): number => Math.min(Math.max(Math.trunc(value), 0), 2 ** 31 - 1)

/** The one statement that answers a filter; `kept` where it is worth preparing. */
export const soulsQuery = (
  given: SoulFilter
): { readonly text: string; readonly parameters: ReadonlyArray<unknown>; readonly kept: boolean } => {
  const filter: SoulFilter = {
    categories: given.categories === undefined ? undefined : [...new Set(given.categories)],
    tags: given.tags,
    limit: asInteger(given.limit),
    offset: asInteger(given.offset)
  }
  const parameters = [filter.tags, filter.categories].filter((list) => list !== undefined)
  const kept = filter.tags === undefined && isUsualPage(filter.limit, filter.offset)
  return { text: query(filter), parameters, kept }
}

/** Public, undeleted souls: see `SoulStore.list`. */
export const listSouls = (
  database: Database["Service"],
  filter: SoulFilter
): Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable> => {
  const { kept, parameters, text } = soulsQuery(filter)
  return Effect.map(
    database.readList<{ readonly json: string; readonly total: number }>(text, parameters, kept),
    ([row]) => row ?? { json: "[]", total: 0 }
  )
}
