import { assert, describe, it } from "@effect/vitest"
import { CliOutput } from "effect/cli"
import { hasUnicode, sparkline, withBars } from "../../src/terminal/bars.ts"
import { table } from "../../src/terminal/table.ts"
import { timelineText } from "../../src/wallets/timeline.ts"

const terminal = { isTerminal: true, width: 60, canColor: false, canDraw: true }

const timeline = {
  per: "month",
  from: "2026-01-01T00:00:00.000Z",
  to: "2026-04-01T00:00:00.000Z",
  periods: ["2026-01", "2026-02", "2026-03"],
  series: [
    { key: "usr_1", name: "Ada", amount: 12, count: 3, amounts: [4, 0, 8] },
    { key: null, name: "Others", amount: 1, count: 1, amounts: [0, 1, 0] }
  ]
} as const

const total = { ...timeline, series: [{ key: "total", name: "Total", amount: 13, count: 4, amounts: [4, 1, 8] }] }

describe("charts on a terminal (CLI-25)", () => {
  it("have a bar for each row, the longest for the largest amount, within the width", () => {
    const rows = [4, 0, 0.001, 8]
    const columns = [{ title: "N", value: (row: number) => String(row), right: true }]
    for (const width of [20, 30, 200]) {
      const lines = table(
        { ...terminal, width },
        rows,
        withBars({ ...terminal, width }, rows, columns, (row) => row)
      ).split("\n")
      const bars = lines.slice(1).map((line) => (line.match(/[█▏▎▍▌▋▊▉]/g) ?? []).length)
      assert.strictEqual(bars[0], Math.ceil((bars[3] ?? 0) / 2))
      assert.deepStrictEqual(bars.slice(1, 3), [0, 1])
      for (const line of lines) assert.isAtMost(CliOutput.displayWidth(line), width)
    }
  })

  it("are omitted if the terminal is too narrow or shows no block characters", () => {
    const columns = [{ title: "N", value: (row: number) => String(row) }]
    assert.strictEqual(
      withBars({ ...terminal, width: 10 }, [1], columns, (row) => row),
      columns
    )
    assert.strictEqual(
      withBars({ ...terminal, canDraw: false }, [1], columns, (row) => row),
      columns
    )
    assert.strictEqual(
      withBars({ isTerminal: false, width: 80, canColor: false }, [1], columns, (row) => row),
      columns
    )
  })

  it("draw amounts over time no wider than the space, with a dot for nothing", () => {
    assert.strictEqual(sparkline([0, 1, 4, 8], 10), "·▂▅█")
    assert.strictEqual(sparkline([0, 0], 10), "··")
    assert.strictEqual(sparkline([], 10), "")
    assert.strictEqual(sparkline([4, 4, 0, 0, 1], 3), "█·▂")
    assert.isAtMost(
      sparkline(
        Array.from({ length: 366 }, (_, at) => at),
        17
      ).length,
      17
    )
  })

  it("show each period with its amount, and each series with its course", () => {
    const periods = timelineText(terminal, total, "total", "Nothing.")
    assert.match(periods, /^2026-02 +1\.00 USDT +█+[▏▎▍▌▋▊▉]?$/m)
    const series = timelineText(terminal, timeline, "seller", "Nothing.")
    assert.match(series, /^Ada +12\.00 USDT +3 +▅·█$/m)
    assert.match(series, /^Others +1\.00 USDT +1 +·█·$/m)
  })

  it("are plain numbers elsewhere", () => {
    const page = { isTerminal: false, width: 80, canColor: false }
    assert.strictEqual(
      timelineText(page, timeline, "seller", "Nothing."),
      "Ada\t2026-01\t4.00 USDT\nAda\t2026-03\t8.00 USDT\nOthers\t2026-02\t1.00 USDT"
    )
    assert.strictEqual(timelineText(page, total, "total", "Nothing.").split("\n")[1], "2026-02\t1.00 USDT")
    assert.strictEqual(timelineText(terminal, { ...timeline, series: [] }, "total", "Nothing."), "Nothing.")
  })

  it("need a UTF-8 locale", () => {
    assert.isTrue(hasUnicode({ LANG: "en_US.UTF-8" }))
    assert.isTrue(hasUnicode({ LANG: "C", LC_ALL: "de_DE.utf8" }))
    assert.isFalse(hasUnicode({ LANG: "en_US.UTF-8", LC_ALL: "C" }))
    assert.isFalse(hasUnicode({}))
  })
})
