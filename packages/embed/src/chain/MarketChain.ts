import type { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Layer } from "effect"
import type { Digest } from "effect/crypto"

/** The blockchain of the market's deposits and withdrawals: `tronChain({ … })`, or an adapter of your own. */
export interface MarketChain {
  /** Whether it moves real money: then the storage must be persistent, and the time cannot be changed. */
  readonly realMoney: boolean
  readonly layer: Layer.Layer<Chain, ChainUnavailable, Digest.Digest | MarketClock>
}
