import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { Nodes } from "../nodes/Nodes.ts"
import type { TronTimings, TronSettings } from "../TronSettings.ts"
import { defaultTimings } from "../TronSettings.ts"
import type { Prices } from "./Fees.ts"
import { pricesOf } from "./Fees.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { finalHeads } from "./FinalHeads.ts"

/** The nodes of a network, and the values that all their callers share. */
export interface TronConnection {
  readonly nodes: Nodes
  readonly timings: TronTimings
  /** The address of the token's contract, in base58. */
  readonly contract: string
  readonly network: Effect.Effect<string, ChainUnavailable>
  readonly finalHead: Effect.Effect<FinalHead, ChainUnavailable>
  readonly prices: Effect.Effect<Prices, ChainUnavailable>
  /** Read anew for each payment: a fee limit at an old price makes the payment fail. */
  readonly pricesNow: Effect.Effect<Prices, ChainUnavailable>
}

/** Contacts no node before the first call. */
export const connect = (settings: TronSettings): TronConnection => {
  const timings = { ...defaultTimings, ...settings.timings }
  const urls = { wallet: settings.fullNodes, walletsolidity: settings.solidityNodes }
  const nodes = new Nodes(urls, settings.apiKey, timings)
  const prices = pricesOf(nodes)
  return {
    nodes,
    timings,
    contract: settings.contract,
    network: Effect.map(nodes.network, (genesis) => `tron:${genesis}`),
    finalHead: finalHeads(nodes, timings),
    prices: prices(),
    pricesNow: prices(timings.fresh)
  }
}
