import { style } from "./style.ts"
import type { Page } from "./Surroundings.ts"
import type { Column } from "./table.ts"
import { table } from "./table.ts"

export interface List<R> {
  readonly rows: ReadonlyArray<R>
  readonly columns: ReadonlyArray<Column<R>>
  /** Said on a terminal where there is nothing. */
  readonly empty: string
  /** Said on a terminal below the table. */
  readonly footer?: string | undefined
}

/** A table, or a sentence where there is nothing to put into one. */
export const list = <R>(page: Page, { columns, empty, footer, rows }: List<R>): string => {
  if (rows.length === 0) return page.isTerminal ? empty : ""
  const drawn = table(page, rows, columns)
  return page.isTerminal && footer !== undefined ? `${drawn}\n\n${style(page, "dim", footer)}` : drawn
}
