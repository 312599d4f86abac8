import { listedStates, toAdminWithdrawal, toPayouts } from "@agent-marketplace/api/admin/AdminPayoutsGroup"
import { Payouts } from "@agent-marketplace/core/wallets/Payouts"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { overTheChain } from "../wallets/overTheChain.ts"

/** The operator's decisions on withdrawals (OPERATOR-21, OPERATOR-22, OPERATOR-27). */
export const AdminPayoutsHandlers = handlerGroup(
  ServedApi,
  "adminPayouts",
  Effect.fnUntraced(function* (handlers) {
    const payouts = yield* Payouts
    return handlers.handleAll({
      withdrawals: ({ query: { status, ...query } }) => {
        const states = status === undefined ? undefined : listedStates(status)
        return forOperator.page(query, toAdminWithdrawal, (_, page) => payouts.withdrawals({ states }, page))
      },
      withdrawal: ({ params }) => forOperator.one(toAdminWithdrawal, () => payouts.withdrawal(params.id)),
      approve: ({ params }) => forOperator.one(toAdminWithdrawal, (operator) => payouts.approve(operator, params.id)),
      reject: ({ params, payload }) =>
        forOperator.one(toAdminWithdrawal, (operator) => payouts.reject(operator, params.id, payload.reason)),
      hold: ({ params, payload }) =>
        forOperator.one(toAdminWithdrawal, (operator) => payouts.hold(operator, params.id, payload.reason)),
      settle: ({ params, payload: { reason, txid } }) =>
        overTheChain(
          forOperator.one(toAdminWithdrawal, (operator) => payouts.settle(operator, params.id, txid, reason))
        ),
      payouts: () => forOperator.one(toPayouts, () => payouts.status),
      pause: () => forOperator.one(toPayouts, (operator) => payouts.pause(operator)),
      resume: () => forOperator.one(toPayouts, (operator) => payouts.resume(operator))
    })
  })
)
