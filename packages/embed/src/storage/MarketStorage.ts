import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"

type Needs = Digest.Digest | SecureRandom.SecureRandom

/** Where a market stores its data: `memoryStorage()`, `sqliteStorage({ file })`, `postgresStorage({ url })`, or an adapter of your own. */
export interface MarketStorage {
  /** Whether its data outlives the process. */
  readonly lasts: boolean
  /** The ports only, for a market on another chain. */
  readonly ports: Layer.Layer<MarketStores, StoreUnavailable, Needs>
  /** The ports and a simulated chain. */
  readonly portsAndChain: Layer.Layer<MarketStores | Chain | SimulatedChain, StoreUnavailable, Needs>
}
