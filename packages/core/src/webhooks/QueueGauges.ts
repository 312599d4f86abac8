import { Effect, Metric, Schedule } from "effect"
import type { MarketClock } from "../clock/MarketClock.ts"
import type { WebhookStore } from "./WebhookStore.ts"

const depth = Metric.gauge("webhook_queue_deliveries", { description: "Deliveries whose time has come." })
const oldest = Metric.gauge("webhook_queue_oldest_seconds", {
  description: "For how long the oldest of them has waited."
})

/** Keeps the gauges of the queue. */
export const queueGauges = (store: WebhookStore["Service"], clock: MarketClock["Service"]): Effect.Effect<void> => {
  const sample = Effect.gen(function* () {
    const now = yield* clock.now
    const { due, oldestDueAt } = yield* store.backlog(now)
    yield* Metric.update(depth, due)
    yield* Metric.update(oldest, oldestDueAt === null ? 0 : Math.max(now - oldestDueAt, 0) / 1000)
  })
  return Effect.asVoid(Effect.repeat(Effect.ignore(sample), Schedule.spaced("5 seconds")))
}
