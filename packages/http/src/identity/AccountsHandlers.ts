import { toAccount, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { ServedApi } from "../ServedApi.ts"

/** Accounts over HTTP (ACCOUNT-1, ACCOUNT-2, ACCOUNT-3). */
export const AccountsHandlers = HttpApiBuilder.group(
  ServedApi,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const identity = yield* Identity
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { account, apiKey } = yield* identity.signUp(payload)
        return toEnvelope({ account: toAccount(account), apiKey: toIssuedKey(apiKey) })
      }),
      get: Effect.fnUntraced(function* () {
        return toEnvelope(toAccount(yield* identity.account(yield* currentCaller)))
      }),
      update: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toAccount(yield* identity.updateAccount(yield* currentCaller, payload)))
      })
    })
  })
)
