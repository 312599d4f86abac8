import * as fc from "fast-check"
import { assert, describe, it, vi } from "vitest"
import { parseJson } from "../../src/nodes/parseJson.ts"

/** The parsed value as text, or that the text is not JSON. */
const outcome = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    assert.instanceOf(error, SyntaxError)
    return "not JSON"
  }
}

const same = (bytes: Uint8Array): void => {
  const buffer = Buffer.from(bytes)
  assert.strictEqual(
    outcome(() => parseJson(buffer)),
    outcome(() => JSON.parse(buffer.toString("utf8"))),
    buffer.toString("utf8")
  )
}

const space = fc.constantFrom("", " ", "\n\t ", "\r\n")

/** An array with spaces where JSON allows them, and texts with quotes, brackets, escapes and characters of several bytes. */
const list = fc
  .array(fc.tuple(space, fc.jsonValue({ stringUnit: "binary" }), space), { maxLength: 6 })
  .map((elements) => `[${elements.map(([before, value, after]) => before + JSON.stringify(value) + after).join(",")}]`)

describe("JSON of nodes", () => {
  it("has the same value as with JSON.parse", () => {
    fc.assert(
      fc.property(fc.oneof(list, fc.json()), (text) => same(Buffer.from(text))),
      { numRuns: 1000 }
    )
  })

  it("is rejected if JSON.parse rejects it", () => {
    const part = fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", " ", "1", "null", '"a"', '{"a":1}', "[]", "é")
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => same(Buffer.from(`[${parts.join("")}`))),
      { numRuns: 5000 }
    )
    for (const text of [
      "",
      "[",
      "[]",
      "[ ]",
      "[1,]",
      "[,1]",
      "[1]]",
      "[1,2}",
      "[1,2] x",
      '["a,b',
      '["\\"]',
      " [1,2]",
      "[1,2]\n"
    ])
      same(Buffer.from(text))
  })

  it("is not split if it has too many elements, or millions of commas without any", () => {
    for (const text of [`[${"0,".repeat(20_001)}0]`, `[${"0,".repeat(1_000_000)}0]`, `[${",".repeat(4_000_000)}]`]) {
      const bytes = Buffer.from(text)
      const texts = vi.spyOn(bytes, "toString")
      assert.strictEqual(
        outcome(() => (parseJson(bytes) as ReadonlyArray<unknown>).length),
        outcome(() => (JSON.parse(text) as ReadonlyArray<unknown>).length)
      )
      assert.lengthOf(texts.mock.calls, 1)
    }
  })

  it("is decoded as a whole text if it is not UTF-8", () => {
    fc.assert(
      fc.property(
        list,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        (text, changes) => {
          const bytes = Buffer.from(text)
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          same(bytes)
        }
      ),
      { numRuns: 2000 }
    )
  })
})
