import type { Listing } from "../listings/Listing.ts"
import type { Soul } from "../souls/Soul.ts"
import type { Refusal, ReleasedItem } from "./ItemReleases.ts"

const listingRefusal = ({ decidedAt, reasonCode, rejectionReason, status }: Listing): Refusal | null => {
  const decision = { code: reasonCode, text: rejectionReason, at: decidedAt }
  if (status === "suspended") return { kind: "suspension", ...decision }
  // An approved listing with a rejection reason: a change of it was rejected.
  return status === "rejected" || (status === "approved" && rejectionReason !== null)
    ? { kind: "rejection", ...decision }
    : null
}

const soulRefusal = ({ decidedAt, reasonCode, suspension }: Soul): Refusal | null =>
  suspension === null ? null : { kind: "suspension", code: reasonCode, text: suspension, at: decidedAt }

export const releasedListing = (listing: Listing): ReleasedItem => ({
  id: listing.id,
  kind: "listing",
  name: listing.name,
  slug: listing.slug,
  creatorId: listing.creatorId,
  creatorName: listing.creatorName,
  price: listing.price,
  approved: listing.status === "approved" || listing.status === "suspended",
  deleted: listing.status === "deleted",
  quarantine: listing.quarantine,
  refusal: listingRefusal(listing)
})

export const releasedSoul = (soul: Soul): ReleasedItem => ({
  id: soul.id,
  kind: "soul",
  name: soul.name,
  slug: soul.slug,
  creatorId: soul.authorId,
  creatorName: soul.author,
  price: soul.price,
  approved: true,
  deleted: soul.deleted,
  quarantine: soul.quarantine,
  refusal: soulRefusal(soul)
})
