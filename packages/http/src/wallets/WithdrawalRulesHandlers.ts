import { toSavedAddress, toWithdrawalRules } from "@agent-marketplace/api/wallets/WithdrawalRulesSchemas"
import { toDeleted } from "@agent-marketplace/api/wire/Envelope"
import { WithdrawalControl } from "@agent-marketplace/core/wallets/WithdrawalControl"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Address books and rules for withdrawals over HTTP (WITHDRAWAL-15, WITHDRAWAL-16). */
export const WithdrawalRulesHandlers = handlerGroup(
  ServedApi,
  "withdrawalRules",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* WithdrawalControl
    return handlers.handleAll({
      addresses: ({ query }) =>
        forCaller.page(query, toSavedAddress, (caller, page) => control.addresses(caller, page)),
      saveAddress: ({ payload }) => forCaller.one(toSavedAddress, (caller) => control.saveAddress(caller, payload)),
      removeAddress: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(control.removeAddress(caller, params.id), params)),
      rules: () => forCaller.one(toWithdrawalRules, (caller) => control.policy(caller)),
      changeRules: ({ payload }) => forCaller.one(toWithdrawalRules, (caller) => control.changePolicy(caller, payload))
    })
  })
)
