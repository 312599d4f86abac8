import type { AccountId, ItemId, ReviewId } from "@agent-marketplace/core/ids/Ids"
import type { Listing, ListingStats } from "@agent-marketplace/core/listings/Listing"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import type { Review } from "@agent-marketplace/core/listings/Review"
import type { Row } from "../Columns.ts"
import { columnsOf } from "../Columns.ts"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"

/** A row of `listings`. */
export const listingRecord = columnsOf(listingFields, "listings", {})

export const listingColumns = listingRecord.select

export const listingOf = (row: Row): Listing => listingRecord.recordOf(row)

export const reviewColumns = "id, item_id, author_id, author, rating, comment, created_at, updated_at"

export interface ReviewRow {
  readonly id: string
  readonly item_id: string
  readonly author_id: string
  readonly author: string
  readonly rating: number
  readonly comment: string | null
  readonly created_at: Time
  readonly updated_at: Time
}

export const statsOf = ({ rating, reviews, sales }: ListingStats): ListingStats => ({ sales, rating, reviews })

export const reviewOf = (row: ReviewRow): Review => ({
  id: row.id as ReviewId,
  itemId: row.item_id as ItemId,
  authorId: row.author_id as AccountId,
  author: row.author,
  rating: row.rating,
  comment: row.comment,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at)
})
