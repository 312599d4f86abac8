import type { AccountId, ListingId, ReviewId } from "@agent-marketplace/core/ids/Ids"
import type { Listing, ListingStats, ListingStatus, PricingModel } from "@agent-marketplace/core/listings/Listing"
import type { Review } from "@agent-marketplace/core/listings/Review"
import type { Currency } from "@agent-marketplace/core/money/ExchangeRates"
import type { Amount, Time } from "../Row.ts"
import { amount, time } from "../Row.ts"

export const listingColumns = `id, slug, name, description, short_desc, long_description, price, currency, category, tags, install_url,
  documentation_url, thumbnail_url, screenshots, video_url, pricing_model, status, rejection_reason, featured, creator_id,
  creator_name, created_at, updated_at`

export interface ListingRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly short_desc: string | null
  readonly long_description: string | null
  readonly price: Amount
  readonly currency: string
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly install_url: string | null
  readonly documentation_url: string | null
  readonly thumbnail_url: string | null
  readonly screenshots: ReadonlyArray<string>
  readonly video_url: string | null
  readonly pricing_model: string
  readonly status: string
  readonly rejection_reason: string | null
  readonly featured: boolean
  readonly creator_id: string
  readonly creator_name: string
  readonly created_at: Time
  readonly updated_at: Time
}

export type StatsRow = ListingStats

export const reviewColumns = "id, listing_id, author_id, author, rating, comment, created_at, updated_at"

export interface ReviewRow {
  readonly id: string
  readonly listing_id: string
  readonly author_id: string
  readonly author: string
  readonly rating: number
  readonly comment: string | null
  readonly created_at: Time
  readonly updated_at: Time
}

export const listingOf = (row: ListingRow): Listing => ({
  id: row.id as ListingId,
  slug: row.slug,
  name: row.name,
  description: row.description,
  shortDesc: row.short_desc,
  longDescription: row.long_description,
  price: amount(row.price),
  currency: row.currency as Currency,
  category: row.category,
  tags: row.tags,
  installUrl: row.install_url,
  documentationUrl: row.documentation_url,
  thumbnailUrl: row.thumbnail_url,
  screenshots: row.screenshots,
  videoUrl: row.video_url,
  pricingModel: row.pricing_model as PricingModel,
  status: row.status as ListingStatus,
  rejectionReason: row.rejection_reason,
  featured: row.featured,
  creatorId: row.creator_id as AccountId,
  creatorName: row.creator_name,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at)
})

export const statsOf = ({ rating, reviews, sales }: StatsRow): ListingStats => ({ sales, rating, reviews })

export const reviewOf = (row: ReviewRow): Review => ({
  id: row.id as ReviewId,
  listingId: row.listing_id as ListingId,
  authorId: row.author_id as AccountId,
  author: row.author,
  rating: row.rating,
  comment: row.comment,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at)
})
