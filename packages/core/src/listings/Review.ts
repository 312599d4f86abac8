import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ListingId, ReviewId } from "../ids/Ids.ts"

/** A license holder's judgement, one per buyer and listing (REVIEW-1, REVIEW-3). */
export interface Review {
  readonly id: ReviewId
  readonly listingId: ListingId
  readonly authorId: AccountId
  readonly author: string
  /** 1 to 5. */
  readonly rating: number
  readonly comment: string | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
