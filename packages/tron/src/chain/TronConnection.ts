import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { Nodes } from "../nodes/Nodes.ts"
import type { TronTimings, TronSettings } from "../TronSettings.ts"
import { defaultQuorum, defaultTimings } from "../TronSettings.ts"
import { AgreedBlocks } from "./AgreedBlocks.ts"
import type { Prices } from "./Fees.ts"
import { pricesOf } from "./Fees.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { Votes } from "./Votes.ts"

/** The nodes of a network, and the values that all their callers share. */
export interface TronConnection {
  readonly nodes: Nodes
  readonly votes: Votes
  /** The content of final blocks, as all voting nodes report it. */
  readonly blocks: AgreedBlocks
  readonly timings: TronTimings
  /** The address of the token's contract, in base58. */
  readonly contract: string
  readonly network: Effect.Effect<string, ChainUnavailable>
  /** The newest final block, as all voting nodes report it. */
  readonly finalHead: Effect.Effect<FinalHead, ChainUnavailable>
  readonly prices: Effect.Effect<Prices, ChainUnavailable>
  /** Read anew for each payment: a fee limit at an old price makes the payment fail. */
  readonly pricesNow: Effect.Effect<Prices, ChainUnavailable>
}

/** Contacts no node before the first call. */
export const connect = (settings: TronSettings): TronConnection => {
  const timings = { ...defaultTimings, ...settings.timings }
  const { apiKey, contract, fullNodes, quorum, solidityNodes } = settings
  const nodes = new Nodes({ wallet: fullNodes, walletsolidity: solidityNodes }, apiKey, timings)
  const needed = quorum ?? defaultQuorum(solidityNodes.length)
  const votes = new Votes(nodes, timings, needed)
  const prices = pricesOf(nodes)
  return {
    nodes,
    votes,
    blocks: new AgreedBlocks(votes, hexOf(contract).slice(2)),
    timings,
    contract,
    network: Effect.map(nodes.network, (genesis) => `tron:${genesis}`),
    finalHead: votes.head,
    prices: prices(),
    pricesNow: prices(timings.fresh)
  }
}
