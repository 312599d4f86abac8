import type { DraftOf, RecordOf } from "../fields/Field.ts"
import type { listingFields } from "./ListingFields.ts"

/** An item for sale: a listing on `/v1/listings` and a skill on `/api/v1/skills`, two API views of one record (SKILL-1). */
export interface Listing extends RecordOf<typeof listingFields> {}

/** The fields of a listing that its creator sets. Each face's rules are defined with the fields. */
export interface ListingDraft extends DraftOf<typeof listingFields> {}

export type ListingStatus = Listing["status"]

export type PricingModel = Listing["pricingModel"]

/** What a buyer receives without a release. */
export const linkOf = (installUrl: string | null): "link" | "license_only" =>
  installUrl === null ? "license_only" : "link"

/** What a buyer receives: a release, an installation URL, or only the license (SEARCH-5). */
export const deliveryOf = ({
  installUrl,
  releaseVersion
}: Pick<Listing, "installUrl" | "releaseVersion">): "release" | "link" | "license_only" =>
  releaseVersion === null ? linkOf(installUrl) : "release"

/** Whether everybody may find, read and buy it (LISTING-23, OPERATOR-8, RELEASE-10). */
export const isPublic = ({
  quarantined,
  status,
  withheld
}: Pick<Listing, "quarantined" | "status" | "withheld">): boolean => status === "approved" && !withheld && !quarantined

/** The sales and ratings of a listing. */
export interface ListingStats {
  readonly sales: number
  /** The mean of the reviews, rounded to two decimals; 0 if there are none. */
  readonly rating: number
  readonly reviews: number
}
