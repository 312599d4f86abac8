import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { settleBatch } from "@agent-marketplace/core/settlement/Batch"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"
import { applyWrites } from "./applyWrites.ts"
import { checkWrites } from "./checkWrites.ts"
import { loadState } from "./loadState.ts"

export const MemorySettlementStore: {
  readonly layer: Layer.Layer<SettlementStore, never, MarketClock | MemoryMarket>
} = {
  layer: Layer.effect(
    SettlementStore,
    Effect.gen(function* () {
      const { appendSettled, tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      return {
        settle: (commands) =>
          Effect.map(clock.now, (now) => {
            const { outcomes, writes } = settleBatch(loadState(tables, readSetOf(commands), now), commands)
            const balances = checkWrites(tables, writes)
            applyWrites(tables, writes, balances, now)
            appendSettled(writes.events)
            return outcomes
          }),
        underWayDone: Effect.void
      }
    })
  )
}
