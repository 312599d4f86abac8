import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, ItemId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { Review, ReviewedItem } from "@agent-marketplace/core/listings/Review"
import { reviewPosted } from "@agent-marketplace/core/listings/Review"
import { entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import { Option } from "effect"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import type { MemoryMarket } from "../MemoryMarket.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"

/** An account that downloaded a free soul, which needs no license (SOUL-41). */
const hasFreeDownload = (tables: MarketTables, account: AccountId, item: ItemId): boolean =>
  tables.souls.get(item as SoulId)?.soul.price === 0n && tables.downloads.get(item as SoulId)?.has(account) === true

const rate = (tables: MarketTables, item: ItemId): void => {
  const reviews = [...(tables.reviews.get(item)?.values() ?? [])].filter(({ counts }) => counts)
  const sum = reviews.reduce((total, { review }) => total + review.rating, 0)
  const rating = reviews.length === 0 ? 0 : Math.round((sum * 100) / reviews.length) / 100
  tables.ratings.set(item, { rating, reviews: reviews.length })
}

const itemOf = (tables: MarketTables, id: ItemId): ReviewedItem | undefined => {
  const listing = tables.listings.get(id as ListingId)?.listing
  if (listing !== undefined) return { creatorId: listing.creatorId, name: listing.name }
  const soul = tables.souls.get(id as SoulId)?.soul
  return soul === undefined ? undefined : { creatorId: soul.authorId, name: soul.name }
}

/** Stores the author's one review and updates the statistics; nothing if the author may not review the item. */
export const putReview = (
  { append, tables }: MemoryMarket["Service"],
  review: Review,
  now: Timestamp
): Option.Option<Review> => {
  const { authorId, itemId } = review
  if (tables.erased.has(authorId)) return Option.none()
  if (!hasLiveLicense(tables, authorId, itemId, now) && !hasFreeDownload(tables, authorId, itemId)) return Option.none()
  const reviews = tables.reviews.get(itemId) ?? new Map()
  const before = reviews.get(authorId)?.review
  const written = before === undefined ? review : { ...review, id: before.id, createdAt: before.createdAt }
  tables.reviews.set(itemId, reviews.set(authorId, { review: written, counts: true }))
  rate(tables, itemId)
  const item = before === undefined ? itemOf(tables, itemId) : undefined
  if (item !== undefined) append([reviewPosted(written, item)])
  return Option.some(written)
}

/** After a refund that leaves the buyer without a purchase of the item: the buyer's review no longer counts (REVIEW-4). */
export const discountReview = (tables: MarketTables, buyer: AccountId, item: ItemId): void => {
  const purchases = Index.records(tables.purchasesOfItem, entitlementKey(buyer, item), tables.purchases)
  if (purchases.some(({ status }) => status === "completed")) return
  const reviews = tables.reviews.get(item)
  const found = reviews?.get(buyer)
  if (reviews === undefined || found === undefined) return
  reviews.set(buyer, { ...found, counts: false })
  rate(tables, item)
}
