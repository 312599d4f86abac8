import { assert, describe, it } from "vitest"
import { csvOf } from "../web/app/csv.ts"

const cell = (text: string | null): string => csvOf(["a"], [{ a: text }]).slice("a\r\n".length, -"\r\n".length)

describe("a table as CSV (CONSOLE-11)", () => {
  it("names its columns, and ends each line with CRLF", () => {
    const rows = [{ b: "2", a: "1" }, { a: null }]
    assert.strictEqual(csvOf(["a", "b"], rows), "a,b\r\n1,2\r\n,\r\n")
  })

  it("quotes separators, quotation marks and line breaks", () => {
    assert.strictEqual(cell('a,"b"'), '"a,""b"""')
    assert.strictEqual(cell("a\nb"), '"a\nb"')
  })

  it.each(["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "|calc", "%0A", '=HYPERLINK("x")'])(
    "makes a text of %j",
    (formula) => {
      const text = cell(formula)
      assert.isTrue(text.startsWith(`"'${formula.slice(0, 1)}`), text)
    }
  )

  it.each(["-5.00", "+5", "0", "12.345678", "wdr_1", "2026-11-23T17:28:00.000Z"])("keeps %j", (text) => {
    assert.strictEqual(cell(text), text)
  })

  it("takes no number with something behind it for a number", () => {
    assert.strictEqual(cell("-5\n=1"), `"'-5\n=1"`)
  })
})
