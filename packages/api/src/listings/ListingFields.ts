import { defaultsOf } from "@agent-marketplace/core/fields/Field"
import type { Listing, ListingDraft } from "@agent-marketplace/core/listings/Listing"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { createFields, patchFields } from "../wire/RecordSchemas.ts"
import { ResponseField } from "../wire/ResponseField.ts"

/** The body that creates a listing (LISTING-5, LISTING-6, LISTING-7, LISTING-9, LISTING-10, LISTING-11, LISTING-12, LISTING-13). */
export const ListingCreate = Schema.Struct(createFields(listingFields, "listing")).annotate({
  identifier: "ListingCreate",
  description: "A listing to submit for review."
})

export const ListingPatch = Schema.Struct(patchFields(listingFields, "listing"))
  .annotate({
    identifier: "ListingPatch",
    description: "The fields to change; absent fields keep their values."
  })
  .pipe(withBodyRule("listingChange"))

const defaults = defaultsOf(listingFields, "listing")

/** The draft of a body that creates a listing through the listing face. The body of a patch needs no conversion. */
export const toListingDraft = (body: typeof ListingCreate.Type): ListingDraft => ({ ...defaults, ...body })

const submitted = "Your listing is submitted for review and is typically approved within 24 hours."

export const ListingCreated = Schema.Struct({
  id: ResponseField.text("Prefix `lst_`.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  status: field(Schema.Literal("pending_review"), "Always `pending_review`.", "pending_review"),
  message: ResponseField.text("What happens next.", submitted)
}).annotate({ identifier: "ListingCreated", description: "A listing that was submitted." })

export const toListingCreated = (listing: Listing): typeof ListingCreated.Type => ({
  id: listing.id,
  status: "pending_review",
  message: submitted
})
