import { toCondition } from "@agent-marketplace/api/health/ConditionsGroup"
import { toPage } from "@agent-marketplace/api/wire/Envelope"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's view of the service's health (OPERATOR-26). */
export const ConditionsHandlers = HttpApiBuilder.group(
  ServedApi,
  "adminConditions",
  Effect.fnUntraced(function* (handlers) {
    const conditions = yield* Conditions
    return handlers.handleAll({
      conditions: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const open = query.status === undefined ? undefined : query.status === "open"
        const { items, total } = yield* conditions.list({ open }, page)
        return toPage(items.map(toCondition), page, total)
      })
    })
  })
)
