/** Letters that Unicode does not decompose, so that folding must name them. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ŧ: "t"
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæœøđðþłħıŋŧ]/g, (letter) => letters[letter] ?? letter)

/** Texts as a search sees them: words without case and accents. */
export const SearchText: {
  readonly words: (text: string) => ReadonlyArray<string>
  /** The words, a blank before each, so that a blank and a prefix find the words that start with it. */
  readonly index: (text: string) => string
} = {
  words: (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [],
  index: (text) =>
    SearchText.words(text)
      .map((word) => ` ${word}`)
      .join("")
}
