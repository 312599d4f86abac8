import { toAdvisory } from "@agent-marketplace/api/advisories/AdvisoriesGroup"
import { Advisories } from "@agent-marketplace/core/advisories/Advisories"
import type { AdvisoryId } from "@agent-marketplace/core/ids/Ids"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { ServedApi } from "../ServedApi.ts"

/** The feed of advisories over HTTP (ADVISORY-3). */
export const AdvisoriesHandlers = handlerGroup(
  ServedApi,
  "advisories",
  Effect.fnUntraced(function* (handlers) {
    const advisories = yield* Advisories
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { after, limit } }) {
        // One more than requested, to know whether there are more.
        const found = yield* advisories.list(after as AdvisoryId | undefined, limit + 1)
        const data = found.slice(0, limit).map(toAdvisory)
        const nextCursor = found.length > limit ? (data.at(-1)?.id ?? null) : null
        return { success: true as const, data, meta: { limit, nextCursor } }
      })
    })
  })
)
