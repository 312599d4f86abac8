import { toSubscription } from "@agent-marketplace/api/purchases/PurchaseWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Subscriptions } from "@agent-marketplace/core/purchases/Subscriptions"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Subscriptions over HTTP (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export const SubscriptionsHandlers = HttpApiBuilder.group(
  ServedApi,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const subscriptions = yield* Subscriptions
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* subscriptions.list(yield* currentCaller, query.side ?? "buyer", page)
        return toPage(items.map(toSubscription), page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toSubscription(yield* subscriptions.find(yield* currentCaller, params.id)))
      }),
      resume: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toSubscription(yield* subscriptions.resume(yield* currentCaller, params.id)))
      }),
      cancel: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toSubscription(yield* subscriptions.cancel(yield* currentCaller, params.id)))
      })
    })
  })
)
