import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** Spreads ids evenly (FNV-1a). */
const hash = (id: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

const shards = [0, 1, 2, 3, 4, 5] as const

/** Every shard holds three times what all smaller ones hold: 5 is a 1024th part of the listings, 0 three quarters of them. */
const shardOf = (id: string): number => {
  const part = hash(id) % 1024
  return shards.findLast((shard) => shard === 0 || part < 4 ** (5 - shard)) ?? 0
}

/** Beside the shards: who is not approved is found by nobody but the creator. */
const apart = "x"

type Words = Pick<Listing, "id" | "status" | "name" | "tags" | "creatorName" | "description">

/**
 * The words by which a listing is found, as a `tsvector`. Each is entered as shard, field and word: `n` for words of the name, `t` of name and
 * tags, `c` of these and the creator's name, `d` of all. So "all words in the name" is one look into the index, and so is a small
 * part of the listings: that is how a word that half of them hold stays cheap.
 */
export const SearchVector = {
  /** A `tsvector`. */
  of: ({ creatorName, description, id, name, status, tags }: Words): string => {
    const shard = status === "approved" ? shardOf(id) : apart
    const fields = [
      ["n", name],
      ["t", `${name} ${tags.join(" ")}`],
      ["c", `${name} ${tags.join(" ")} ${creatorName}`],
      ["d", `${name} ${tags.join(" ")} ${creatorName} ${description}`]
    ] as const
    // Words hold letters and digits only, so that nothing in them can end the quotation.
    return fields
      .flatMap(([field, text]) => SearchText.words(text).map((word) => `'${shard}${field}${word}'`))
      .join(" ")
  },
  /** A `tsquery`: the word begins a word of the field, in whatever shard the listing is, or in none. */
  query: (field: "n" | "t" | "c" | "d", word: string): string =>
    [...shards, apart].map((shard) => `'${shard}${field}${word}':*`).join(" | ")
}
