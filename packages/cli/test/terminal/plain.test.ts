import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { plain } from "../../src/terminal/plain.ts"
import { safeJson } from "../../src/terminal/safeJson.ts"

const obeyed = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2060-\u206F]/

/** Texts in which what a terminal obeys is frequent. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u001B[2J", "\u001B]0;title\u0007", "\u009B31m", "\u202E", "\r", "\n", "\t", "\u001B", "\u2028")
    )
  )
  .map((parts) => parts.join(""))

describe("texts of strangers", () => {
  it("neither move the cursor, nor recolour, nor name the window, nor begin a line", () => {
    const name = "Mail\u001B[31m Sorter\u001B]0;owned\u0007\r\nerror: send money\u202E gnp\u0000\u009B2J"
    assert.strictEqual(plain.line(name), "Mail Sorter error: send money gnp")
    assert.strictEqual(plain.text("one\u001B[2J\r\n\ttwo\u2028"), "one\n\ttwo")
  })

  it("keep letters of every script, accents and emoji", () => {
    for (const name of ["Crème brûlée", "メール整理", "بريد", "👩‍💻 Coder", "e\u0301"])
      assert.strictEqual(plain.line(name), name)
  })

  it("hold nothing that a terminal obeys, whatever they are", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.notMatch(plain.line(text), obeyed)
        assert.notMatch(plain.text(text), /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
      })
    )
  })

  it("are the same in JSON when it is parsed, which holds nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = safeJson({ text })
        assert.notMatch(json, /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
        assert.deepStrictEqual(JSON.parse(json), JSON.parse(JSON.stringify({ text })))
      })
    )
  })
})
