import { toAdminReport } from "@agent-marketplace/api/moderation/ReportsGroup"
import { Reports } from "@agent-marketplace/core/moderation/Reports"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's routes for reports (REPORT-5). */
export const AdminReportsHandlers = handlerGroup(
  ServedApi,
  "adminReports",
  Effect.fnUntraced(function* (handlers) {
    const reports = yield* Reports
    return handlers.handleAll({
      list: ({ query: { status, ...query } }) =>
        forOperator.page(query, toAdminReport, (_, page) => reports.list(status, page)),
      resolve: ({ params, payload }) =>
        forOperator.one(toAdminReport, (operator) => reports.resolve(params.id, payload, operator))
    })
  })
)
