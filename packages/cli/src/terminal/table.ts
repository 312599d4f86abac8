import Table from "cli-table3"
import { CliOutput } from "effect/cli"
import { plain } from "./plain.ts"
import { style } from "./style.ts"
import type { Page } from "./Surroundings.ts"

export interface Column<R> {
  readonly title: string
  readonly value: (row: R) => string
  /** Of numbers. */
  readonly right?: boolean
  /** Gives way where the terminal is narrow. */
  readonly yields?: boolean
}

const gap = 2
const narrowest = 12

const noLines = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((name) => [name, ""])
)

/** How wide each column may be, so that all fit: the widest of those that yield gives way first. */
const fitted = (
  natural: ReadonlyArray<number>,
  yields: ReadonlyArray<boolean>,
  width: number
): ReadonlyArray<number> => {
  const widths = [...natural]
  const excess = () => widths.reduce((sum, column) => sum + column + gap, -gap) - width
  while (excess() > 0) {
    const candidates = widths.map((column, at) => (yields[at] === true && column > narrowest ? column : 0))
    const widest = Math.max(...candidates)
    if (widest === 0) break
    widths[candidates.indexOf(widest)] = widest - 1
  }
  return widths
}

const drawn = (
  page: Page,
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: ReadonlyArray<Column<never>>
) => {
  const natural = titles.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? "")].map(CliOutput.displayWidth))
  )
  const widths = fitted(
    natural,
    columns.map(({ yields }) => yields === true),
    page.width
  )
  const made = new Table({
    chars: noLines,
    head: titles.map((title) => style(page, "bold", title)),
    colWidths: widths.map((width) => width + gap),
    colAligns: columns.map(({ right }) => (right === true ? "right" : "left")),
    style: { "padding-left": 0, "padding-right": gap, head: [], border: [], compact: true }
  })
  made.push(...rows.map((row) => [...row]))
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}

/**
 * Records as a table no wider than the terminal (CLI-10). Without a terminal: one line each, cells separated by tabs, nothing cut and no head,
 * for `cut` and `awk`.
 */
export const table = <R>(page: Page, rows: ReadonlyArray<R>, columns: ReadonlyArray<Column<R>>): string => {
  const cells = rows.map((row) => columns.map(({ value }) => plain.line(value(row))))
  if (!page.isTerminal) return cells.map((row) => row.join("\t")).join("\n")
  return drawn(
    page,
    columns.map(({ title }) => title),
    cells,
    columns
  )
}
