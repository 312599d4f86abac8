import { outputOf } from "@agent-marketplace/core/fields/Field"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import { Schema } from "effect"
import { Pagination } from "../wire/Envelope.ts"
import { outputFields } from "../wire/RecordSchemas.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { Creator, delivery, ListingDetail, ListingStats, ownFields } from "./ListingSchemas.ts"

const derived = {
  shortDesc: ResponseField.text("What it does, in at most 280 characters.", "Cleans CSV files."),
  kind: ResponseField.choice(["skill", "soul"], "Whether it is a listing or a soul.", "skill"),
  delivery,
  rating: ResponseField.number("Mean of the reviews with two decimals; 0 if there are none.", 4.5)
}

/** A skill in a list (SKILL-2). */
export const SkillItem = Schema.Struct({
  ...outputFields(listingFields, "skill", "item"),
  ...derived,
  status: Schema.optionalKey(outputFields(listingFields, "skill", "detail").status),
  ...ownFields
}).annotate({
  identifier: "SkillItem",
  description: "A skill in a list."
})

const detail = outputFields(listingFields, "skill", "detail")

/** A skill with its details (SKILL-3). */
export const SkillDetail = Schema.Struct({
  ...detail,
  ...derived,
  ...ownFields,
  pendingChanges: ListingDetail.fields.pendingChanges,
  creator: Creator,
  stats: ListingStats
}).annotate({
  identifier: "SkillDetail",
  description: "A skill with all its fields."
})

export const SkillList = Schema.Struct({
  skills: Schema.Array(SkillItem).annotate({ description: "The skills of the page." }),
  pagination: Pagination
}).annotate({ identifier: "SkillList", description: "A page of skills." })

/** A skill that was just created (SKILL-9). */
export const SkillCreated = Schema.Struct({
  id: detail.id,
  slug: detail.slug,
  title: detail.title,
  description: detail.description,
  price: detail.price,
  currency: detail.currency,
  category: detail.category,
  status: ResponseField.choice(["pending_review"], "Always `pending_review`.", "pending_review"),
  createdAt: detail.createdAt
}).annotate({ identifier: "SkillCreated", description: "A skill that was submitted." })

const detailOf = outputOf(listingFields, "skill", "detail")

/** A new skill is shown as waiting for review even if no review takes place (LISTING-24). */
export const toSkillCreated = (listing: Listing): typeof SkillCreated.Type => {
  const { category, createdAt, currency, description, id, price, slug, title } = detailOf(listing)
  return { id, slug, title, description, price, currency, category, status: "pending_review", createdAt }
}
