import type { Page } from "./CliContext.ts"
import type { Column } from "./table.ts"
import { plain } from "./text.ts"

/** The widest a bar gets, in columns. */
const widest = 40
/** A bar narrower than this shows nothing. */
const narrowest = 8

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar of this part of `width` columns. A part above zero has at least an eighth of a column. */
const bar = (part: number, width: number): string => {
  const units = part > 0 ? Math.max(1, Math.round(part * width * 8)) : 0
  return "█".repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? "")
}

const heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/** One column for each value, or for several that stand together if there is no space. A value of zero is a dot. */
export const sparkline = (values: ReadonlyArray<number>, width: number): string => {
  const together = Math.max(1, Math.ceil(values.length / Math.max(1, width)))
  const columns = Array.from({ length: Math.ceil(values.length / together) }, (_, at) =>
    values.slice(at * together, (at + 1) * together).reduce((sum, value) => sum + value, 0)
  )
  const most = Math.max(0, ...columns)
  return columns
    .map((value) => (value <= 0 ? "·" : (heights[Math.min(7, Math.floor((8 * value) / most))] ?? "█")))
    .join("")
}

/** The columns that a picture beside this table may have: what the others leave. */
const spaceBeside = <R>(page: Page, rows: ReadonlyArray<R>, columns: ReadonlyArray<Column<R>>): number => {
  const taken = columns.map(({ title, value }) =>
    Math.max(title.length, ...rows.map((row) => plain.line(value(row)).length))
  )
  return Math.min(widest, page.width - taken.reduce((sum, width) => sum + width + 2, 0))
}

/**
 * The columns of a table and a picture of each row, where the terminal can show one; elsewhere only the columns (CLI-25).
 */
export const withPicture = <R>(
  page: Page,
  rows: ReadonlyArray<R>,
  columns: ReadonlyArray<Column<R>>,
  picture: (row: R, width: number) => string
): ReadonlyArray<Column<R>> => {
  const width = spaceBeside(page, rows, columns)
  if (page.canDraw !== true || width < narrowest) return columns
  return [...columns, { title: "", value: (row) => picture(row, width) }]
}

/** The columns of a table and a bar for each row, as long as its amount compared with the largest (CLI-25). */
export const withBars = <R>(
  page: Page,
  rows: ReadonlyArray<R>,
  columns: ReadonlyArray<Column<R>>,
  amountOf: (row: R) => number
): ReadonlyArray<Column<R>> => {
  const most = Math.max(0, ...rows.map(amountOf))
  return withPicture(page, rows, columns, (row, width) => bar(most === 0 ? 0 : amountOf(row) / most, width))
}

/** Whether the locale of this environment has the characters of bars. */
export const hasUnicode = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "") || env["WT_SESSION"] !== undefined
