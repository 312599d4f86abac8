import { toCondition } from "@agent-marketplace/api/health/ConditionsGroup"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's view of the service's health (OPERATOR-26). */
export const ConditionsHandlers = handlerGroup(
  ServedApi,
  "adminConditions",
  Effect.fnUntraced(function* (handlers) {
    const conditions = yield* Conditions
    return handlers.handleAll({
      conditions: ({ query: { status, ...query } }) => {
        const open = status === undefined ? undefined : status === "open"
        return forOperator.page(query, toCondition, (_, page) => conditions.list({ open }, page))
      }
    })
  })
)
