import { toReport } from "@agent-marketplace/api/moderation/ReportsGroup"
import { Reports } from "@agent-marketplace/core/moderation/Reports"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Reports of items over HTTP (REPORT-1). */
export const ReportsHandlers = handlerGroup(
  ServedApi,
  "reports",
  Effect.fnUntraced(function* (handlers) {
    const reports = yield* Reports
    return handlers.handleAll({
      report: ({ params, payload }) => forCaller.one(toReport, (caller) => reports.report(caller, params.id, payload))
    })
  })
)
