import { toSavedAddress, toWithdrawalRules } from "@agent-marketplace/api/wallets/WithdrawalRulesSchemas"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { WithdrawalControl } from "@agent-marketplace/core/wallets/WithdrawalControl"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Address books and rules for withdrawals over HTTP (WITHDRAWAL-15, WITHDRAWAL-16). */
export const WithdrawalRulesHandlers = HttpApiBuilder.group(
  ServedApi,
  "withdrawalRules",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* WithdrawalControl
    return handlers.handleAll({
      addresses: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* control.addresses(yield* currentCaller, page)
        return toPage(items.map(toSavedAddress), page, total)
      }),
      saveAddress: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toSavedAddress(yield* control.saveAddress(yield* currentCaller, payload)))
      }),
      removeAddress: Effect.fnUntraced(function* ({ params }) {
        yield* control.removeAddress(yield* currentCaller, params.id)
        return toEnvelope({ id: params.id, deleted: true as const })
      }),
      rules: Effect.fnUntraced(function* () {
        return toEnvelope(toWithdrawalRules(yield* control.policy(yield* currentCaller)))
      }),
      changeRules: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toWithdrawalRules(yield* control.changePolicy(yield* currentCaller, payload)))
      })
    })
  })
)
