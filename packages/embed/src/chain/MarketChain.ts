import type { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Layer } from "effect"
import type { Digest } from "effect/crypto"

/** A blockchain that the market's money goes in and out by: `tronChain({ … })`, or an adapter of your own. */
export interface MarketChain {
  /** Whether what moves on it is worth something: then the storage must last and no test moves the time. */
  readonly realMoney: boolean
  readonly layer: Layer.Layer<Chain, ChainUnavailable, Digest.Digest | MarketClock>
}
