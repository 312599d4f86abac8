import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { Listing, PricingModel } from "@agent-marketplace/core/listings/Listing"
import type { Currency } from "@agent-marketplace/core/money/ExchangeRates"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** The words of a text, each after a space, so that a space and a prefix find the words that start with it. */
const searchIndex = (text: string): string =>
  SearchText.words(text)
    .map((word) => ` ${word}`)
    .join("")

/** The fields that lists filter and sort an item by. */
export interface Facets {
  readonly id: ItemId
  readonly creatorId: AccountId
  /** Whether the item is public. */
  readonly listed: boolean
  readonly deleted: boolean
  /** A listing's status, a soul's visibility. */
  readonly state: string
  readonly category: string
  readonly price: Usdt
  readonly currency: Currency
  readonly featured: boolean
  readonly pricingModel: PricingModel
  readonly tags: ReadonlyArray<string>
  readonly createdAt: Timestamp
  /** The words of name, tags, creator and description, in descending order of relevance. */
  readonly words: ReadonlyArray<string>
}

const wordsOf = (name: string, tags: ReadonlyArray<string>, creator: string, description: string) =>
  [name, tags.join(" "), creator, description].map(searchIndex)

export const listingFacets = (listing: Listing): Facets => ({
  id: listing.id,
  creatorId: listing.creatorId,
  listed: isPublic(listing),
  deleted: listing.status === "deleted",
  state: listing.status,
  category: listing.category,
  price: listing.price,
  currency: listing.currency,
  featured: listing.featured,
  pricingModel: listing.pricingModel,
  tags: listing.tags,
  createdAt: listing.createdAt,
  words: wordsOf(listing.name, listing.tags, listing.creatorName, listing.description)
})

export const soulFacets = (soul: Soul): Facets => ({
  id: soul.id,
  creatorId: soul.authorId,
  listed: isListed(soul),
  deleted: soul.deleted,
  state: soul.visibility,
  category: soul.category,
  price: soul.price,
  currency: "USDC",
  featured: false,
  pricingModel: soul.price === 0n ? "free" : "one_time",
  tags: soul.tags,
  createdAt: soul.createdAt,
  words: wordsOf(soul.name, soul.tags, soul.author, soul.description)
})
