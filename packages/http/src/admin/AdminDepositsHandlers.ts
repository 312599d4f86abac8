import { toHeldDeposit } from "@agent-marketplace/api/admin/AdminDepositsGroup"
import { HeldDeposits } from "@agent-marketplace/core/screening/HeldDeposits"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's decisions on deposits that are held (SCREENING-6). */
export const AdminDepositsHandlers = handlerGroup(
  ServedApi,
  "adminDeposits",
  Effect.fnUntraced(function* (handlers) {
    const held = yield* HeldDeposits
    return handlers.handleAll({
      deposits: ({ query: { status, ...query } }) => {
        const states = status === undefined ? undefined : [status]
        return forOperator.page(query, toHeldDeposit, (_, page) => held.list({ states }, page))
      },
      release: ({ params, payload: { reason } }) =>
        forOperator.one(toHeldDeposit, (operator) => held.release(operator, params.id, reason)),
      reject: ({ params, payload: { reason } }) =>
        forOperator.one(toHeldDeposit, (operator) => held.reject(operator, params.id, reason))
    })
  })
)
