import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** Spreads ids evenly (FNV-1a). */
const hash = (id: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

const shards = [5, 4, 3, 2, 1, 0] as const

const fields = ["n", "t", "c", "d"] as const

/** Every shard holds three times what all smaller ones hold: 5 is a 1024th part of the listings, 0 three quarters of them. */
const shardOf = (id: string): number => {
  const part = hash(id) % 1024
  return shards.find((shard) => part < 4 ** (5 - shard)) ?? 0
}

/** Beside the shards: what is not listed is found by nobody but its creator. */
const apart = "x"

interface Words {
  readonly id: string
  readonly name: string
  readonly tags: ReadonlyArray<string>
  readonly creatorName: string
  readonly description: string
}

/** What begins with the word at one of the places, as a `tsquery`. Words hold letters and digits only: nothing in them ends the quotation. */
const prefix = (places: ReadonlyArray<string | number>, field: string, word: string): string =>
  places.map((place) => `'${place}${field}${word}':*`).join("|")

/**
 * The words by which a listing is found, as a `tsvector`. Each is entered as shard, field and word: `n` for words of the name, `t` of name and
 * tags, `c` of these and the creator's name, `d` of all. So "all words in the name" is one look into the index, and so is a small
 * part of the listings: that is how a word that half of them hold stays cheap.
 */
export const SearchVector = {
  /** A `tsvector`; `listed`: everybody may find it. */
  of: ({ creatorName, description, id, name, tags }: Words, listed: boolean): string => {
    const shard = listed ? shardOf(id) : apart
    const texts = { n: name, t: tags.join(" "), c: creatorName, d: description }
    return fields
      .flatMap((field, index) => {
        const text = fields
          .slice(0, index + 1)
          .map((each) => texts[each])
          .join(" ")
        return SearchText.words(text).map((word) => `'${shard}${field}${word}'`)
      })
      .join(" ")
  },
  /** A `tsquery`: the word begins a word of the field, in whatever shard the listing is, or in none. */
  query: (field: (typeof fields)[number], word: string): string => prefix([...shards, apart], field, word),
  /** What `search_listings` looks for: for each word and field the shards from the smallest, one by one, then any of them. */
  terms: (words: ReadonlyArray<string>): ReadonlyArray<string> =>
    words.flatMap((word) =>
      fields.flatMap((field) => [...shards.map((shard) => prefix([shard], field, word)), prefix(shards, field, word)])
    )
}
