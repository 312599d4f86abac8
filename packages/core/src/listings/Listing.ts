import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ListingId } from "../ids/Ids.ts"
import type { Currency } from "../money/ExchangeRates.ts"
import type { Usdt } from "../money/Usdt.ts"

/** `pending_review` → `approved` | `rejected`; `approved` ⇄ `suspended`; `rejected` → `pending_review`; any → `deleted` (LISTING-22). */
export type ListingStatus = "pending_review" | "approved" | "rejected" | "suspended" | "deleted"

export type PricingModel = "one_time" | "free" | "subscription"

/** What a listing has sold and how it is judged. */
export interface ListingStats {
  readonly sales: number
  /** Mean of the reviews, 0 where there are none, rounded to two decimals. */
  readonly rating: number
  readonly reviews: number
}

/** A sellable item: a listing on `/v1/listings`, a skill on `/api/v1/skills`; one thing with two faces (SKILL-1). */
export interface Listing {
  readonly id: ListingId
  readonly slug: string
  readonly name: string
  readonly description: string
  /** Null shows the description cut at 280 characters (SKILL-4). */
  readonly shortDesc: string | null
  readonly longDescription: string | null
  /** In `currency`, 10⁻⁶ of it. */
  readonly price: Usdt
  readonly currency: Currency
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly installUrl: string | null
  readonly documentationUrl: string | null
  readonly thumbnailUrl: string | null
  readonly screenshots: ReadonlyArray<string>
  readonly videoUrl: string | null
  readonly pricingModel: PricingModel
  readonly status: ListingStatus
  readonly rejectionReason: string | null
  readonly featured: boolean
  readonly creatorId: AccountId
  readonly creatorName: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
