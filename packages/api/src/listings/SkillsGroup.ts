import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { SkillCreate, SkillPatch } from "./SkillFields.ts"
import { SkillCreated, SkillDetail, SkillList } from "./SkillSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The skill's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }

const list = HttpApiEndpoint.get("list", "/api/v1/skills", {
  query: {
    category: Query.text(100, { description: "Only this category's slug.", example: "data" }),
    query: Query.text(200, {
      description:
        "Words or their beginnings in name, description, tags and creator; best match first unless `sortBy` is given.",
      example: "csv clean"
    }),
    minPrice: Query.money({ description: "The lowest price.", example: "1.50" }),
    maxPrice: Query.money({ description: "The highest price.", example: "20" }),
    sortBy: Query.choice(["price", "rating", "popular", "newest"], {
      description: "What to sort by.",
      example: "rating"
    }),
    sortOrder: Query.choice(["asc", "desc"], {
      description: "The direction; price ascends and all else descends where absent.",
      example: "desc"
    }),
    ...pageQuery
  },
  success: pageOf(SkillList),
  error: failures.catalogue()
}).annotateMerge(operation({ summary: "List skills", description: "Approved skills.", access: access.anyKey }))

const get = HttpApiEndpoint.get("get", "/api/v1/skills/:idOrSlug", {
  params: { idOrSlug: field(idOf<string>(), "The skill's id or slug.", "csv-cleaner") },
  success: enveloped(SkillDetail),
  error: failures.catalogue("LISTING_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Read a skill",
    description: "An approved skill; its creator reads it in every state.",
    access: access.anyKey
  })
)

const create = HttpApiEndpoint.post("create", "/api/v1/skills", {
  payload: SkillCreate,
  success: enveloped(SkillCreated).pipe(HttpApiSchema.status(201)),
  error: failures.keyedBody("QUOTA_EXCEEDED")
}).annotateMerge(
  operation({
    summary: "Create a skill",
    description: "Submits a skill for review. Needs a seller account.",
    access: access.sell
  })
)

const update = HttpApiEndpoint.patch("update", "/api/v1/skills/:id", {
  params,
  payload: SkillPatch,
  success: enveloped(SkillDetail),
  error: failures.keyedBody("LISTING_NOT_FOUND", "CONFLICT")
}).annotateMerge(
  operation({
    summary: "Change a skill",
    description: "By its creator. A rejected skill goes back to review.",
    access: access.write("SELLER", "FULL")
  })
)

const remove = HttpApiEndpoint.delete("remove", "/api/v1/skills/:id", {
  params,
  success: enveloped(Deleted),
  error: failures.keyed("LISTING_NOT_FOUND", "CONFLICT")
}).annotateMerge(
  operation({
    summary: "Delete a skill",
    description: "By its creator. Existing licenses stay valid.",
    access: access.write("SELLER", "FULL")
  })
)

/** Listings as the client library sees them (SKILL-2, SKILL-3, SKILL-9, SKILL-10). */
export const SkillsGroup = HttpApiGroup.make("skills")
  .add(list, get, create, update, remove)
  .annotateMerge(
    OpenApi.annotations({
      title: "Skills",
      description: "Listings as the client library sees them: one thing, two faces."
    })
  )
