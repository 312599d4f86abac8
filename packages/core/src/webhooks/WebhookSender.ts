import { Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { attemptRule } from "./DeliveryRules.ts"
import { DeliverySend } from "./DeliverySend.ts"
import { claimSeconds, SendLimits } from "./SendLimits.ts"
import { sendWorker } from "./SendWorker.ts"
import { WebhookStore } from "./WebhookStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

const depth = Metric.gauge("webhook_queue_deliveries", { description: "Deliveries whose time has come." })
const oldest = Metric.gauge("webhook_queue_oldest_seconds", {
  description: "For how long the oldest of them has waited."
})

/** Keeps the gauges of the queue. */
const queueGauges = (store: WebhookStore["Service"], clock: MarketClock["Service"]): Effect.Effect<void> => {
  const sample = Effect.gen(function* () {
    const now = yield* clock.now
    const { due, oldestDueAt } = yield* store.backlog(now)
    yield* Metric.update(depth, due)
    yield* Metric.update(oldest, oldestDueAt === null ? 0 : Math.max(now - oldestDueAt, 0) / 1000)
  })
  return Effect.asVoid(Effect.repeat(Effect.ignore(sample), Schedule.spaced("5 seconds")))
}

/**
 * Sends due deliveries. Any number of workers share them: each claims as many as it has capacity for, and the claims of a killed worker expire
 * and are claimed again. A delivery therefore arrives at least once, and a second time only if a worker ended between the receiver's response
 * and its record.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Claims and sends due deliveries and records the results. Returns their number. */
    readonly sendDue: StoreEffect<number>
    /** Runs until it is interrupted, and wakes immediately when a delivery becomes due. Requests in flight then have 5 s to finish. */
    readonly run: Effect.Effect<void>
  }
>()("@agent-marketplace/core/webhooks/WebhookSender") {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const limits = yield* SendLimits
      const sending = yield* DeliverySend
      const store = yield* WebhookStore

      const claim = Effect.fnUntraced(function* (limit: number) {
        return yield* store.claim({
          now: yield* clock.now,
          limit,
          perWebhook: limits.heldPerWebhook,
          perHost: limits.heldPerHost,
          leaseSeconds: claimSeconds
        })
      })

      const sendDue = Effect.gen(function* () {
        const claimed = yield* claim(limits.sends)
        if (claimed.length === 0) return 0
        const made = yield* Effect.forEach(claimed, (each) => Effect.option(sending.attempt(each)), {
          concurrency: limits.sends
        })
        yield* store.record(made.flatMap(Option.toArray), attemptRule)
        return claimed.length
      })

      return {
        sendDue: Effect.withSpan(sendDue, "WebhookSender.sendDue"),
        run: Effect.raceFirst(sendWorker({ claim, limits, sending, store }), queueGauges(store, clock))
      }
    })
  )
}
