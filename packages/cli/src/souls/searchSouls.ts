import type { SoulItem } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { callMarket } from "../identity/session.ts"

interface SoulFilter {
  readonly category: string | undefined
  readonly tags: string | undefined
}

/** How many SOULs are searched for words: ten requests. */
const mostLookedThrough = 1000

const has = (soul: SoulItem, words: ReadonlyArray<string>): boolean => {
  const text = [soul.name, soul.description, soul.author, soul.category, ...soul.tags].join(" ").toLowerCase()
  return words.every((word) => text.includes(word.toLowerCase()))
}

/** A page of SOULs. The market filters by category and tag; words are matched here, in the newest 1,000 SOULs. */
export const searchSouls = (words: ReadonlyArray<string>, filter: SoulFilter, page: number, limit: number) => {
  const offset = (page - 1) * limit
  if (words.length === 0)
    return callMarket((market, options) => market.souls.list({ ...filter, limit, offset }, options))
  return Effect.map(
    callMarket(async (market, options) => {
      const found: Array<SoulItem> = []
      let seen = 0
      for await (const soul of market.souls.iterate(filter, options)) {
        if (has(soul, words)) found.push(soul)
        seen += 1
        if (seen === mostLookedThrough || found.length > offset + limit) break
      }
      return found
    }),
    (found) => ({
      souls: found.slice(offset, offset + limit),
      pagination: { limit, offset, hasMore: found.length > offset + limit }
    })
  )
}
