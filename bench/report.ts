/** The lines that the measurements report, and the table that the benchmark prints. */
import { cpus, totalmem } from "node:os"

/** How a measurement is compared with its target. Without a bound the figure is only reported. */
export interface Goal {
  /** The row of the target in `targets.ts`. */
  readonly row: number
  readonly value: number
  readonly unit: "×" | "/s" | "ms" | "s" | "MB" | "kB"
  readonly atLeast?: number
  readonly below?: number
}

export interface Line {
  readonly work: string
  readonly market: string
  readonly reference: string
  readonly ratio: string
  readonly target: string
  readonly met: boolean | undefined
  readonly goal?: Goal
}

const bound = ({ atLeast, below, unit }: Goal): string => {
  const space = unit === "/s" ? "" : " "
  if (atLeast !== undefined) return `≥ ${atLeast}${space}${unit}`
  return below === undefined ? "" : `< ${below}${space}${unit}`
}

const isMet = ({ atLeast, below, value }: Goal): boolean | undefined => {
  if (atLeast !== undefined) return value >= atLeast
  return below === undefined ? undefined : value < below
}

/** How much of its target a measurement reaches: 1 or more if the target is met. */
export const reached = ({ atLeast, below, value }: Goal): number | undefined => {
  if (atLeast !== undefined) return value / atLeast
  return below === undefined ? undefined : below / value
}

/** A line that is judged by its goal. */
export const judged = (
  work: string,
  texts: { readonly market?: string; readonly reference?: string; readonly ratio?: string },
  goal: Goal
): Line => ({ work, market: "", reference: "", ratio: "", ...texts, target: bound(goal), met: isMet(goal), goal })

/** A line without a reference. */
export const plain = (work: string, market: string, target: string, met: boolean | undefined): Line => ({
  work,
  market,
  reference: "",
  ratio: "",
  target,
  met
})

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2
}

export interface Sided {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p99: number
  /** Microseconds of processor time for each request, of the server and PostgreSQL. */
  readonly cpu: number | undefined
}

export const rate = ({ cpu, p99, perSecond }: Sided): string =>
  `${Math.round(perSecond).toLocaleString("en")}/s  p99 ${p99.toFixed(p99 < 10 ? 1 : 0)} ms` +
  (cpu === undefined ? "" : `  cpu ${cpu.toFixed(0)} µs`)

export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGb: number
  /** The load average over a minute, before the benchmark. */
  readonly load: number
  readonly node: string
  /** Absent if no database was used. */
  readonly postgres?: string
}

export const machineOf = (load: number, postgres: string | undefined): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? "",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  load: Math.round(load * 10) / 10,
  node: process.version,
  ...(postgres === undefined ? {} : { postgres })
})

export const machineFacts = ({ cores, load, memoryGb, node, postgres, processor }: Machine): string =>
  [
    `${cores} cores (${processor}), ${memoryGb} GB, load ${load.toFixed(1)} before`,
    ...(postgres === undefined
      ? [`Node ${node}`]
      : [
          `Node ${node}, ${postgres}`,
          "client, server and PostgreSQL share the machine; fsync and synchronous_commit on"
        ])
  ].join("\n")

const columns = ["work", "market", "reference", "ratio", "target"] as const

export const table = (lines: ReadonlyArray<Line>): string => {
  const rows = [
    { work: "Work", market: "Market", reference: "Reference", ratio: "Ratio", target: "Target" },
    ...lines.map((line) => ({
      ...line,
      target: line.met === undefined ? line.target : `${line.target} ${line.met ? "✓" : "✗"}`
    }))
  ]
  const widths = columns.map((column) => Math.max(...rows.map((row) => row[column].length)))
  const text = rows.map((row) =>
    columns
      .map((column, i) => row[column].padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  )
  const rule = widths.map((width) => "─".repeat(width)).join("  ")
  return [text[0], rule, ...text.slice(1)].join("\n")
}
