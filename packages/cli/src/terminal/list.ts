import { Flag } from "effect/cli"
import type { Page } from "./CliContext.ts"
import type { Column } from "./table.ts"
import { table } from "./table.ts"
import { style } from "./text.ts"

/** The page number and the page size of a list. */
export const pageFlags = {
  page: Flag.Int("page").pipe(Flag.withDescription("Which page, counted from 1"), Flag.withDefault(1)),
  limit: Flag.Int("limit").pipe(Flag.withDescription("Items per page, at most 100"), Flag.withDefault(20))
}

/** The line below a page of a list that has more pages. */
export const moreFooter = (page: number, shown: number, total: number, limit: number): string | undefined =>
  (page - 1) * limit + shown < total ? `${total} in all; --page ${page + 1} shows more.` : undefined

export interface List<R> {
  readonly rows: ReadonlyArray<R>
  readonly columns: ReadonlyArray<Column<R>>
  /** Printed on a terminal if there are no rows. */
  readonly empty: string
  /** Printed on a terminal below the table. */
  readonly footer?: string | undefined
}

/** A table, or a sentence if there are no rows. */
export const list = <R>(page: Page, { columns, empty, footer, rows }: List<R>): string => {
  if (rows.length === 0) return page.isTerminal ? empty : ""
  const drawn = table(page, rows, columns)
  return page.isTerminal && footer !== undefined ? `${drawn}\n\n${style(page, "dim", footer)}` : drawn
}

/** The list of a command's result. */
export const listOf =
  <R>(columns: ReadonlyArray<Column<R>>, empty: string) =>
  (page: Page, rows: ReadonlyArray<R>): string =>
    list(page, { rows, columns, empty })
