import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import { listingFacets } from "../catalogue/Facets.ts"
import { Index } from "../Index.ts"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { MarketTables, StoredListing } from "../MarketTables.ts"

/** A listing with what is derived from it: the JSON that readers get, and the words of its search. */
export const renderListing = (listing: Listing, namedAt: Timestamp): StoredListing => ({
  listing,
  listingHead: ListingJson.listingHead(listing),
  skillHead: ListingJson.skillHead(listing),
  skillDetailHead: ListingJson.skillDetailHead(listing),
  facets: listingFacets(listing),
  nameKeys: nameKeys(listing.name, listing.slug).keys,
  namedAt
})

/** Stores a listing, the JSON that readers get, and the words of its search. */
export const storeListing = (tables: MarketTables, listing: Listing): void => {
  const before = tables.listings.get(listing.id)
  const namedAt =
    before === undefined ? listing.createdAt : before.listing.name === listing.name ? before.namedAt : listing.updatedAt
  tables.listings.set(listing.id, renderListing(listing, namedAt))
  tables.listingsBySlug.set(listing.slug, listing.id)
  Index.add(tables.listingsOf, listing.creatorId, listing.id)
}
