import { queuedSouls } from "@agent-marketplace/core/souls/SoulStore"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { reasonText } from "../admin/Reason.ts"
import { reasonCode } from "../moderation/ReasonCodes.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { AdminSoul } from "./SoulSchemas.ts"

const params = { slug: field(idOf<string>(), "The soul's slug.", "senior-rust-reviewer") }

const moved = {
  params,
  success: enveloped(AdminSoul),
  errors: ["SOUL_NOT_FOUND", "CONFLICT"]
} as const

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const list = endpoint.get("list", "/api/v1/admin/souls", {
  ...facts("List souls of any author", "All souls that are not deleted, including private ones, oldest first."),
  query: {
    status: Query.choice(
      queuedSouls,
      "Only those that are not suspended, those that are, or those with a version that waits for a review.",
      "in_review"
    ),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminSoul).annotate({ description: "The souls of the page, oldest first." }))
})

const SuspendInput = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters, required; the author sees it.", "It copies another author's soul."),
  code: reasonCode
}).annotate({ identifier: "SuspendSoulInput", description: "Why a soul is suspended." })

const suspend = endpoint.post("suspend", "/api/v1/admin/souls/:slug/suspend", {
  ...facts("Suspend a soul", "It cannot be listed, found or bought until it is restored."),
  ...moved,
  payload: SuspendInput
})

const restore = endpoint.post("restore", "/api/v1/admin/souls/:slug/restore", {
  ...facts("Restore a soul", "Ends its suspension."),
  ...moved
})

/** The operator's routes for souls (OPERATOR-12). */
export const AdminSoulsGroup = HttpApiGroup.make("adminSouls")
  .add(list, suspend, restore)
  .annotateMerge(OpenApi.annotations({ title: "Operator: souls", description: "With the operator's token." }))
