import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { Nodes } from "../nodes/Nodes.ts"
import type { Pace, TronSettings } from "../TronSettings.ts"
import { defaultPace } from "../TronSettings.ts"
import type { Prices } from "./Fees.ts"
import { pricesOf } from "./Fees.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { finalHeads } from "./FinalHeads.ts"

/** The nodes of a network, and what everybody who asks them shares. */
export interface TronConnection {
  readonly nodes: Nodes
  readonly pace: Pace
  /** The token's contract, as people write it. */
  readonly contract: string
  readonly network: Effect.Effect<string, ChainUnavailable>
  readonly finalHead: Effect.Effect<FinalHead, ChainUnavailable>
  readonly prices: Effect.Effect<Prices, ChainUnavailable>
}

/** Asks nobody for anything before it is asked. */
export const connect = (settings: TronSettings): TronConnection => {
  const pace = { ...defaultPace, ...settings.pace }
  const urls = { wallet: settings.fullNodes, walletsolidity: settings.solidityNodes }
  const nodes = new Nodes(urls, settings.apiKey, pace)
  return {
    nodes,
    pace,
    contract: settings.contract,
    network: Effect.map(nodes.network, (genesis) => `tron:${genesis}`),
    finalHead: finalHeads(nodes, pace),
    prices: pricesOf(nodes)
  }
}
