import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Effect, Layer, Metric } from "effect"

const batchSizes = Metric.histogram("settlement_batch_orders", {
  description: "Commands that were settled in one transaction.",
  boundaries: [1, 2, 4, 8, 16, 32, 64]
})

/** Counts the size of every batch that is passed to the store. */
export const SettlementMetrics = {
  layer: Layer.effect(
    SettlementStore,
    Effect.map(SettlementStore, (store) =>
      SettlementStore.of({
        ...store,
        settle: (commands) => Effect.andThen(Metric.update(batchSizes, commands.length), store.settle(commands))
      })
    )
  )
}
