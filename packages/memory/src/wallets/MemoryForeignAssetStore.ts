import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ForeignAsset, ReceivedAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { foreignAssetLimits, ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { Effect, Layer, Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

const unreturned = {
  unverifiedSymbol: null,
  state: "received",
  destination: null,
  transaction: null,
  failure: null
} as const

/** The transfers that are neither recorded nor sent by the market itself, each once. */
const newAmong = (tables: MarketTables, network: string, received: ReadonlyArray<ReceivedAsset>) => {
  const keyOf = ({ logIndex, txid }: ReceivedAsset) => `${txid}:${logIndex}`
  const known = new Set(
    [...tables.foreignAssets.values()].filter((each) => each.network === network).map((each) => keyOf(each))
  )
  return received.filter((each) => {
    if (tables.sweeps.has(each.txid) || known.has(keyOf(each))) return false
    known.add(keyOf(each))
    return true
  })
}

/** The part of them that the limits admit. */
const admitted = (tables: MarketTables, day: string, fresh: ReadonlyArray<ReceivedAsset>) => {
  const { leftOut, recorded } = tables.foreignDays.get(day) ?? { recorded: 0, leftOut: 0 }
  const held = new Map<string, number>()
  for (const { address, state } of tables.foreignAssets.values())
    if (state === "received") held.set(address, (held.get(address) ?? 0) + 1)
  let left = foreignAssetLimits.perDay - recorded
  const taken = fresh.filter(({ address }) => {
    const count = held.get(address) ?? 0
    if (left <= 0 || count >= foreignAssetLimits.perAddress) return false
    held.set(address, count + 1)
    left--
    return true
  })
  const isMore = { recorded: recorded + taken.length, leftOut: leftOut + fresh.length - taken.length }
  tables.foreignDays.set(day, isMore)
  return taken
}

const isOpen = (tables: MarketTables, { id }: ForeignAsset): boolean =>
  [...tables.sweeps.values()].some(({ ended, returns }) => ended === null && returns?.id === id)

export const MemoryForeignAssetStore: {
  readonly layer: Layer.Layer<ForeignAssetStore, never, MarketClock | MemoryMarket>
} = {
  layer: Layer.effect(
    ForeignAssetStore,
    Effect.map(Effect.all([MemoryMarket, MarketClock]), ([{ tables }, clock]) => ({
      record: (network, received, action) =>
        Effect.map(clock.now, (now) => {
          const fresh = newAmong(tables, network, received)
          const taken = action === null ? admitted(tables, Timestamp.toIso(now).slice(0, 10), fresh) : fresh
          for (const each of taken) tables.foreignAssets.set(each.id, { ...each, network, ...unreturned })
          if (action !== null && taken.length > 0)
            tables.actions.push({ ...action, before: null, after: { recorded: taken.length } })
        }),
      list: ({ state, txid }, page) =>
        Effect.sync(() => {
          const found = [...tables.foreignAssets.values()].filter(
            (each) => (state === undefined || each.state === state) && (txid === undefined || each.txid === txid)
          )
          return Timeline.page(found.toReversed(), page)
        }),
      find: (id) => Effect.sync(() => Option.fromNullishOr(tables.foreignAssets.get(id))),
      leftOut: Effect.sync(() => [...tables.foreignDays.values()].reduce((sum, { leftOut }) => sum + leftOut, 0)),
      setSymbol: ({ asset, kind, network }, unverifiedSymbol) =>
        Effect.sync(() => {
          for (const each of tables.foreignAssets.values())
            if (each.network === network && each.kind === kind && each.asset === asset)
              tables.foreignAssets.set(each.id, { ...each, unverifiedSymbol })
        }),
      requestReturn: (id, destination, action) =>
        Effect.sync(() => {
          const asset = tables.foreignAssets.get(id)
          if (asset === undefined) return Option.none()
          const isSame = asset.destination === destination
          if (isSame && asset.state !== "failed" && asset.state !== "received")
            return Option.some({ _tag: "Requested", asset, changed: false })
          if (asset.state === "returned" || isOpen(tables, asset)) return Option.some({ _tag: "Sent", asset })
          const changed: ForeignAsset = { ...asset, state: "returning", destination, transaction: null, failure: null }
          tables.foreignAssets.set(id, changed)
          tables.actions.push({
            ...action,
            before: { state: asset.state, destination: asset.destination },
            after: { state: "returning", destination }
          })
          return Option.some({ _tag: "Requested", asset: changed, changed: true })
        })
    }))
  )
}
