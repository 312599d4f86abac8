/** The results of the benchmark as JSON: one entry for each target. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Sizes } from "./data.ts"
import type { Goal, Line, Machine } from "./report.ts"
import type { Target } from "./targets.ts"
import { targets } from "./targets.ts"

export interface RunSizes extends Sizes {
  readonly ledgerLines: number
}

export interface Measure {
  readonly work: string
  readonly measured: string
  readonly reference: string
  readonly ratio: string
  readonly target: string
  readonly met: boolean | null
  readonly goal: Goal
}

export interface Entry extends Target {
  /** null if no measure of this row is judged. */
  readonly met: boolean | null
  readonly date: string | null
  readonly commit: string | null
  /** The load average of the machine before the run. */
  readonly load: number | null
  readonly sizes: RunSizes | null
  readonly measures: ReadonlyArray<Measure>
}

export interface Results {
  readonly date: string
  readonly commit: string
  readonly machine: Machine | null
  readonly sizes: RunSizes | null
  readonly targets: ReadonlyArray<Entry>
}

const nothing: Results = {
  date: "",
  commit: "",
  machine: null,
  sizes: null,
  targets: targets.map((target) => ({
    ...target,
    met: null,
    date: null,
    commit: null,
    load: null,
    sizes: null,
    measures: []
  }))
}

export const readResults = (file: string): Results =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : nothing

const measuresOf = (lines: ReadonlyArray<Line>, row: number): ReadonlyArray<Measure> =>
  lines.flatMap(({ goal, market, met, ...line }) =>
    goal?.row === row ? [{ ...line, measured: market, met: met ?? null, goal }] : []
  )

const metOf = (measures: ReadonlyArray<Measure>): boolean | null => {
  const judged = measures.flatMap(({ met }) => (met === null ? [] : [met]))
  return judged.length === 0 ? null : judged.every(Boolean)
}

export interface Run {
  readonly date: string
  readonly commit: string
  readonly load: number
  readonly sizes: RunSizes
}

/** The rows that this run has measured replace those of earlier runs; the others stay, with their own date. */
export const mergeResults = (before: Results, run: Run, machine: Machine, lines: ReadonlyArray<Line>): Results => ({
  ...run,
  machine,
  targets: targets.map((target) => {
    const measures = measuresOf(lines, target.row)
    if (measures.length > 0) return { ...target, ...run, met: metOf(measures), measures }
    const {
      commit = null,
      date = null,
      met = null,
      load = null,
      sizes = null,
      measures: kept = []
    } = before.targets.find(({ row }) => row === target.row) ?? {}
    return { ...target, met, date, commit, load, sizes, measures: kept }
  })
})

export const writeResults = (file: string, results: Results): void =>
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)

/** The commit of the working tree; empty outside of a clone. */
export const currentCommit = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  } catch {
    return ""
  }
}
