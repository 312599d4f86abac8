import { Timestamp } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"
import { Text } from "../text/Text.ts"
import type { Listing, ListingStats } from "./Listing.ts"

const shortDesc = (listing: Listing): string => listing.shortDesc ?? Text.clip(listing.description, 280)

const creator = (listing: Listing) => ({ id: listing.creatorId, name: listing.creatorName })

/** An item of the listing list (LISTING-1) without `stats`. */
const listingFields = (listing: Listing) => ({
  id: listing.id,
  name: listing.name,
  description: listing.description,
  price: Usdt.toNumber(listing.price),
  currency: listing.currency,
  category: listing.category,
  creator: creator(listing)
})

/** An item of the skill list (SKILL-2) without `rating`, and what a list needs besides. */
const skillFields = (listing: Listing) => ({
  id: listing.id,
  slug: listing.slug,
  title: listing.name,
  shortDesc: shortDesc(listing),
  price: Usdt.format(listing.price),
  currency: listing.currency,
  category: listing.category,
  thumbnailUrl: listing.thumbnailUrl
})

const head = (fields: object): string => JSON.stringify(fields).slice(0, -1)

const stats = (s: ListingStats): string => `"stats":{"sales":${s.sales},"rating":${s.rating},"reviews":${s.reviews}}`

/**
 * The JSON that readers get, made once by the write that changes a listing: object texts without their closing brace
 * (`…Head`), to which a store appends what changes more often with `close…`.
 */
export const ListingJson = {
  listingHead: (listing: Listing): string => head(listingFields(listing)),
  /** The detail of a listing (LISTING-3) without `installUrl`, which not everybody may see. */
  listingDetailHead: (listing: Listing): string =>
    head({
      ...listingFields(listing),
      slug: listing.slug,
      longDescription: listing.longDescription,
      tags: listing.tags,
      documentationUrl: listing.documentationUrl,
      screenshots: listing.screenshots,
      videoUrl: listing.videoUrl,
      status: listing.status,
      createdAt: Timestamp.toIso(listing.createdAt),
      updatedAt: Timestamp.toIso(listing.updatedAt)
    }),
  skillHead: (listing: Listing): string => head(skillFields(listing)),
  skillDetailHead: (listing: Listing): string =>
    head({
      ...skillFields(listing),
      description: listing.description,
      tags: listing.tags,
      pricingModel: listing.pricingModel,
      creator: creator(listing),
      status: listing.status,
      createdAt: Timestamp.toIso(listing.createdAt)
    }),
  closeListing: (head: string, s: ListingStats): string => `${head},${stats(s)}}`,
  closeListingDetail: (head: string, s: ListingStats, installUrl: string | null): string =>
    `${head},"installUrl":${JSON.stringify(installUrl)},${stats(s)}}`,
  closeSkill: (head: string, s: ListingStats): string => `${head},"rating":${s.rating}}`,
  closeSkillDetail: (head: string, s: ListingStats): string => `${head},"rating":${s.rating},${stats(s)}}`
}
