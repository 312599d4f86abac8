import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Text } from "../../src/text/Text.ts"

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom("a", "é", "🦀", "\ud83e", "\udd80", "\0")).map((parts) => parts.join(""))
)

describe("Text (TEXT-1, TEXT-2)", () => {
  it("counts code points", () => {
    assert.strictEqual(Text.codePoints("a🦀é"), 3)
    fc.assert(fc.property(anyText, (s) => assert.strictEqual(Text.codePoints(s), [...s].length)))
  })

  it("clips by code points and splits no surrogate pair", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (s, n) => assert.strictEqual(Text.clip(s, n), [...s].slice(0, n).join("")))
    )
  })

  it("is clean exactly without NUL and unpaired surrogates", () => {
    for (const s of ["", "a🦀é", "\n\t"]) assert.isTrue(Text.isClean(s))
    for (const s of ["\0", "a\0b", "\ud83e", "\udd80\ud83e", "a\ud83eb"]) assert.isFalse(Text.isClean(s))
    fc.assert(
      fc.property(anyText, (s) => {
        const survivesUtf8 = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(s)) === s
        assert.strictEqual(Text.isClean(s), survivesUtf8 && !s.includes("\0"))
      })
    )
  })
})
