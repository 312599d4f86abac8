import { Context, Effect, Layer, Metric, Schedule } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { attemptRule } from "./DeliveryRules.ts"
import { DeliverySend } from "./DeliverySend.ts"
import { claimSeconds, SendLimits } from "./SendLimits.ts"
import { sendWorker } from "./SendWorker.ts"
import { WebhookStore } from "./WebhookStore.ts"

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
 * Sends what is due. Any number of workers share the deliveries: each claims what it has room for, and what a killed one held
 * is claimed again once its claims have run out. A delivery therefore arrives at least once; twice only where a worker
 * ended between the receiver's answer and the record of it.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Claims what is due, sends it and records what came of it; answers how many there were. */
    readonly sendDue: Effect.Effect<number, StoreUnavailable>
    /** Goes on until it is interrupted; wakes up at once when something becomes due. What is on its way then has 5 s to end. */
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
        const made = yield* Effect.forEach(claimed, sending.attempt, { concurrency: limits.sends })
        yield* store.record(made, attemptRule)
        return claimed.length
      })

      return {
        sendDue: Effect.withSpan(sendDue, "WebhookSender.sendDue"),
        run: Effect.raceFirst(sendWorker({ claim, limits, sending, store }), queueGauges(store, clock))
      }
    })
  )
}
