import type { Page, PageRequest } from "@agent-marketplace/core/paging/Page"

/** A row of {@link pageQuery}. An empty page has one row without an id, for the total. */
export interface PageRow {
  readonly total: bigint
  readonly id: string | null
}

/**
 * A page and its total in one statement, and so from one snapshot. `filter` may use `$3` and higher parameters; `$1` is the limit and
 * `$2` the offset. `order` names selected columns.
 */
export const pageQuery = (columns: string, table: string, filter: string, order: string): string => `
  SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM ${table} WHERE ${filter}) AS counted
  LEFT JOIN (
    SELECT ${columns} FROM ${table} WHERE ${filter} ORDER BY ${order} LIMIT $1::int OFFSET $2::int
  ) AS page ON true
  ORDER BY ${order}`

/** The first two parameters of {@link pageQuery}. */
export const pageParameters = ({ limit, page }: PageRequest): readonly [limit: number, offset: number] => [
  limit,
  Math.min((page - 1) * limit, 2 ** 31 - 1)
]

/** The page that the rows of {@link pageQuery} contain. */
export const pageOf = <Row extends PageRow, A>(rows: ReadonlyArray<Row>, decode: (row: Row) => A): Page<A> => ({
  items: rows.flatMap((row) => (row.id === null ? [] : [decode(row)])),
  total: Number(rows[0]?.total ?? 0n)
})
