import { fold } from "./fold.ts"
import { Text } from "./Text.ts"

const maxWordLength = 64

const maxWantedWords = 32

const words = (text: string): ReadonlyArray<string> => {
  const found = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(found.map((word) => Text.clip(word, maxWordLength)))]
}

/** Splits texts and queries into search words (SEARCH-4). */
export const SearchText: {
  /**
   * The distinct words of a text, in the order of their first use: runs of letters and digits of any script, without case and accents,
   * shortened to 64 code points.
   */
  readonly words: (text: string) => ReadonlyArray<string>
  /**
   * The words of a query: the first 32 distinct ones, without those that are a prefix of another. Undefined for a blank query, which does not
   * filter. Empty for a query without words, which finds nothing.
   */
  readonly wanted: (search: string | undefined) => ReadonlyArray<string> | undefined
} = {
  words,
  wanted: (search) => {
    if (search === undefined || search.trim() === "") return undefined
    const all = words(search).slice(0, maxWantedWords)
    return all.filter((word) => !all.some((other) => other !== word && other.startsWith(word)))
  }
}
