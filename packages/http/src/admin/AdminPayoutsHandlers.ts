import { listedStates, toAdminWithdrawal, toPayouts } from "@agent-marketplace/api/admin/AdminPayoutsGroup"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Payouts } from "@agent-marketplace/core/wallets/Payouts"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentOperator } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's decisions on withdrawals (OPERATOR-21, OPERATOR-22). */
export const AdminPayoutsHandlers = HttpApiBuilder.group(
  ServedApi,
  "adminPayouts",
  Effect.fnUntraced(function* (handlers) {
    const payouts = yield* Payouts
    return handlers.handleAll({
      withdrawals: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const states = query.status === undefined ? undefined : listedStates(query.status)
        const { items, total } = yield* payouts.withdrawals({ states }, page)
        return toPage(items.map(toAdminWithdrawal), page, total)
      }),
      withdrawal: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAdminWithdrawal(yield* payouts.withdrawal(params.id)))
      }),
      approve: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAdminWithdrawal(yield* payouts.approve(yield* currentOperator, params.id)))
      }),
      reject: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toAdminWithdrawal(yield* payouts.reject(yield* currentOperator, params.id, payload.reason)))
      }),
      payouts: Effect.fnUntraced(function* () {
        return toEnvelope(toPayouts(yield* payouts.status))
      }),
      pause: Effect.fnUntraced(function* () {
        return toEnvelope(toPayouts(yield* payouts.pause(yield* currentOperator)))
      }),
      resume: Effect.fnUntraced(function* () {
        return toEnvelope(toPayouts(yield* payouts.resume(yield* currentOperator)))
      })
    })
  })
)
