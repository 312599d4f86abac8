import type { DraftOf, RecordOf } from "../fields/Field.ts"
import type { listingFields } from "./ListingFields.ts"

/** A sellable item: a listing on `/v1/listings`, a skill on `/api/v1/skills`; one thing with two faces (SKILL-1). */
export interface Listing extends RecordOf<typeof listingFields> {}

/** What the creator decides about a listing; the rules of each face stand with its fields. */
export interface ListingDraft extends DraftOf<typeof listingFields> {}

export type ListingStatus = Listing["status"]

export type PricingModel = Listing["pricingModel"]

/** What a buyer gets: a place to install from, or the license alone (SEARCH-5). */
export const deliveryOf = ({ installUrl }: Pick<Listing, "installUrl">): "link" | "license_only" =>
  installUrl === null ? "license_only" : "link"

/** What a listing has sold and how it is judged. */
export interface ListingStats {
  readonly sales: number
  /** Mean of the reviews, 0 where there are none, rounded to two decimals. */
  readonly rating: number
  readonly reviews: number
}
