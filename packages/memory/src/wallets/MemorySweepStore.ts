import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemorySweepStore: { readonly layer: Layer.Layer<SweepStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    SweepStore,
    Effect.map(MemoryMarket, ({ tables: { sweeps } }) => {
      const open = () => [...sweeps.values()].filter(({ ended }) => ended === null)
      return {
        start: (transfer) =>
          Effect.sync(() => {
            if (open().some(({ address }) => address === transfer.address)) return false
            sweeps.set(transfer.transaction.txid, { ...transfer, ended: null })
            return true
          }),
        open: Effect.sync(() => open().map(({ ended: _, ...transfer }) => transfer)),
        end: (txid, as) =>
          Effect.sync(() => {
            const transfer = sweeps.get(txid)
            if (transfer?.ended === null) sweeps.set(txid, { ...transfer, ended: as })
          }),
        swept: Effect.sync(() => {
          const sums = new Map<string, Usdt>()
          for (const { address, amount, ended, kind } of sweeps.values()) {
            if (kind === "sweep" && ended === "done") sums.set(address, Usdt.of((sums.get(address) ?? 0n) + amount))
          }
          return sums
        })
      }
    })
  )
}
