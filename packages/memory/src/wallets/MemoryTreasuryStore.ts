import { changedFields } from "@agent-marketplace/core/admin/OperatorAction"
import { depositKey } from "@agent-marketplace/core/settlement/MarketState"
import { areLimitsOrdered, limitsState, TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import type { PayoutPause } from "@agent-marketplace/core/wallets/Withdrawal"
import { unknownTransfersReason } from "@agent-marketplace/core/wallets/Withdrawal"
import { Effect, Layer } from "effect"
import type { MarketTables, RecordedTransfer } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"

const unknown = (tables: MarketTables): ReadonlyArray<RecordedTransfer> =>
  [...tables.outgoing.values()]
    .filter(({ explanation, txid }) => explanation === null && !tables.withdrawalsByTransaction.has(txid))
    .sort((one, other) => one.block - other.block || one.logIndex - other.logIndex)

/** Whether a withdrawal has the transaction, or the operator has explained it. */
export const isUsed = (tables: MarketTables, txid: string): boolean =>
  tables.withdrawalsByTransaction.has(txid) ||
  [...tables.outgoing.values()].some((each) => each.txid === txid && each.explanation !== null)

/** The operator's pause, or the one that unknown transfers cause. */
export const payoutPause = (tables: MarketTables): PayoutPause | null => {
  const [first] = unknown(tables)
  const { pause } = tables.payouts
  if (first === undefined) return pause
  return { since: pause?.since ?? first.at, reason: pause?.reason ?? unknownTransfersReason, unknownTransfers: true }
}

export const MemoryTreasuryStore: { readonly layer: Layer.Layer<TreasuryStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    TreasuryStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      treasury: Effect.sync(() => tables.treasury.now),
      claim: ({ hot = null, token = null }) =>
        Effect.sync(() => {
          const { now } = tables.treasury
          return (tables.treasury.now = { ...now, token: now.token ?? token, hot: now.hot ?? hot })
        }),
      setWallet: (wallet, { from, to }, action) =>
        Effect.sync(() => {
          const { now } = tables.treasury
          if (now[wallet] !== from || (to !== null && to === now[wallet === "hot" ? "cold" : "hot"])) return false
          tables.treasury.now = { ...now, [wallet]: to }
          tables.actions.push({ ...action, ...changedFields({ [wallet]: from }, { [wallet]: to }) })
          return true
        }),
      setLimits: (limits, action) =>
        Effect.sync(() => {
          const { now } = tables.treasury
          const next = { ...now, ...limits }
          if (!areLimitsOrdered(next)) return false
          tables.treasury.now = next
          tables.actions.push({ ...action, ...changedFields(limitsState(now), limitsState(next)) })
          return true
        }),
      recordOutgoing: (network, transfers) =>
        Effect.sync(() => {
          for (const { amount, at, block, logIndex, to, txid } of transfers) {
            const key = depositKey(network, txid, logIndex)
            if (tables.outgoing.has(key) || tables.withdrawalsByTransaction.has(txid)) continue
            tables.outgoing.set(key, { network, txid, logIndex, to, amount, block, at, explanation: null })
          }
        }),
      knownTransactions: (_network, txids) => Effect.sync(() => new Set(txids.filter((txid) => isUsed(tables, txid)))),
      unknownTransfers: Effect.sync(() => unknown(tables).map(({ explanation: _, ...transfer }) => transfer)),
      explain: (txid, explanation, action) =>
        Effect.sync(() => {
          const found = unknown(tables).filter((each) => each.txid === txid)
          if (found.length === 0) return false
          for (const each of found)
            tables.outgoing.set(depositKey(each.network, txid, each.logIndex), { ...each, explanation })
          tables.actions.push({ ...action, before: null, after: { explanation } })
          return true
        })
    }))
  )
}
