import { outputOf } from "../fields/Field.ts"
import { Text } from "../text/Text.ts"
import type { Listing, ListingStats } from "./Listing.ts"
import { deliveryOf } from "./Listing.ts"
import { listingFields } from "./ListingFields.ts"

const shortDesc = (listing: Listing): string => listing.shortDesc ?? Text.clip(listing.description, 280)

const creator = (listing: Listing) => ({
  id: listing.creatorId,
  name: listing.creatorName,
  verified: listing.creatorVerified
})

const derived = (listing: Listing) => ({
  shortDesc: shortDesc(listing),
  kind: "skill",
  delivery: deliveryOf(listing)
})

const listingItem = outputOf(listingFields, "listing", "item")
const listingDetail = outputOf(listingFields, "listing", "detail")
const skillItem = outputOf(listingFields, "skill", "item")
const skillDetail = outputOf(listingFields, "skill", "detail")

const head = (fields: object): string => JSON.stringify(fields).slice(0, -1)

const stats = (s: ListingStats): string => `"stats":{"sales":${s.sales},"rating":${s.rating},"reviews":${s.reviews}}`

const reasons = ({ reasonCode, rejectionReason }: Pick<Listing, "reasonCode" | "rejectionReason">): string =>
  `,"rejectionReason":${JSON.stringify(rejectionReason)},"reasonCode":${JSON.stringify(reasonCode)}`

/**
 * The JSON of responses, rendered once when a listing is written: object texts without their closing brace (`…Head`), to which a store
 * appends frequently changing fields with `close…`.
 */
export const ListingJson = {
  /** An item of the listing list (LISTING-1) without `stats`. */
  listingHead: (listing: Listing): string =>
    head({ ...listingItem(listing), delivery: deliveryOf(listing), creator: creator(listing) }),
  /** The detail (LISTING-3) without `installUrl`, which not every viewer may see. */
  listingDetailHead: (listing: Listing): string =>
    head({ ...listingDetail(listing), delivery: deliveryOf(listing), creator: creator(listing) }),
  /** An item of the skill list (SKILL-2) without `rating`. */
  skillHead: (listing: Listing): string => head({ ...skillItem(listing), ...derived(listing) }),
  skillDetailHead: (listing: Listing): string =>
    head({ ...skillDetail(listing), ...derived(listing), creator: creator(listing) }),
  /** The fields that only the creator sees in a list (SEARCH-6), to be appended to a head. */
  ownFields: ({
    reasonCode,
    rejectionReason,
    status
  }: Pick<Listing, "reasonCode" | "rejectionReason" | "status">): string =>
    `,"status":"${status}"${reasons({ reasonCode, rejectionReason })}`,
  /** The same for the detail, with the pending changes (LISTING-17). */
  ownDetailFields: ({
    pendingChanges,
    ...why
  }: Pick<Listing, "pendingChanges" | "reasonCode" | "rejectionReason">): string =>
    `${reasons(why)},"pendingChanges":${JSON.stringify(pendingChanges)}`,
  closeListing: (head: string, s: ListingStats): string => `${head},${stats(s)}}`,
  closeListingDetail: (head: string, s: ListingStats, installUrl: string | null): string =>
    `${head},"installUrl":${JSON.stringify(installUrl)},${stats(s)}}`,
  closeSkill: (head: string, s: ListingStats): string => `${head},"rating":${s.rating}}`,
  closeSkillDetail: (head: string, s: ListingStats): string => `${head},"rating":${s.rating},${stats(s)}}`
}
