import { integer } from "@agent-marketplace/core/fields/InputRules"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import { Schema } from "effect"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { outputFields } from "../wire/RecordSchemas.ts"
import { pagesField } from "../wire/pagesField.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"

export const Creator = Schema.Struct({
  id: ResponseField.text("The creator's account, prefix `usr_`.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("The creator's name.", "Ada"),
  verified: ResponseField.flag("Whether the creator has proven to own a domain.", true)
}).annotate({ identifier: "Creator", description: "The seller." })

export const ListingStats = Schema.Struct({
  sales: ResponseField.count("How often it was sold.", 12),
  rating: ResponseField.number("Mean of the reviews with two decimals; 0 if there are none.", 4.5),
  reviews: ResponseField.count("How many reviews there are.", 3)
}).annotate({ identifier: "ListingStats", description: "Sales and reviews of the item." })

export const delivery = ResponseField.choice(
  ["release", "link", "license_only"],
  "What a buyer gets: a release, a link to install from, or the license alone.",
  "link"
)

/** Fields that only the creator of an item sees (SEARCH-6). */
export const ownFields = {
  rejectionReason: Schema.optionalKey(outputFields(listingFields, "own", "item").rejectionReason),
  reasonCode: Schema.optionalKey(outputFields(listingFields, "own", "item").reasonCode)
}

/** Changes of an approved listing that wait for review (LISTING-17). */
const PendingChanges = Schema.NullOr(
  Schema.Struct({
    name: Schema.optionalKey(ResponseField.text("The new name.", "CSV Cleaner 2")),
    installUrl: Schema.optionalKey(ResponseField.textOrNull("The new URL.", "https://example.com/install")),
    pricingModel: Schema.optionalKey(
      ResponseField.choice(["one_time", "free", "subscription"], "The new pricing model.", "subscription")
    )
  })
).annotate({
  description: "Changes that wait for review; null if there are none.",
  examples: [{ name: "CSV Cleaner 2" }]
})

const status = outputFields(listingFields, "listing", "detail").status

const itemFields = {
  ...outputFields(listingFields, "listing", "item"),
  delivery,
  creator: Creator,
  stats: ListingStats
}

/** A listing in a list (LISTING-1). */
export const ListingItem = Schema.Struct({ ...itemFields, status: Schema.optionalKey(status), ...ownFields }).annotate({
  identifier: "ListingItem",
  description: "A listing in a list."
})

const detailFields = {
  ...outputFields(listingFields, "listing", "detail"),
  delivery,
  creator: Creator,
  stats: ListingStats
}

/** A listing with its details (LISTING-3). */
export const ListingDetail = Schema.Struct({
  ...detailFields,
  ...ownFields,
  pendingChanges: Schema.optionalKey(PendingChanges)
}).annotate({
  identifier: "ListingDetail",
  description: "A listing with all its fields."
})

/** What an operator sees of a listing. */
export const AdminListing = Schema.Struct({
  ...detailFields,
  stats: Schema.optionalKey(ListingStats),
  ...outputFields(listingFields, "admin", "detail"),
  pendingChanges: PendingChanges
}).annotate({ identifier: "AdminListing", description: "A listing as an operator sees it." })

/** Where and what to install (LISTING-25). */
export const InstallPlace = Schema.Struct({
  kind: delivery,
  url: ResponseField.textOrNull(
    "Where to install from; null if a buyer gets only the license.",
    "https://github.com/ada/csv"
  ),
  version: ResponseField.textOrNull("The version of a release; null for a link.", null),
  sha256: ResponseField.textOrNull("The digest of a release; null for a link.", null)
}).annotate({ identifier: "InstallPlace", description: "Where and what to install." })

/** A page of listings (WIRE-18). */
export const ListingList = Schema.Struct({
  listings: Schema.Array(ListingItem).annotate({ description: "The listings of the page." }),
  pagination: pagesField("listings", "How many listings match; a search counts at most 1,000.")
}).annotate({ identifier: "ListingList", description: "A page of listings." })

/** A review (REVIEW-1). */
export const Review = Schema.Struct({
  id: ResponseField.text("Prefix `rev_`.", "rev_01j9zq5k2f8h3m6n7p0r4s"),
  listingId: ResponseField.text("The reviewed listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  author: ResponseField.text("The name of who judges.", "Grace"),
  rating: ResponseField.count("1 to 5.", 5),
  comment: ResponseField.textOrNull("What was written besides.", "Did in minutes what took us days."),
  createdAt: ResponseField.time("When it was first written."),
  updatedAt: ResponseField.time("When it was last written.")
}).annotate({ identifier: "Review", description: "A license holder's judgement." })

export const ReviewList = Schema.Struct({
  reviews: Schema.Array(Review).annotate({ description: "The reviews of the page, newest first." }),
  pagination: pagesField("reviews", "How many reviews there are.")
}).annotate({ identifier: "ReviewList", description: "A page of reviews." })

/** One review for each buyer (REVIEW-1); posting again replaces it (REVIEW-3). */
export const ReviewInput = Schema.Struct({
  rating: field(integer(1, 5), "A whole number from 1 to 5.", 5),
  comment: field(
    optional(boundedText({ min: 0, max: 2000 })),
    "At most 2,000 characters.",
    "Did in minutes what took us days."
  )
}).annotate({ identifier: "ReviewInput", description: "A judgement." })
