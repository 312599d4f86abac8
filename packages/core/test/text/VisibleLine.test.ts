import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { VisibleLine, visibleLine } from "../../src/text/VisibleLine.ts"

describe("VisibleLine", () => {
  it("refuses controls, line breaks, bidirectional, zero-width and tag characters by name (TEXT-3)", () => {
    const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
      "a\tb": ["U+0009"],
      "a\u001b[31mb": ["U+001B"],
      "a\nb\rc": ["U+000A", "U+000D"],
      "a\u0085b": ["U+0085"],
      "a\u2028b\u2029c": ["U+2028", "U+2029"],
      "invoice\u202efdp.exe": ["U+202E"],
      "a\u2066b\u2069": ["U+2066", "U+2069"],
      "a\u061cb\u200eb\u200f": ["U+061C", "U+200E", "U+200F"],
      "a\u200bb\u2060c\ufeffd": ["U+200B", "U+2060", "U+FEFF"],
      "a\u00adb\u034fb\u115fb\u3164": ["U+00AD", "U+034F", "U+115F", "U+3164"],
      "hi\u{e0041}\u{e0042}": ["U+E0041", "U+E0042"],
      "🏴\u{e0067}\u{e0062}\u{e007f}": ["U+E0067", "U+E0062", "U+E007F"],
      "a\ufe0fb\u{e0100}": ["U+FE0F", "U+E0100"]
    }
    for (const [line, names] of Object.entries(refused)) assert.deepStrictEqual(VisibleLine.refused(line), names, line)
    assert.strictEqual(VisibleLine.violation("a\u202eb\u202e"), "must be one line of visible text, without U+202E")
  })

  it("refuses a line without a visible character, and allows blanks beside one (TEXT-9)", () => {
    for (const blank of ["\u2800", "\u2800 \u2800\u2800", "\u00a0\u3000", "\u{1d159}", "\u0301"]) {
      assert.strictEqual(VisibleLine.violation(blank), "must have at least one visible character")
    }
    for (const filler of ["\u3164", "\u115f", "\u1160", "\uffa0"]) assert.isDefined(VisibleLine.violation(filler))
    for (const line of ["", "⠃⠗\u2800⠇", "a\u2800", "\u0600", "❤️", "."])
      assert.isUndefined(VisibleLine.violation(line), line)
  })

  it("allows joiners only between characters of scripts and emoji that need them (TEXT-4)", () => {
    for (const line of [
      "👩‍💻 coder",
      "👩🏽‍🚀",
      "🏳️‍🌈 flag",
      "❤️",
      "1️⃣ first",
      "می‌خواهم",
      "क्‍ष",
      "ශ්‍රී",
      "葛󠄀城",
      "Zoë O’Neill – naïve",
      "日本語の名前",
      "عربي ١٢٣",
      "שלום"
    ]) {
      assert.deepStrictEqual(VisibleLine.refused(line), [], line)
    }
    for (const line of [
      "a\u200db",
      "a\u200cb",
      "pay\u200dpal",
      "👩\u200d",
      "\u200d👩",
      "👩\u200dx",
      "می\u200c",
      "a\u200d👩"
    ]) {
      assert.lengthOf(VisibleLine.refused(line), 1, line)
    }
  })

  it("is a bounded text without leading and trailing blanks", () => {
    const decode = Schema.decodeUnknownResult(visibleLine({ min: 1, max: 5 }))
    assert.deepStrictEqual(decode(" Ada\n"), Result.succeed("Ada"))
    assert.isTrue(Result.isFailure(decode("a\u200bb")))
    assert.isTrue(Result.isFailure(decode("abcdef")))
  })
})
