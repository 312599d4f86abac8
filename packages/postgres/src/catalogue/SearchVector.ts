import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** Spreads ids evenly (FNV-1a). */
const hash = (id: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

const shards = [5, 4, 3, 2, 1, 0] as const

const fields = ["n", "t", "c", "d"] as const

/** Every shard holds three times as many listings as all smaller ones together: 5 holds a 1024th part, 0 three quarters. */
const shardOf = (id: string): number => {
  const part = hash(id) % 1024
  return shards.find((shard) => part < 4 ** (5 - shard)) ?? 0
}

/** A separate shard for items that are not listed, which only their creator can find. */
const apart = "x"

interface Words {
  readonly id: string
  readonly name: string
  readonly tags: ReadonlyArray<string>
  readonly creatorName: string
  readonly description: string
}

/** A `tsquery` for entries that start with the word at one of the places. Words hold letters and digits only, so they need no escaping. */
const prefix = (places: ReadonlyArray<string | number>, field: string, word: string): string =>
  places.map((place) => `'${place}${field}${word}':*`).join("|")

/**
 * The words by which a listing is found, as a `tsvector`. Each entry is shard, field and word: `n` for words of the name, `t` for name and
 * tags, `c` for these and the creator's name, `d` for all. So "all words in the name" is one index lookup, and so is a small part of
 * the listings: a word that half of them contain stays cheap.
 */
export const SearchVector = {
  /** A `tsvector`; `listed` means that the item is public. */
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
  /** A `tsquery`: the word is a prefix of a word of the field, in any shard or in the separate one. */
  query: (field: (typeof fields)[number], word: string): string => prefix([...shards, apart], field, word),
  /** The search terms of `search_listings`, each a `tsquery`: for each word and field, each shard from the smallest on, then all shards together. */
  terms: (words: ReadonlyArray<string>): ReadonlyArray<string> =>
    words.flatMap((word) =>
      fields.flatMap((field) => [...shards.map((shard) => prefix([shard], field, word)), prefix(shards, field, word)])
    )
}
