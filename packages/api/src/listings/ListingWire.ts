import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { outputOf } from "@agent-marketplace/core/fields/Field"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { deliveryOf } from "@agent-marketplace/core/listings/Listing"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import type { Review as CoreReview } from "@agent-marketplace/core/listings/Review"
import type { AdminListing, Review } from "./ListingSchemas.ts"

const detail = outputOf(listingFields, "listing", "detail", { guarded: true })
const operators = outputOf(listingFields, "admin", "detail")

/** What an operator sees of a listing. */
export const toAdminListing = (listing: Listing): typeof AdminListing.Type => ({
  ...detail(listing),
  ...operators(listing),
  delivery: deliveryOf(listing),
  pendingChanges: listing.pendingChanges,
  creator: { id: listing.creatorId, name: listing.creatorName, verified: listing.creatorVerified }
})

export const toReview = (review: CoreReview): typeof Review.Type => ({
  id: review.id,
  listingId: review.itemId,
  author: review.author,
  rating: review.rating,
  comment: review.comment,
  createdAt: Timestamp.toIso(review.createdAt),
  updatedAt: Timestamp.toIso(review.updatedAt)
})

/** Page numbers for listings and reviews (WIRE-18, WIRE-11). */
export const toPages = ({ limit, page }: { readonly page: number; readonly limit: number }, total: number) => ({
  page,
  limit,
  total,
  pages: Math.ceil(total / limit)
})
