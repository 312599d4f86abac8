/** Something that the search finds. */
export interface SearchEntry {
  /** What it is, or where it stands. */
  readonly kind: string
  readonly title: string
  /** Below `/docs`. */
  readonly path: string
  readonly text: string
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const scoreOf = (word: string, title: ReadonlyArray<string>, text: ReadonlyArray<string>): number => {
  if (title.includes(word)) return 8
  if (title.some((each) => each.startsWith(word))) return 5
  if (text.includes(word)) return 2
  return text.some((each) => each.startsWith(word)) ? 1 : 0
}

/** A function that finds the entries in which every word of a query starts a word, best first. */
export const makeSearch = (entries: ReadonlyArray<SearchEntry>) => {
  const known = entries.map((entry) => ({
    entry,
    title: wordsOf(entry.title),
    text: wordsOf(`${entry.kind} ${entry.text}`)
  }))
  return (query: string, most: number): ReadonlyArray<SearchEntry> => {
    const words = wordsOf(query)
    if (words.length === 0) return []
    return known
      .map(({ entry, text, title }, index) => {
        const scores = words.map((word) => scoreOf(word, title, text))
        const score = scores.includes(0) ? 0 : scores.reduce((sum, each) => sum + each, 0) - title.length / 10
        return { entry, index, score }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most)
      .map(({ entry }) => entry)
  }
}
