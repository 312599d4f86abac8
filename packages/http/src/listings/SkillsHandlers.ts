import { toSkillDraft, toSkillPatch } from "@agent-marketplace/api/listings/SkillFields"
import { toSkillCreated } from "@agent-marketplace/api/listings/SkillSchemas"
import { toDeleted, toPagination } from "@agent-marketplace/api/wire/Envelope"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { rawData, rawJson } from "../edge/RawJson.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { listingFilter } from "./listingFilter.ts"

/** Listings as the client library sees them (SKILL-1, WIRE-9). */
export const SkillsHandlers = handlerGroup(
  ServedApi,
  "skills",
  Effect.fnUntraced(function* (handlers) {
    const listings = yield* Listings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { kind = "skill", ...query } }) {
        const { filter, page } = yield* listingFilter(query)
        const { json, total } = yield* listings.list(filter, "skill", kind)
        const pagination = JSON.stringify(toPagination(page, total))
        const meta = JSON.stringify({ ...page, total })
        return rawJson(`{"success":true,"data":{"skills":${json},"pagination":${pagination}},"meta":${meta}}`)
      }),
      get: ({ params }) =>
        Effect.flatMap(currentCaller, (caller) => Effect.map(listings.skillJson(caller, params.idOrSlug), rawData)),
      create: ({ payload }) =>
        forCaller.one(toSkillCreated, (caller) => listings.create(caller, toSkillDraft(payload))),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* currentCaller
        yield* listings.update(caller, params.id, toSkillPatch(payload))
        return rawData(yield* listings.skillJson(caller, params.id))
      }),
      remove: ({ params }) => forCaller.one(toDeleted, (caller) => listings.remove(caller, params.id))
    })
  })
)
