/** The table that the benchmark prints. */
import { cpus, totalmem } from "node:os"

export interface Line {
  readonly work: string
  readonly market: string
  readonly reference: string
  readonly ratio: string
  readonly target: string
  readonly met: boolean | undefined
}

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

/** `load` is the machine's load before the benchmark; `postgres` is undefined if no database was used. */
export const machineFacts = (load: number, postgres: string | undefined): string => {
  const [cpu] = cpus()
  return [
    `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, load ${load.toFixed(1)} before`,
    ...(postgres === undefined
      ? [`Node ${process.version}`]
      : [
          `Node ${process.version}, ${postgres}`,
          "client, server and PostgreSQL share the machine; fsync and synchronous_commit on"
        ])
  ].join("\n")
}

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
