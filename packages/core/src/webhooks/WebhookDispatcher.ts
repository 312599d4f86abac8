import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { logLifetime } from "./Delivery.ts"
import { fanOut } from "./DeliveryRules.ts"
import { WebhookStore } from "./WebhookStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The number of events processed in one transaction. */
const eventBatchSize = 256

const pruneBatchSize = 1000

/** The interval between deletions of old log entries. */
const pruneEvery = Timestamp.hour

/** Creates deliveries from the event log, and deletes them after 30 days. Both methods return whether more work waits. */
export class WebhookDispatcher extends Context.Service<
  WebhookDispatcher,
  {
    readonly dispatch: StoreEffect<boolean>
    readonly prune: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/webhooks/WebhookDispatcher") {
  static readonly layer = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      let nextPrune = 0
      return {
        dispatch: Effect.withSpan(
          Effect.map(store.dispatch(eventBatchSize, fanOut), (taken) => taken === eventBatchSize),
          "WebhookDispatcher.dispatch"
        ),
        prune: Effect.gen(function* () {
          const now = yield* clock.now
          if (now < nextPrune) return false
          const more = (yield* store.prune(now - logLifetime, pruneBatchSize)) === pruneBatchSize
          if (!more) nextPrune = now + pruneEvery
          return more
        })
      }
    })
  )
}
