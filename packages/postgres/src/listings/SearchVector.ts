import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** Spreads ids evenly (FNV-1a). */
const hash = (id: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

/** One listing in 64 is in shard 2, seven are in shard 1, all others in shard 0. */
const shardOf = (id: string): 0 | 1 | 2 => {
  const part = hash(id) % 64
  if (part === 0) return 2
  return part < 8 ? 1 : 0
}

type Words = Pick<Listing, "id" | "name" | "tags" | "creatorName" | "description">

/**
 * The words by which a listing is found, as a `tsvector`. Each is entered as shard, field and word: `n` for words of the name, `t` of name and
 * tags, `c` of these and the creator's name, `d` of all. So "all words in the name" is one look into the index, and so is a small
 * part of the listings: that is how a word that half of them hold stays cheap.
 */
export const SearchVector = {
  of: ({ creatorName, description, id, name, tags }: Words): string => {
    const shard = shardOf(id)
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
  }
}
