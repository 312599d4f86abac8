import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { reasonText } from "../admin/Reason.ts"
import { failures } from "../errors/Failures.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { AdminSoul } from "./SoulSchemas.ts"

const params = { slug: field(idOf<string>(), "The soul's slug.", "senior-rust-reviewer") }

const moved = {
  params,
  success: enveloped(AdminSoul),
  error: failures.admin("SOUL_NOT_FOUND", "CONFLICT")
} as const

const facts = (summary: string, description: string) => operation({ summary, description, access: access.admin })

const list = HttpApiEndpoint.get("list", "/api/v1/admin/souls", {
  query: {
    status: Query.choice(["active", "suspended"], { description: "Only those in this state.", example: "suspended" }),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminSoul).annotate({ description: "The souls of the page, oldest first." })),
  error: failures.admin()
}).annotateMerge(
  facts("List souls of any author", "All souls that are not deleted, including private ones, oldest first.")
)

const SuspendInput = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters, required; the author sees it.", "It copies another author's soul.")
}).annotate({ identifier: "SuspendSoulInput", description: "Why a soul is suspended." })

const suspend = HttpApiEndpoint.post("suspend", "/api/v1/admin/souls/:slug/suspend", {
  ...moved,
  payload: SuspendInput
}).annotateMerge(facts("Suspend a soul", "It cannot be listed, found or bought until it is restored."))

const restore = HttpApiEndpoint.post("restore", "/api/v1/admin/souls/:slug/restore", moved).annotateMerge(
  facts("Restore a soul", "Ends its suspension.")
)

/** The operator's routes for souls (OPERATOR-12). */
export const AdminSoulsGroup = HttpApiGroup.make("adminSouls")
  .add(list, suspend, restore)
  .annotateMerge(OpenApi.annotations({ title: "Operator: souls", description: "With the operator's token." }))
