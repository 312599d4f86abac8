import { assert, describe, it } from "@effect/vitest"
import { SearchText } from "../../src/listings/SearchText.ts"

describe("SearchText", () => {
  it("folds case, accents and letters that Unicode does not decompose", () => {
    assert.deepStrictEqual(SearchText.words("Crème Brûlée: Straße, ŁÓDŹ & Ærø"), [
      "creme",
      "brulee",
      "strasse",
      "lodz",
      "aero"
    ])
  })

  it("keeps words of every script and drops what is no letter or digit", () => {
    assert.deepStrictEqual(SearchText.words("日本語 — v2.0 🎉"), ["日本語", "v2", "0"])
    assert.deepStrictEqual(SearchText.words("!!! …"), [])
  })
})
