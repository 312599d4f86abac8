import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { sweepDestination } from "@agent-marketplace/core/wallets/sweepDestination"
import type { HotBalance, SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Effect, Layer } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"

/** The changes to the asset when the transaction of its return ends. */
const endOfReturn = (as: SweepEnd, reason: string): Partial<ForeignAsset> => {
  if (as === "done") return { state: "returned" }
  return as === "failed" ? { state: "failed", failure: reason } : { transaction: null }
}

/** Whether the sweep goes where the treasury requires now. */
const goesRight = (
  { sweeps, treasury: { now } }: MarketTables,
  { destination, kind }: SweepTransfer,
  { counted, held }: HotBalance
): boolean => {
  if (kind !== "sweep") return true
  let expected = held
  for (const { amount, destination: to, ended, kind: is, transaction } of sweeps.values()) {
    const isOurs = is === "sweep" && (to === undefined || to === now.hot)
    if (isOurs && (ended === null || (ended === "done" && counted.has(transaction.txid)))) expected += amount
  }
  return destination === sweepDestination(now, expected)
}

export const MemorySweepStore: { readonly layer: Layer.Layer<SweepStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    SweepStore,
    Effect.map(MemoryMarket, ({ tables }) => {
      const { foreignAssets, sweeps } = tables
      const open = () => [...sweeps.values()].filter(({ ended }) => ended === null)
      return {
        start: (transfer, hot) =>
          Effect.sync(() => {
            if (hot !== undefined && !goesRight(tables, transfer, hot)) return false
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
        destinations: Effect.sync(() => [
          ...new Set(
            [...sweeps.values()].flatMap(({ destination }) => (destination === undefined ? [] : [destination]))
          )
        ]),
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
