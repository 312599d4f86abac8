import type { AccountId, ItemId } from "../ids/Ids.ts"

/** From this number of sales on, an item's name is protected from near ones (NAME-3). */
export const popularSales = 50

/** A name that an item takes, and of which the items of its creator do not matter. */
export interface ClaimedName {
  readonly name: string
  readonly creatorId: AccountId
}

/** What other creators' public items say about a name. */
export interface NameFindings {
  /** An item whose name is spelled differently and looks the same (NAME-1). */
  readonly similar: ItemId | null
  /** Whether an item has exactly this name (NAME-2). */
  readonly same: boolean
  /** An item with at least {@link popularSales} sales whose name is the same or differs in one character (NAME-3). */
  readonly popular: ItemId | null
}

/** The findings of a name that nobody else's resembles. */
export const noFindings: NameFindings = { similar: null, same: false, popular: null }

/** Whether two texts are equal, or become equal when one character is added, removed or replaced in one of them. */
export const isWithinOne = (one: string, other: string): boolean => {
  const [short, long] = [Array.from(one), Array.from(other)].sort((a, b) => a.length - b.length) as [
    Array<string>,
    Array<string>
  ]
  if (long.length - short.length > 1) return false
  const same = short.findIndex((character, i) => character !== long[i])
  if (same === -1) return true
  const rest = short.length === long.length ? short.slice(same + 1) : short.slice(same)
  return rest.join("") === long.slice(same + 1).join("")
}
