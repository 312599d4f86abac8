/** The data of the benchmark's market. Each record is derived from its number, so every process can compute it. */
import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import { createHash } from "node:crypto"

export interface Sizes {
  readonly buyers: number
  readonly sellers: number
  readonly souls: number
  readonly listings: number
}

/** The first listings belong to the first seller; each in turn is the viral item. */
export const viralListings = 100

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

const sortable = (n: number): string => {
  let text = ""
  for (let rest = n; text.length < 9; rest = Math.floor(rest / 32)) text = alphabet.charAt(rest % 32) + text
  return text
}

/** Ids in the format of the market: they sort by their number, and the other characters look random. */
const idOf = (prefix: string, kind: string, n: number): string => {
  let text = ""
  for (const byte of digest(`${kind} ${n}`).subarray(0, 16)) text += alphabet.charAt(byte & 31)
  return prefix + sortable(n) + text
}

/** Sellers come first, then buyers. */
export const accountId = (n: number): string => idOf("usr_", "account", n)
export const keyId = (n: number): string => idOf("key_", "key", n)
export const soulId = (n: number): string => idOf("soul_", "soul", n)
export const listingId = (n: number): string => idOf("lst_", "listing", n)

/** The API key of an account, by its number. */
export const tokenOf = (n: number): string => ApiKeyToken.make(digest(`token ${n}`))

export const soulSlug = (n: number): string => `${phrase(n, 3).replaceAll(" ", "-")}-${n}`

export const sellerOf = (listing: number, { sellers }: Sizes): number =>
  listing < viralListings ? 0 : listing % sellers

/** The listing that a buyer buys in a round: no pair of buyer and listing occurs twice, and consecutive purchases have different buyers and listings. */
export const listingFor = (buyer: number, round: number, { listings }: Sizes): number =>
  viralListings + ((buyer * 31 + round * 17) % (listings - viralListings))

/** Common search words, which occur in about every third text. */
export const commonWords = ["agent", "data", "workflow", "report"] as const

const syllables = "ba de fi go ku la me ni po ru sa to".split(" ")

/** 1,728 words, none of which is a prefix of another. */
const word = (n: number): string =>
  [1, 12, 144].map((place) => syllables[Math.floor(n / place) % syllables.length] ?? "ba").join("")

const vocabulary = syllables.length ** 3

/** A small pseudo-random number generator with the same sequence on every run. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

export const phrase = (seed: number, length: number): string => {
  const next = numbers(seed)
  return Array.from({ length }, () => word(next(vocabulary))).join(" ")
}

/** One or more sentences. In one text out of ten, every third word is a common word. */
export const prose = (seed: number, length: number): string => {
  const next = numbers(seed)
  return Array.from({ length }, (_, i) =>
    i % 10 === 3 && next(3) === 0 ? (commonWords[next(commonWords.length)] ?? "agent") : word(next(vocabulary))
  ).join(" ")
}

/** Two words that each occur in one listing out of a hundred. */
export const wordPair = (n: number): string => `${word(n)} ${word(Math.floor(n / vocabulary) * 7 + n + 11)}`
