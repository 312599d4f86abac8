import { toSubscription } from "@agent-marketplace/api/purchases/PurchaseWire"
import { Subscriptions } from "@agent-marketplace/core/purchases/Subscriptions"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Subscriptions over HTTP (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export const SubscriptionsHandlers = handlerGroup(
  ServedApi,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const subscriptions = yield* Subscriptions
    return handlers.handleAll({
      list: ({ query }) =>
        forCaller.page(query, toSubscription, (caller, page) =>
          subscriptions.list(caller, query.side ?? "buyer", page)
        ),
      get: ({ params }) => forCaller.one(toSubscription, (caller) => subscriptions.find(caller, params.id)),
      resume: ({ params }) => forCaller.one(toSubscription, (caller) => subscriptions.resume(caller, params.id)),
      cancel: ({ params }) => forCaller.one(toSubscription, (caller) => subscriptions.cancel(caller, params.id))
    })
  })
)
