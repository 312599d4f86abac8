import { array, assert, constantFrom, property, string } from "fast-check"
import { expect, test } from "vitest"
import { AhoCorasick } from "../src/signals/AhoCorasick.ts"

/** Every occurrence: the index of the literal, its start and its end. */
const occurrences = (literals: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  literals.flatMap((literal, index) =>
    Array.from({ length: text.length }, (_, start) => start)
      .filter((start) => literal !== "" && text.startsWith(literal, start))
      .map((start) => `${index} ${start} ${start + literal.length}`)
  )

const found = (search: AhoCorasick, text: string): ReadonlyArray<string> => {
  const matches: Array<string> = []
  search.search(text, (literal, start, end) => matches.push(`${literal} ${start} ${end}`))
  return matches
}

/** Few characters, so that literals share prefixes and are suffixes of one another. */
const textOf = (maxLength: number) => string({ unit: constantFrom("a", "b", "c", "é", "私", "😀"), maxLength })

test("SCAN-6 every occurrence of every literal is found, in one text after another", () => {
  assert(
    property(
      array(textOf(6), { maxLength: 30 }),
      array(textOf(60), { minLength: 1, maxLength: 4 }),
      (literals, texts) => {
        const search = new AhoCorasick(literals)
        for (const text of texts) expect(found(search, text).toSorted()).toEqual(occurrences(literals, text).toSorted())
      }
    ),
    { numRuns: 500 }
  )
})

test("occurrences are reported in the order of their ends, the longest first", () => {
  const search = new AhoCorasick(["he", "she", "hers", "he"])
  expect(found(search, "ushers")).toEqual(["1 1 4", "0 2 4", "3 2 4", "2 2 6"])
})
