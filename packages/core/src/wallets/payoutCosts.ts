import type { PayoutNeeds, WalletResource, WalletResources } from "../chain/WalletResources.ts"
import { Usdt } from "../money/Usdt.ts"

/** One coin, in its smallest unit. */
const coin = 1_000_000

const left = ({ limit, used }: WalletResource): number => Math.max(0, limit - used)

/** The coins that one payout burns now. Bandwidth pays for a whole transaction or for none of it. */
export const burnOf = (
  { bandwidth, bandwidthPrice, energy, energyPrice }: WalletResources,
  needs: PayoutNeeds
): bigint => {
  const energyBurnt = Math.max(0, needs.energy - left(energy)) * energyPrice
  const bandwidthBurnt = left(bandwidth) >= needs.bandwidth ? 0 : needs.bandwidth * bandwidthPrice
  return needs.coins + BigInt(Math.ceil(energyBurnt + bandwidthBurnt))
}

/** The cost of the payouts of 24 hours, if each is of the more expensive kind. */
export interface DailyCosts {
  readonly payouts: number
  /** The units that they take. */
  readonly energy: number
  readonly bandwidth: number
  /** The coins that they burn where the resources of 24 hours do not suffice, in the smallest unit. */
  readonly burnt: bigint
  /** The coins that would have to be staked in addition so that nothing is burnt for resources; null if the chain reports no rate. */
  readonly stakeForEnergy: bigint | null
  readonly stakeForBandwidth: bigint | null
}

/** In the smallest unit, rounded up to whole coins: fractions of a coin give no units. */
const stakeFor = (missing: number, { unitsPerCoin }: WalletResource): bigint | null => {
  if (missing === 0) return 0n
  return unitsPerCoin === null || unitsPerCoin <= 0 ? null : BigInt(Math.ceil(missing / unitsPerCoin)) * BigInt(coin)
}

/** The costs of so many payouts in 24 hours, as resources and prices are now (TREASURY-6). */
export const dailyCosts = (resources: WalletResources, payouts: number): DailyCosts => {
  const { bandwidth, bandwidthPrice, energy, energyPrice, most } = resources
  const needs = { energy: payouts * most.energy, bandwidth: payouts * most.bandwidth }
  const missing = Math.max(0, needs.energy - energy.limit)
  const covered = most.bandwidth === 0 ? payouts : Math.floor(bandwidth.limit / most.bandwidth)
  const uncovered = Math.max(0, payouts - covered) * most.bandwidth
  return {
    payouts,
    ...needs,
    burnt: BigInt(payouts) * most.coins + BigInt(Math.ceil(missing * energyPrice + uncovered * bandwidthPrice)),
    stakeForEnergy: stakeFor(missing, energy),
    stakeForBandwidth: stakeFor(Math.max(0, needs.bandwidth - bandwidth.limit), bandwidth)
  }
}

/** The value of an amount of coins at a rate for one coin, rounded up. */
export const worthOf = (coins: bigint, rate: Usdt): Usdt => Usdt.of((coins * rate + BigInt(coin) - 1n) / BigInt(coin))
