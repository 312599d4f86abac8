import { SearchText } from "../../src/text/SearchText.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("SearchText (SEARCH-4)", () => {
  it("ignores case, accents and punctuation, and lists each word once", () => {
    assert.deepStrictEqual(SearchText.words("Café-Bot, CAFE\u0301 & straße: node.js!"), [
      "cafe",
      "bot",
      "strasse",
      "node",
      "js"
    ])
    assert.deepStrictEqual(SearchText.words("日本語 тест Ünïcode 🦞"), ["日本語", "тест", "unicode"])
  })

  it("a blank query does not filter, and a query without words finds nothing", () => {
    assert.isUndefined(SearchText.wanted(undefined))
    assert.isUndefined(SearchText.wanted(" \t\n"))
    assert.deepStrictEqual(SearchText.wanted("&& !() 🦞"), [])
  })

  it("omits a word that is a prefix of another one", () => {
    assert.deepStrictEqual(SearchText.wanted("age agent an agents"), ["an", "agents"])
  })

  it.prop(
    "accepts any text and returns at most 32 words of at most 64 characters, all letters and digits",
    [Schema.String],
    ([text]) => {
      const words = SearchText.wanted(text) ?? []
      assert.isAtMost(words.length, 32)
      for (const word of words) {
        assert.match(word, /^[\p{L}\p{N}]+$/u)
        assert.isAtMost([...word].length, 64)
      }
    }
  )

  it("is fast for ten thousand characters", () => {
    const text = Array.from({ length: 2500 }, (_, n) => n.toString(36))
      .join(" ")
      .slice(0, 10_000)
    assert.isAtMost((SearchText.wanted(text) ?? []).length, 32)
    assert.lengthOf(SearchText.wanted("x".repeat(10_000)) ?? [], 1)
  })
})
