import { foldText } from "./text/foldText.ts"

/** Words in one shingle. */
const width = 8
/** Kept hashes of one text; texts of any length are compared in the same time. */
const kept = 512

/** FNV-1a over the words from `from` on. */
const hashOf = (words: ReadonlyArray<string>, from: number): number => {
  let hash = 0x811c9dc5
  for (let i = from; i < from + width; i++) {
    const word = words[i] ?? ""
    for (let c = 0; c < word.length; c++) hash = Math.imul(hash ^ word.charCodeAt(c), 0x01000193)
    hash = Math.imul(hash ^ 32, 0x01000193)
  }
  return hash >>> 0
}

/** A sketch of a text: the smallest hashes of its shingles, sorted. Equal texts have equal sketches. */
export const shingles = (text: string): ReadonlyArray<number> => {
  const words = foldText(text)
    .split(/\s/u)
    .filter((word) => word !== "")
  const hashes = new Set<number>()
  for (let i = 0; i + width <= words.length; i++) hashes.add(hashOf(words, i))
  return [...hashes].toSorted((a, b) => a - b).slice(0, kept)
}

/** The estimated share of common shingles of two texts, 0 to 1, in one pass over both sketches. */
export const similarity = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  let common = 0
  let union = 0
  for (let i = 0, j = 0; (i < a.length || j < b.length) && union < kept; union++) {
    const left = a[i] ?? Infinity
    const right = b[j] ?? Infinity
    if (left === right) common++
    if (left <= right) i++
    if (right <= left) j++
  }
  return union === 0 ? 0 : common / union
}
