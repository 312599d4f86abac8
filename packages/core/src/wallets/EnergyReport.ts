import { Effect } from "effect"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { WalletResources } from "../chain/WalletResources.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Conflict } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { DailyCosts } from "./payoutCosts.ts"
import { burnOf, dailyCosts } from "./payoutCosts.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The resources of the hot wallet for the fees of payouts, and the cost of payouts (TREASURY-6). */
export interface EnergyReport {
  readonly wallet: string
  readonly resources: WalletResources
  /** The coins that one payout burns now, to an address that holds the token and to one that does not; in the coin's smallest unit. */
  readonly usual: bigint
  readonly most: bigint
  /** Estimated from the payouts of the last 24 hours. */
  readonly day: DailyCosts
  /** The value of one coin; null if it is not configured. */
  readonly rate: Usdt | null
}

/** Reads the resources of the hot wallet and computes the cost of payouts (TREASURY-6). */
export const energyReport: Effect.Effect<
  EnergyReport,
  ChainUnavailable | Conflict | StoreUnavailable,
  Chain | MarketClock | MarketConfig | TreasuryStore | WalletStore
> = Effect.gen(function* () {
  const chain = yield* Chain
  const now = yield* (yield* MarketClock).now
  const wallet = (yield* (yield* TreasuryStore).treasury).hot ?? chain.hotWallet
  if (wallet === null)
    return yield* new Conflict({ state: "no_hot_wallet", reason: "the market does not know its hot wallet yet" })
  const resources = yield* chain.resources(wallet)
  const { completed } = yield* (yield* WalletStore).payoutLoad(now - Timestamp.day)
  return {
    wallet,
    resources,
    usual: burnOf(resources, resources.usual),
    most: burnOf(resources, resources.most),
    day: dailyCosts(resources, completed),
    rate: (yield* MarketConfig).coinRate
  }
})
