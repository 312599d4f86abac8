import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Clock, Effect, Layer } from "effect"

/** Effect's clock, so that a `TestClock` drives the market, plus what `advance` has added. */
export const MemoryMarketClock: { readonly layer: Layer.Layer<MarketClock> } = {
  layer: Layer.sync(MarketClock, () => {
    let offset = 0
    const now = Effect.map(Clock.currentTimeMillis, (millis) => millis + offset)
    return {
      now,
      advance: Effect.fn("MemoryMarketClock.advance")(function* (seconds) {
        offset += seconds * Timestamp.second
        return yield* now
      })
    }
  })
}
