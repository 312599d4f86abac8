import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { Pagination } from "../wire/Envelope.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { listingStatus } from "./ListingFields.ts"
import { Creator, ListingStats } from "./ListingSchemas.ts"
import { pricingModels } from "./SkillFields.ts"

const id = ResponseField.text("Prefix `lst_`; the same as the listing's.", "lst_01j9zq5k2f8h3m6n7p0r4s")
const slug = ResponseField.text("Lowercase, hyphenated, unique, never changed.", "csv-cleaner")
const title = ResponseField.text("What it is called.", "CSV Cleaner")
const description = ResponseField.text("What it does.", "Cleans and normalises CSV files of any size.")
const price = ResponseField.money("In `currency`.", "12.50")
const currency = ResponseField.text("The currency of the price.", "USDT")
const category = ResponseField.text("The category's slug.", "data")
const status = listingStatus("Where the skill stands in its review.")
const createdAt = ResponseField.time("When it was submitted.")

const itemFields = {
  id,
  slug,
  title,
  shortDesc: ResponseField.text("What it does, in at most 280 characters.", "Cleans CSV files."),
  price,
  currency,
  category,
  thumbnailUrl: ResponseField.textOrNull("A picture.", "https://cdn.example.com/csv-thumb.png"),
  rating: ResponseField.number("Mean of the reviews, two decimals; 0 where there are none.", 4.5)
}

/** A skill in a list (SKILL-2). */
export const SkillItem = Schema.Struct(itemFields).annotate({
  identifier: "SkillItem",
  description: "A skill in a list."
})

/** A skill with its details (SKILL-3). */
export const SkillDetail = Schema.Struct({
  ...itemFields,
  description,
  tags: ResponseField.texts("Words to find it by.", ["csv", "etl"]),
  pricingModel: ResponseField.choice(pricingModels, "Paid once, never, or for each 30 days.", "one_time"),
  creator: Creator,
  status,
  createdAt,
  stats: ListingStats
}).annotate({ identifier: "SkillDetail", description: "A skill with all its fields." })

export const SkillList = Schema.Struct({
  skills: Schema.Array(SkillItem).annotate({ description: "The skills of the page." }),
  pagination: Pagination
}).annotate({ identifier: "SkillList", description: "A page of skills." })

/** A skill that was just created (SKILL-9). */
export const SkillCreated = Schema.Struct({
  id,
  slug,
  title,
  description,
  price,
  currency,
  category,
  status: ResponseField.choice(["pending_review"], "Always `pending_review`.", "pending_review"),
  createdAt
}).annotate({ identifier: "SkillCreated", description: "A skill that was submitted." })

/** Also where nobody reviews, a new skill is shown as waiting (LISTING-24). */
export const toSkillCreated = (listing: Listing): typeof SkillCreated.Type => ({
  id: listing.id,
  slug: listing.slug,
  title: listing.name,
  description: listing.description,
  price: Usdt.format(listing.price),
  currency: listing.currency,
  category: listing.category,
  status: "pending_review",
  createdAt: Timestamp.toIso(listing.createdAt)
})
