import { assert, describe, it } from "@effect/vitest"
import { CliOutput } from "effect/cli"
import * as fc from "fast-check"
import { table } from "../../src/terminal/table.ts"

const columns = [
  { title: "ID", value: (row: readonly [string, string]) => row[0] },
  { title: "WHAT", value: (row: readonly [string, string]) => row[1], yields: true }
]

describe("tables", () => {
  it("are no wider than the terminal, in any script (CLI-10)", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.constantFrom("メール整理".repeat(20), "👩‍💻".repeat(30))
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 40, max: 120 }), (texts, width) => {
        const rows = texts.map((what) => ["soul_1", what] as const)
        const lines = table({ isTerminal: true, width, canColor: false }, rows, columns).split("\n")
        assert.strictEqual(lines.length, rows.length + 1)
        for (const line of lines) assert.isAtMost(CliOutput.displayWidth(line), width)
      })
    )
  })

  it("have one line per row, cells separated by tabs and nothing shortened, without a terminal", () => {
    const page = { isTerminal: false, width: 20, canColor: false }
    const long = "word ".repeat(30).trim()
    assert.strictEqual(
      table(
        page,
        [
          ["a", long],
          ["b", "x\ty\nz"]
        ],
        columns
      ),
      `a\t${long}\nb\tx y z`
    )
  })

  it("have a bold header with colors, and plain text without", () => {
    const rows = [["a", "b"]] as const
    assert.notInclude(table({ isTerminal: true, width: 80, canColor: false }, rows, columns), "\u001B")
    assert.include(table({ isTerminal: true, width: 80, canColor: true }, rows, columns), "\u001B[1mID")
  })
})
