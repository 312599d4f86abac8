import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect, Layer, Stream } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import { claimDeliveries } from "./claimDeliveries.ts"
import { deliveryMethods } from "./deliveryMethods.ts"
import { dispatchEvents } from "./dispatchEvents.ts"
import { recordAttempts } from "./recordAttempts.ts"
import { subscriptionMethods } from "./subscriptionMethods.ts"

export const PostgresWebhookStore: { readonly layer: Layer.Layer<WebhookStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    WebhookStore,
    Effect.gen(function* () {
      const database = yield* Database
      const notifications = yield* Notifications
      const dispatch = dispatchEvents(database)
      return {
        ...subscriptionMethods(database, notifications),
        ...deliveryMethods(database, notifications),
        dispatch: (limit, fanOut) =>
          Effect.map(dispatch(limit, fanOut), ({ made, taken }) => {
            if (made > 0) notifications.hint("webhooks")
            return taken
          }),
        claim: claimDeliveries(database),
        record: recordAttempts(database),
        due: Stream.concat(
          Stream.succeed<void>(undefined),
          Stream.map(notifications.stream("webhooks"), (): void => undefined)
        )
      }
    })
  )
}
