import { toAccountOverview, toAdminPurchase, toOperation } from "@agent-marketplace/api/admin/AdminAccountSchemas"
import { toAdminAccount, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Administration } from "@agent-marketplace/core/admin/Administration"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentOperator } from "../edge/CurrentRequest.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** A parameter that is given but empty filters nothing. */
const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Handlers of an operator's routes for accounts, keys and purchases (OPERATOR-5 to OPERATOR-15). */
export const AdminAccountsHandlers = handlerGroup(
  ServedApi,
  "adminAccounts",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* Administration
    return handlers.handleAll({
      list: ({ query: { frozen, search, ...query } }) =>
        forOperator.page(query, toAdminAccount, (_, page) =>
          administration.accounts({ search: given(search), frozen }, page)
        ),
      get: ({ params }) => forOperator.one(toAccountOverview, () => administration.account(params.id)),
      update: ({ params, payload }) =>
        forOperator.one(toAdminAccount, (operator) => administration.updateAccount(operator, params.id, payload)),
      freeze: ({ params, payload }) =>
        forOperator.one(toAdminAccount, (operator) => administration.freeze(operator, params.id, payload.reason)),
      unfreeze: ({ params }) =>
        forOperator.one(toAdminAccount, (operator) => administration.unfreeze(operator, params.id)),
      recover: Effect.fnUntraced(function* ({ params }) {
        const issued = yield* administration.recover(yield* currentOperator, params.id)
        return toEnvelope({ apiKey: toIssuedKey(issued) })
      }),
      endKey: Effect.fnUntraced(function* ({ params }) {
        yield* administration.endKey(yield* currentOperator, params.id)
        return toEnvelope({ id: params.id, status: "deactivated" as const })
      }),
      purchases: ({ query: { account, item, status, ...query } }) =>
        forOperator.page(query, toAdminPurchase, (_, page) =>
          administration.purchases({ account, item, status }, page)
        ),
      purchase: ({ params }) => forOperator.one(toAdminPurchase, () => administration.purchase(params.id)),
      actions: ({ query: { actor, subject, ...query } }) =>
        forOperator.page(query, toOperation, (_, page) =>
          administration.actions({ actor: given(actor), subject }, page)
        )
    })
  })
)
