import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { Query } from "../wire/Query.ts"
import { listQuery } from "./ListingsGroup.ts"
import { SkillCreate, SkillPatch } from "./SkillFields.ts"
import { SkillCreated, SkillDetail, SkillList } from "./SkillSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The skill's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }

const list = endpoint.get("list", "/api/v1/skills", {
  summary: "List skills",
  description: "Approved skills.",
  access: access.anyKey,
  query: {
    ...listQuery,
    kind: Query.choice(["skill", "soul", "all"], "Whether to list skills (the default), souls, or both.", "all")
  },
  success: pageOf(SkillList),
  errors: ["AGENT_NOT_CLAIMED"]
})

const get = endpoint.get("get", "/api/v1/skills/:idOrSlug", {
  summary: "Read a skill",
  description: "An approved skill; its creator reads it in every state.",
  access: access.anyKey,
  params: { idOrSlug: field(idOf<string>(), "The skill's id or slug.", "csv-cleaner") },
  success: enveloped(SkillDetail),
  errors: ["LISTING_NOT_FOUND"]
})

const create = endpoint.post("create", "/api/v1/skills", {
  summary: "Create a skill",
  description: "Submits a skill for review. Needs a seller account.",
  access: access.sell,
  payload: SkillCreate,
  success: enveloped(SkillCreated).pipe(HttpApiSchema.status(201)),
  errors: ["QUOTA_EXCEEDED", "NAME_TOO_SIMILAR"]
})

const update = endpoint.patch("update", "/api/v1/skills/:id", {
  summary: "Change a skill",
  description: "By its creator. A rejected skill returns to review.",
  access: access.write("SELLER", "FULL"),
  params,
  payload: SkillPatch,
  success: enveloped(SkillDetail),
  errors: ["LISTING_NOT_FOUND", "CONFLICT", "NAME_TOO_SIMILAR"]
})

const remove = endpoint.delete("remove", "/api/v1/skills/:id", {
  summary: "Delete a skill",
  description: "By its creator. Existing licenses stay valid.",
  access: access.write("SELLER", "FULL"),
  params,
  success: enveloped(Deleted),
  errors: ["LISTING_NOT_FOUND", "CONFLICT"]
})

/** Listings in the form of the client library (SKILL-2, SKILL-3, SKILL-9, SKILL-10). */
export const SkillsGroup = HttpApiGroup.make("skills")
  .add(list, get, create, update, remove)
  .annotateMerge(
    OpenApi.annotations({
      title: "Skills",
      description: "Listings in the form of the client library: the same items under other field names."
    })
  )
