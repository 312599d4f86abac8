import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Effect, Layer } from "effect"
import { HttpMetrics } from "./HttpMetrics.ts"

/** Counts the size of every batch on its way to the store. */
export const SettlementMetrics = {
  layer: Layer.effect(
    SettlementStore,
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const metrics = yield* HttpMetrics
      return SettlementStore.of({
        ...store,
        settle: (commands) => {
          metrics.settled(commands.length)
          return store.settle(commands)
        }
      })
    })
  )
}
