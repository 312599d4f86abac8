import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { Effect, Layer, PubSub, Stream } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemoryEventLog: { readonly layer: Layer.Layer<EventLog, never, MemoryMarket> } = {
  layer: Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { appended, tables } = yield* MemoryMarket
      return {
        read: (after, limit) =>
          Effect.sync(() => {
            const start = after === undefined ? 0 : Number(after) + 1
            return tables.events.slice(start, start + limit)
          }),
        // Subscribed before the first tick, so that an event appended while a reader handles that tick is not missed.
        appended: Stream.unwrap(
          Effect.map(PubSub.subscribe(appended), (ticks) =>
            Stream.concat(Stream.succeed<void>(undefined), Stream.fromSubscription(ticks))
          )
        )
      }
    })
  )
}
