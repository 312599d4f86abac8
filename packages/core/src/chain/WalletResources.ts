/** A resource that pays a part of the fees of a wallet's transactions instead of coins, such as energy on TRON. */
export interface WalletResource {
  /** The units that the wallet has for 24 hours, and those of them that are used at present. Used units come back within 24 hours. */
  readonly limit: number
  readonly used: number
  /** The coins that the wallet has staked for it, and those that others have staked and delegated to the wallet; in the coin's smallest unit. */
  readonly staked: bigint
  readonly delegated: bigint
  /** The units that one staked coin gives; null if the chain has no staking, or does not report it. */
  readonly unitsPerCoin: number | null
}

/** The units of each resource that a payout uses, and the coins that it burns in any case, for example for a second signature. */
export interface PayoutNeeds {
  readonly energy: number
  readonly bandwidth: number
  readonly coins: bigint
}

/** The resources of a wallet for the fees of its payouts, and the cost of a payout. Prices and amounts are in the coin's smallest unit. */
export interface WalletResources {
  /** Whether the chain is simulated. The figures are then examples. */
  readonly simulated: boolean
  /** The coins that it can burn; null if the chain does not count them. */
  readonly coins: bigint | null
  readonly energy: WalletResource
  readonly bandwidth: WalletResource
  /** The coins that one missing unit burns. */
  readonly energyPrice: number
  readonly bandwidthPrice: number
  /** A payout to an address that holds the token. */
  readonly usual: PayoutNeeds
  /** A payout to an address that does not hold it. */
  readonly most: PayoutNeeds
  /** Below this number of coins no payout of that kind (`most`) is started. */
  readonly required: bigint
}

const noResource: WalletResource = { limit: 0, used: 0, staked: 0n, delegated: 0n, unitsPerCoin: null }

/** The resources on a chain that has none: a payout costs only coins, and the chain does not count those of the wallet. */
export const coinsOnly = (
  { most, usual }: { readonly usual: bigint; readonly most: bigint },
  simulated: boolean
): WalletResources => ({
  simulated,
  coins: null,
  energy: noResource,
  bandwidth: noResource,
  energyPrice: 0,
  bandwidthPrice: 0,
  usual: { energy: 0, bandwidth: 0, coins: usual },
  most: { energy: 0, bandwidth: 0, coins: most },
  required: 0n
})
