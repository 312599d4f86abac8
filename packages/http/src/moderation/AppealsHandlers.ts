import { toAppeal } from "@agent-marketplace/api/moderation/AppealsGroup"
import { Appeals } from "@agent-marketplace/core/moderation/Appeals"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Appeals of creators over HTTP (APPEAL-1). */
export const AppealsHandlers = handlerGroup(
  ServedApi,
  "appeals",
  Effect.fnUntraced(function* (handlers) {
    const appeals = yield* Appeals
    return handlers.handleAll({
      appeal: ({ params, payload }) => forCaller.one(toAppeal, (caller) => appeals.appeal(caller, params.id, payload)),
      own: ({ params, query }) =>
        forCaller.page(query, toAppeal, (caller, page) => appeals.own(caller, params.id, page))
    })
  })
)
