import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Listing, ListingStats } from "@agent-marketplace/core/listings/Listing"
import type { Review as CoreReview } from "@agent-marketplace/core/listings/Review"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { AdminListing, ListingDetail, Review } from "./ListingSchemas.ts"

const fields = (listing: Listing) => ({
  id: listing.id,
  name: listing.name,
  description: listing.description,
  price: Usdt.toNumber(listing.price),
  currency: listing.currency,
  category: listing.category,
  creator: { id: listing.creatorId, name: listing.creatorName },
  slug: listing.slug,
  longDescription: listing.longDescription,
  tags: listing.tags,
  installUrl: listing.installUrl,
  documentationUrl: listing.documentationUrl,
  screenshots: listing.screenshots,
  videoUrl: listing.videoUrl,
  status: listing.status,
  createdAt: Timestamp.toIso(listing.createdAt),
  updatedAt: Timestamp.toIso(listing.updatedAt)
})

/** The detail of a listing (LISTING-3); `installUrl` only where the viewer may see it (LISTING-4). */
export const toListingDetail = (
  listing: Listing,
  stats: ListingStats,
  mayInstall: boolean
): typeof ListingDetail.Type => ({
  ...fields(listing),
  installUrl: mayInstall ? listing.installUrl : null,
  stats
})

export const toAdminListing = (listing: Listing): typeof AdminListing.Type => ({
  ...fields(listing),
  rejectionReason: listing.rejectionReason,
  featured: listing.featured
})

export const toReview = (review: CoreReview): typeof Review.Type => ({
  id: review.id,
  listingId: review.listingId,
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
