import type { Creator as Profile } from "@agent-marketplace/core/catalogue/Catalogue"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const Category = Schema.Struct({
  slug: ResponseField.text("The name of the category in filters and items.", "soul-tech"),
  name: ResponseField.text("The name to display.", "Tech"),
  icon: ResponseField.text("An emoji.", "💻"),
  parent: ResponseField.textOrNull("The category that it is part of.", "personas"),
  appliesTo: Schema.Array(Schema.Literals(["soul", "listing"])).annotate({
    description: "The kinds of items that may have it.",
    examples: [["soul"]]
  }),
  count: ResponseField.count("The number of public items in it.", 12)
}).annotate({ identifier: "Category", description: "A category of items." })

const categories = endpoint.get("categories", "/api/v1/categories", {
  summary: "List categories",
  description: "The categories of listings, and those of souls with their sub-categories.",
  access: access.anyKey,
  query: pageQuery,
  success: pageOf(Schema.Array(Category).annotate({ description: "The categories of the page." }))
})

const CreatorProfile = Schema.Struct({
  id: ResponseField.text("The account.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("Its name.", "Ada"),
  verified: ResponseField.flag("Whether it has proven to own a domain.", true),
  joinedAt: ResponseField.time("When it joined."),
  souls: ResponseField.count("The number of public souls.", 2),
  listings: ResponseField.count("The number of public listings.", 3),
  sales: ResponseField.count("The number of sales of these.", 40),
  rating: ResponseField.number("Mean of their reviews with two decimals; 0 if there are none.", 4.5)
}).annotate({ identifier: "CreatorProfile", description: "The public profile of a creator." })

/** A creator's profile in a response (CREATOR-1). */
export const toCreatorProfile = ({ joinedAt, ...creator }: Profile): typeof CreatorProfile.Type => ({
  ...creator,
  joinedAt: Timestamp.toIso(joinedAt)
})

const creator = endpoint.get("creator", "/api/v1/creators/:id", {
  summary: "Read a creator",
  description: "The public profile of an account that sells or has public souls or listings.",
  access: access.anyKey,
  params: { id: field(idOf<AccountId>(), "The creator's account.", "usr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(CreatorProfile),
  errors: ["ACCOUNT_NOT_FOUND"]
})

/** What souls and listings have in common (CATEGORY-1, CREATOR-1). */
export const CatalogueGroup = HttpApiGroup.make("catalogue")
  .add(categories, creator)
  .annotateMerge(OpenApi.annotations({ title: "Catalogue", description: "Categories and creators." }))
