import { toApproval } from "@agent-marketplace/api/approvals/ApprovalSchemas"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import type { ApprovalId } from "@agent-marketplace/core/ids/Ids"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller, replayable } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Approvals over HTTP (APPROVAL-1, APPROVAL-3, APPROVAL-4). */
export const ApprovalsHandlers = handlerGroup(
  ServedApi,
  "approvals",
  Effect.fnUntraced(function* (handlers) {
    const approvals = yield* Approvals
    const decide = (decision: "approve" | "reject") =>
      Effect.fnUntraced(function* (request: {
        readonly params: { readonly id: ApprovalId }
        readonly headers: { readonly "idempotency-key"?: string }
      }) {
        const { headers, params } = request
        const decided = approvals.decide(yield* currentCaller, params.id, decision, headers["idempotency-key"])
        return toEnvelope(toApproval(yield* replayable(decided)))
      })
    return handlers.handleAll({
      list: ({ query }) =>
        forCaller.page(query, toApproval, (caller, page) => approvals.list(caller, query.status, page)),
      get: ({ params }) => forCaller.one(toApproval, (caller) => approvals.get(caller, params.id)),
      approve: decide("approve"),
      reject: decide("reject")
    })
  })
)
