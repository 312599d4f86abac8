import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { ItemTrust } from "./ReleaseSchemas.ts"

/** RELEASE-23. */
export const TrustGroup = HttpApiGroup.make("trust")
  .add(
    endpoint.get("get", "/api/v1/items/:id/trust", {
      summary: "Read how far an item can be trusted",
      description:
        "The verdict on the newest release on sale, with its findings; without one, that on the newest scanned release. For a listing or a SOUL, by its id.",
      access: access.anyKey,
      params: { id: field(idOf<ItemId>(), "The id of a listing or of a SOUL.", "lst_01j9zq5k2f8h3m6n7p0r4s") },
      success: enveloped(ItemTrust),
      errors: ["LISTING_NOT_FOUND"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Trust", description: "Verdicts about items." }))
