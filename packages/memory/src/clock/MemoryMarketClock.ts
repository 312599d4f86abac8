import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Clock, Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

/** Effect's clock, so that a `TestClock` drives the market, plus what `advance` has added. */
export const MemoryMarketClock: { readonly layer: Layer.Layer<MarketClock, never, MemoryMarket> } = {
  layer: Layer.effect(
    MarketClock,
    Effect.map(MemoryMarket, ({ tables }) => {
      const now = Effect.map(Clock.currentTimeMillis, (millis) => millis + tables.clock.offset)
      return {
        now,
        lastKnown: now,
        advance: Effect.fn("MemoryMarketClock.advance")(function* (seconds, action) {
          tables.clock.offset += seconds * Timestamp.second
          if (action !== undefined) tables.actions.push({ ...action, before: null, after: { advanceSeconds: seconds } })
          return yield* now
        })
      }
    })
  )
}
