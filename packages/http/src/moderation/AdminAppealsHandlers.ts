import { toAdminAppeal } from "@agent-marketplace/api/moderation/AppealsGroup"
import { Appeals } from "@agent-marketplace/core/moderation/Appeals"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's routes for appeals (APPEAL-3, APPEAL-4). */
export const AdminAppealsHandlers = handlerGroup(
  ServedApi,
  "adminAppeals",
  Effect.fnUntraced(function* (handlers) {
    const appeals = yield* Appeals
    return handlers.handleAll({
      list: ({ query: { status, ...query } }) =>
        forOperator.page(query, toAdminAppeal, (_, page) => appeals.list(status, page)),
      decide: ({ params, payload }) =>
        forOperator.one(toAdminAppeal, (operator) => appeals.decide(params.id, payload, operator))
    })
  })
)
