import { fold } from "./fold.ts"
import { Text } from "./Text.ts"

const maxWordLength = 64

const maxWantedWords = 32

const words = (text: string): ReadonlyArray<string> => {
  const found = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(found.map((word) => Text.clip(word, maxWordLength)))]
}

/** Texts as a search sees them (SEARCH-4). */
export const SearchText: {
  /**
   * The different words of a text, in the order of their first use: runs of letters and digits of any script, without case and accents, cut to
   * 64 code points.
   */
  readonly words: (text: string) => ReadonlyArray<string>
  /**
   * What a search asks for: the first 32 different words, none of which only begins another. Undefined where the search is blank and so
   * asks for nothing; empty where it is not blank but holds no word, and so finds nothing.
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
