import Table from "cli-table3"
import { CliOutput } from "effect/cli"
import type { Page } from "./CliContext.ts"
import { plain, style } from "./text.ts"

/** The fields of a record, one line each; absent ones are omitted. Without a terminal, name and value are separated by a tab. */
export const fields = (
  page: Page,
  entries: ReadonlyArray<readonly [name: string, value: string | number | null | undefined]>
): string => {
  const present = entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
  const width = Math.max(0, ...present.map(([name]) => name.length))
  return present
    .map(([name, value]) => {
      const text = plain.line(String(value))
      return page.isTerminal ? `${style(page, "dim", name.padEnd(width))}  ${text}` : `${name}\t${text}`
    })
    .join("\n")
}

export interface Column<R> {
  readonly title: string
  readonly value: (row: R) => string
  /** Right-aligned, for numbers. */
  readonly right?: boolean
  /** Shortened first if the terminal is narrow. */
  readonly yields?: boolean
}

const gap = 2
const narrowest = 12

const noLines = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((name) => [name, ""])
)

/** The width of each column so that all fit: the widest column with `yields` is shortened first. */
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
 * Records as a table no wider than the terminal (CLI-10). Without a terminal: one line each, cells separated by tabs, nothing shortened and no
 * header, for `cut` and `awk`.
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
