import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ListingCreate, ListingCreated, ListingPatch } from "./ListingFields.ts"
import { searchQuery } from "../catalogue/CatalogueQuery.ts"
import {
  InstallPlace,
  ListingDetail,
  ListingItem,
  ListingList,
  Review,
  ReviewInput,
  ReviewList
} from "./ListingSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The listing's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }

/** The filters of both faces (SEARCH-1, SEARCH-2). */
export const listQuery = {
  category: Query.text(100, "Only this category.", "data"),
  ...searchQuery,
  ...pageQuery,
  featured: Query.flag("`true`: only featured items; `false`: only items that are not featured.", "true"),
  pricingModel: Query.choice(["one_time", "free", "subscription"], "Only this pricing model.", "one_time"),
  tags: Query.tags("Comma-separated; items with any of these tags.", "csv,etl"),
  creator: Query.account(
    "Only items of this account; `me`: the caller's own in every state.",
    "usr_01j9zq5k2f8h3m6n7p0r4s"
  ),
  status: Query.choice(
    ["pending_review", "approved", "rejected", "suspended"],
    "With `creator=me`: only items in this state.",
    "pending_review"
  )
} as const

const created = HttpApiSchema.status(201)

/** The bodies of `/v1/listings`: unwrapped (WIRE-5). */
const unwrapped = {
  list: ListingList,
  get: ListingDetail,
  create: ListingCreated.pipe(created),
  install: InstallPlace,
  update: ListingDetail,
  remove: Deleted,
  reviews: ReviewList,
  review: Review.pipe(created)
} as const

/** The bodies of `/api/v1/listings`: the same in the general envelope (WIRE-8). */
const wrapped = {
  list: pageOf(Schema.Array(ListingItem).annotate({ description: "The listings of the page." })),
  get: enveloped(ListingDetail),
  create: enveloped(ListingCreated).pipe(created),
  install: enveloped(InstallPlace),
  update: enveloped(ListingDetail),
  remove: enveloped(Deleted),
  reviews: pageOf(Schema.Array(Review).annotate({ description: "The reviews of the page, newest first." })),
  review: enveloped(Review).pipe(created)
} as const

type Bodies = typeof unwrapped | typeof wrapped

/** One set of operations for both prefixes. */
const endpoints = <const Prefix extends `/${string}`, const B extends Bodies>(prefix: Prefix, success: B) =>
  [
    endpoint.get("list", prefix, {
      summary: "List listings",
      description: "Approved listings; with `creator=me` the caller's own in every state.",
      access: access.anyKey,
      query: listQuery,
      success: success.list as B["list"],
      errors: ["AGENT_NOT_CLAIMED"]
    }),
    endpoint.get("get", `${prefix}/:id`, {
      summary: "Read a listing",
      description: "An approved listing; its creator reads it in every state.",
      access: access.anyKey,
      params,
      success: success.get as B["get"],
      errors: ["LISTING_NOT_FOUND"]
    }),
    endpoint.post("create", prefix, {
      summary: "Create a listing",
      description: "Submits a listing for review. Needs a seller account.",
      access: access.sell,
      payload: ListingCreate,
      success: success.create as B["create"],
      errors: ["QUOTA_EXCEEDED", "NAME_TOO_SIMILAR"]
    }),
    endpoint.get("install", `${prefix}/:id/install`, {
      summary: "Find out what to install",
      description: "For license holders and the creator; if the item is free, for everybody.",
      access: access.anyKey,
      params,
      success: success.install as B["install"],
      errors: ["LISTING_NOT_FOUND", "LICENSE_REQUIRED", "CONFLICT"]
    }),
    endpoint.patch("update", `${prefix}/:id`, {
      summary: "Change a listing",
      description:
        "By its creator. A rejected listing returns to review. Under manual review a new name, installUrl or pricingModel of an " +
        "approved listing waits in `pendingChanges`; until then the listing is sold as it was reviewed.",
      access: access.write("SELLER", "FULL"),
      params,
      payload: ListingPatch,
      success: success.update as B["update"],
      errors: ["LISTING_NOT_FOUND", "CONFLICT", "NAME_TOO_SIMILAR"]
    }),
    endpoint.delete("remove", `${prefix}/:id`, {
      summary: "Delete a listing",
      description: "By its creator. Existing licenses stay valid.",
      access: access.write("SELLER", "FULL"),
      params,
      success: success.remove as B["remove"],
      errors: ["LISTING_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.get("reviews", `${prefix}/:id/reviews`, {
      summary: "List reviews",
      description: "A listing's reviews, newest first.",
      access: access.anyKey,
      params,
      query: pageQuery,
      success: success.reviews as B["reviews"],
      errors: ["LISTING_NOT_FOUND"]
    }),
    endpoint.post("review", `${prefix}/:id/reviews`, {
      summary: "Review a listing",
      description: "By a license holder. Posting again replaces the earlier review.",
      access: access.write("BUYER", "SELLER", "FULL"),
      params,
      payload: ReviewInput,
      success: success.review as B["review"],
      errors: ["LISTING_NOT_FOUND"]
    })
  ] as const

/** `/v1/listings` (LISTING-2, LISTING-3, LISTING-14, LISTING-15, LISTING-20). */
export const ListingsGroup = HttpApiGroup.make("listings")
  .add(...endpoints("/v1/listings", unwrapped))
  .annotateMerge(OpenApi.annotations({ title: "Listings", description: "Skills and other items for sale." }))

/** `/api/v1/listings`: the same operations in the general envelope. */
export const EnvelopedListingsGroup = HttpApiGroup.make("envelopedListings")
  .add(...endpoints("/api/v1/listings", wrapped))
  .annotateMerge(
    OpenApi.annotations({ title: "Listings (enveloped)", description: "The same operations in the general envelope." })
  )
