import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { chartOf } from "../chart.ts"
import { resultsTable } from "../performancePage.ts"
import { judged, machineOf, reached } from "../report.ts"
import { mergeResults, readResults } from "../results.ts"
import { targets } from "../targets.ts"

const docs = join(import.meta.dirname, "../../docs")
const read = (file: string) => readFileSync(join(docs, file), "utf8")
const results = readResults(join(docs, "performance.json"))

const run = (commit: string) => ({
  date: "2026-01-01T00:00:00.000Z",
  commit,
  load: 0,
  sizes: { buyers: 1, sellers: 1, souls: 1, listings: 1, ledgerLines: 1 }
})
const machine = machineOf(0, undefined)
const soul = judged("soul detail", { market: "900/s" }, { row: 1, value: 0.9, unit: "×", atLeast: 1.2 })
const skill = judged("skill detail", { market: "1,300/s" }, { row: 1, value: 1.3, unit: "×", atLeast: 1.2 })
const memory = judged("memory", { market: "150 MB" }, { row: 12, value: 150, unit: "MB", below: 300 })

describe("the page of the benchmark's results", () => {
  it("shows every target, with the figures of performance.json", () => {
    assert.deepStrictEqual(
      results.targets.map(({ row }) => row),
      targets.map(({ row }) => row)
    )
    assert.include(read("performance.md"), resultsTable(results))
    assert.strictEqual(read("performance.svg"), chartOf(results.targets))
  })

  it("contains neither paths nor the name of a machine", () => {
    assert.notMatch(read("performance.json"), /"host|\/(home|work|tmp|Users)\//)
  })
})

describe("results of several runs", () => {
  it("count a target as met only if all of its measures meet it", () => {
    const { targets: entries } = mergeResults(results, run("a"), machine, [soul, skill, memory])
    const of = (row: number) => entries.find((entry) => entry.row === row)
    assert.strictEqual(of(1)?.met, false)
    assert.strictEqual(of(1)?.measures.length, 2)
    assert.strictEqual(of(12)?.met, true)
    assert.strictEqual(reached(memory.goal!), 2)
  })

  it("keep the rows that a later run does not measure, with their commit", () => {
    const first = mergeResults(results, run("a"), machine, [soul, memory])
    const { targets: entries } = mergeResults(first, run("b"), machine, [skill])
    const of = (row: number) => entries.find((entry) => entry.row === row)
    assert.deepStrictEqual([of(1)?.commit, of(1)?.met], ["b", true])
    assert.deepStrictEqual([of(12)?.commit, of(12)?.met], ["a", true])
  })
})
