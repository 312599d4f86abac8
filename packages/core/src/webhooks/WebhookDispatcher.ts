import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { logLifetime } from "./Delivery.ts"
import { fanOut } from "./DeliveryRules.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** Events that one transaction fans out. */
const eventsAtOnce = 256

const prunedAtOnce = 1000

/** The log's end need not be looked at more often. */
const pruneEvery = Timestamp.hour

/** From the log of events to deliveries, and from deliveries to nothing after 30 days. Both answer whether more waits. */
export class WebhookDispatcher extends Context.Service<
  WebhookDispatcher,
  {
    readonly dispatch: Effect.Effect<boolean, StoreUnavailable>
    readonly prune: Effect.Effect<boolean, StoreUnavailable>
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
          Effect.map(store.dispatch(eventsAtOnce, fanOut), (taken) => taken === eventsAtOnce),
          "WebhookDispatcher.dispatch"
        ),
        prune: Effect.gen(function* () {
          const now = yield* clock.now
          if (now < nextPrune) return false
          const more = (yield* store.prune(now - logLifetime, prunedAtOnce)) === prunedAtOnce
          if (!more) nextPrune = now + pruneEvery
          return more
        })
      }
    })
  )
}
