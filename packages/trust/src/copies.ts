import { boilerplate } from "./boilerplate.ts"
import { foldText } from "./text/foldText.ts"
import type { Finding } from "./Verdict.ts"

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

/** The hashes of all shingles, in no order. */
const hashesOf = (text: string): ReadonlySet<number> => {
  const words = foldText(text)
    .split(/\s/u)
    .filter((word) => word !== "")
  const hashes = new Set<number>()
  for (let i = 0; i + width <= words.length; i++) hashes.add(hashOf(words, i))
  return hashes
}

const ignored: ReadonlySet<number> = new Set(boilerplate.flatMap((passage) => [...hashesOf(passage)]))

/** The hashes of a text's shingles, sorted, without those of licenses. */
const ownHashes = (text: string): ReadonlyArray<number> =>
  [...hashesOf(text)].filter((hash) => !ignored.has(hash)).toSorted((a, b) => a - b)

/** A sketch of a text: the smallest hashes of its shingles, sorted, without those of licenses. Equal texts have equal sketches. */
export const shingles = (text: string): ReadonlyArray<number> => ownHashes(text).slice(0, kept)

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

/** Texts with fewer shingles are not compared: two authors may write the same few sentences (SCAN-18). */
const fewestShingles = 64

/** A text with at least this share of common shingles is reported as a copy (SCAN-12). */
const copyShare = 0.7

/** The finding about a text that nearly equals another item's; undefined if it does not. `name` is how the evidence names that item. */
export const copyFinding = (
  file: string,
  own: ReadonlyArray<number>,
  other: { readonly name: string; readonly shingles: ReadonlyArray<number> }
): Finding | undefined => {
  if (own.length < fewestShingles) return undefined
  const share = similarity(own, other.shingles)
  if (share < copyShare) return undefined
  return {
    rule: "SKILL-COPY-001",
    level: "warn",
    family: "copies",
    file,
    line: 0,
    evidence: `${Math.round(share * 100)} % as in ${other.name}`,
    message: "Nearly the same text as another creator's item. Write your own, or ask that creator.",
    owasp: "AST04"
  }
}

/** What of a text is stored, to find other texts that nearly equal it. */
export interface Sketch {
  /** See {@link shingles}. */
  readonly shingles: ReadonlyArray<number>
  /**
   * 32 signed 32-bit integers for an index. Texts with the share s of common shingles have at least one in common with the probability
   * 1 - (1 - s⁴)³²: 0.9998 for 0.7, 0.87 for 0.5, 0.05 for 0.2. Texts of more than 16,384 shingles and different lengths have fewer.
   */
  readonly keys: ReadonlyArray<number>
}

/** The keys of longer texts are those of so many of their hashes; they take less than 50 ms. */
const mostKeyed = 16_384

const bands = 32
/** Hash functions of one band. */
const rows = 4

/** A permutation of 32-bit integers for each seed (the finalizer of MurmurHash3). */
const permuted = (hash: number, seed: number): number => {
  let mixed = hash ^ Math.imul(seed + 1, 0x9e3779b9)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const smallest = (hashes: ReadonlyArray<number>, seed: number): number => {
  let least = 0xffffffff
  for (const hash of hashes) least = Math.min(least, permuted(hash, seed))
  return least
}

/** One key for each band: a hash of its smallest permuted hashes. */
const keyOf = (hashes: ReadonlyArray<number>, band: number): number => {
  let key = band
  for (let row = 0; row < rows; row++) key = permuted(key ^ smallest(hashes, band * rows + row), row)
  return key | 0
}

/** The sketch of a text; null if the text is too short to be compared (SCAN-18). */
export const sketchOf = (text: string): Sketch | null => {
  const all = ownHashes(text)
  if (all.length < fewestShingles) return null
  const keyed = all.slice(0, mostKeyed)
  return { shingles: all.slice(0, kept), keys: Array.from({ length: bands }, (_, band) => keyOf(keyed, band)) }
}
