import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Review } from "@agent-marketplace/core/listings/Review"
import { Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"

/** Writes the author's one review and the statistics with it; none without a live license. */
export const putReview = (tables: MarketTables, review: Review, now: Timestamp): Option.Option<Review> => {
  const { authorId, listingId } = review
  if (!hasLiveLicense(tables, authorId, listingId, now)) return Option.none()
  const reviews = tables.reviews.get(listingId) ?? new Map<Review["authorId"], Review>()
  const before = reviews.get(authorId)
  const written = before === undefined ? review : { ...review, id: before.id, createdAt: before.createdAt }
  const sum = (tables.ratings.get(listingId)?.sum ?? 0) - (before?.rating ?? 0) + written.rating
  tables.reviews.set(listingId, reviews.set(authorId, written))
  tables.ratings.set(listingId, {
    sum,
    reviews: reviews.size,
    rating: Math.round((sum * 100) / reviews.size) / 100
  })
  return Option.some(written)
}
