import type { Timestamp } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, ItemId, ReviewId } from "../ids/Ids.ts"

/** A buyer's rating of a listing or soul, one per buyer and item (REVIEW-1, REVIEW-3). */
export interface Review {
  readonly id: ReviewId
  readonly itemId: ItemId
  readonly authorId: AccountId
  readonly author: string
  /** 1 to 5. */
  readonly rating: number
  readonly comment: string | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The fields of a review that the reviewer sets. */
export type ReviewDraft = Pick<Review, "rating" | "comment">

/** The item of a review, for its event. */
export interface ReviewedItem {
  readonly creatorId: AccountId
  readonly name: string
}

/** The event of a new review, which notifies the creator (NOTIFY-1). A changed review has none. */
export const reviewPosted = (review: Review, { creatorId, name }: ReviewedItem): MarketEvent => ({
  type: "review.posted",
  at: review.createdAt,
  subject: review.itemId,
  accounts: [creatorId],
  data: { reviewId: review.id, itemId: review.itemId, name, rating: review.rating }
})
