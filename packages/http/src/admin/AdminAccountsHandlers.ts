import { toAccountOverview, toAdminPurchase, toOperation } from "@agent-marketplace/api/admin/AdminAccountSchemas"
import { toAdminAccount, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Administration } from "@agent-marketplace/core/admin/Administration"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentOperator } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** A parameter that is given but empty filters nothing. */
const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Handlers of an operator's routes for accounts, keys and purchases (OPERATOR-5 to OPERATOR-15). */
export const AdminAccountsHandlers = HttpApiBuilder.group(
  ServedApi,
  "adminAccounts",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* Administration
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const filter = { search: given(query.search), frozen: query.frozen }
        const { items, total } = yield* administration.accounts(filter, page)
        return toPage(items.map(toAdminAccount), page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAccountOverview(yield* administration.account(params.id)))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(
          toAdminAccount(yield* administration.updateAccount(yield* currentOperator, params.id, payload))
        )
      }),
      freeze: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(
          toAdminAccount(yield* administration.freeze(yield* currentOperator, params.id, payload.reason))
        )
      }),
      unfreeze: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAdminAccount(yield* administration.unfreeze(yield* currentOperator, params.id)))
      }),
      recover: Effect.fnUntraced(function* ({ params }) {
        const issued = yield* administration.recover(yield* currentOperator, params.id)
        return toEnvelope({ apiKey: toIssuedKey(issued) })
      }),
      endKey: Effect.fnUntraced(function* ({ params }) {
        yield* administration.endKey(yield* currentOperator, params.id)
        return toEnvelope({ id: params.id, status: "deactivated" as const })
      }),
      purchases: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { account, item, status } = query
        const filter = { account, item, status }
        const { items, total } = yield* administration.purchases(filter, page)
        return toPage(items.map(toAdminPurchase), page, total)
      }),
      purchase: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAdminPurchase(yield* administration.purchase(params.id)))
      }),
      actions: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const filter = { actor: given(query.actor), subject: query.subject }
        const { items, total } = yield* administration.actions(filter, page)
        return toPage(items.map(toOperation), page, total)
      })
    })
  })
)
