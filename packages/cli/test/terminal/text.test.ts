import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { safeJson } from "../../src/terminal/report.ts"
import { plain } from "../../src/terminal/text.ts"
import { assertHarmless } from "../running/assertHarmless.ts"

/** Random texts with many control characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u001B[2J", "\u001B]0;title\u0007", "\u009B31m", "\u202E", "\r", "\n", "\t", "\u001B", "\u2028")
    )
  )
  .map((parts) => parts.join(""))

describe("texts of other users", () => {
  it("cannot move the cursor, change colors, set the window title or start a line", () => {
    const name = "Mail\u001B[31m Sorter\u001B]0;owned\u0007\r\nerror: send money\u202E gnp\u0000\u009B2J"
    assert.strictEqual(plain.line(name), "Mail Sorter error: send money gnp")
    assert.strictEqual(plain.text("one\u001B[2J\r\n\ttwo\u2028"), "one\n\ttwo")
  })

  it("keep letters of every script, accents and emoji", () => {
    for (const name of ["Crème brûlée", "メール整理", "بريد", "👩‍💻 Coder", "e\u0301"])
      assert.strictEqual(plain.line(name), name)
  })

  it("never contain a control sequence (CLI-10)", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assertHarmless(plain.line(text))
        assert.notMatch(plain.line(text), /[\n\t]/)
        assertHarmless(plain.text(text))
      })
    )
  })

  it("are unchanged in parsed JSON, whose text contains no control sequence", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = safeJson({ text })
        assertHarmless(json)
        assert.deepStrictEqual(JSON.parse(json), JSON.parse(JSON.stringify({ text })))
      })
    )
  })
})
