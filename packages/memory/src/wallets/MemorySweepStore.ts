import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import type { SweepEnd } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

/** What the end of a return's transaction changes. */
const endOfReturn = (as: SweepEnd, reason: string): Partial<ForeignAsset> => {
  if (as === "done") return { state: "returned" }
  return as === "failed" ? { state: "failed", failure: reason } : { transaction: null }
}

export const MemorySweepStore: { readonly layer: Layer.Layer<SweepStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    SweepStore,
    Effect.map(MemoryMarket, ({ tables: { foreignAssets, sweeps } }) => {
      const open = () => [...sweeps.values()].filter(({ ended }) => ended === null)
      return {
        start: (transfer) =>
          Effect.sync(() => {
            if (open().some(({ address }) => address === transfer.address)) return false
            const { amount, returns, transaction } = transfer
            const asset = returns === undefined ? undefined : foreignAssets.get(returns.id)
            if (returns !== undefined) {
              if (asset?.state !== "returning" || asset.destination !== returns.destination) return false
              foreignAssets.set(returns.id, { ...asset, transaction: { txid: transaction.txid, amount } })
            }
            sweeps.set(transfer.transaction.txid, { ...transfer, ended: null })
            return true
          }),
        open: Effect.sync(() => open().map(({ ended: _, ...transfer }) => transfer)),
        end: (txid, as, reason = "no reason was reported") =>
          Effect.sync(() => {
            const transfer = sweeps.get(txid)
            if (transfer?.ended !== null) return
            sweeps.set(txid, { ...transfer, ended: as })
            const asset = transfer.returns === undefined ? undefined : foreignAssets.get(transfer.returns.id)
            if (asset !== undefined) foreignAssets.set(asset.id, { ...asset, ...endOfReturn(as, reason) })
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
