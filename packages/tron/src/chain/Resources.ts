import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { WalletResource, WalletResources } from "@agent-marketplace/core/chain/WalletResources"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { AccountResource, AccountStakes } from "../nodes/NodeAnswers.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { NotOffered } from "../nodes/Node.ts"
import { bandwidth, energyLimit, feesOf, leastEnergy, signatureFee } from "./Fees.ts"
import { askSince } from "./FinalHeads.ts"
import { tokenBalance, transferEnergy } from "./TokenCalls.ts"
import type { TronConnection } from "./TronConnection.ts"

type Account = typeof AccountStakes.Type
type Reported = typeof AccountResource.Type

const sumOf = (...amounts: ReadonlyArray<number | undefined>): bigint =>
  BigInt(amounts.reduce<number>((sum, amount = 0) => sum + amount, 0))

/** The coins that the account has staked itself, in TRON's current form of staking; bandwidth is the default type. */
const stakedFor = ({ frozenV2 = [] }: Account, type: "BANDWIDTH" | "ENERGY"): bigint =>
  sumOf(...frozenV2.filter((stake) => (stake.type ?? "BANDWIDTH") === type).map(({ amount }) => amount))

/** The totals of the network are units, and TRX as whole coins. */
const rateOf = (limit = 0, weight = 0): number | null => (limit > 0 && weight > 0 ? limit / weight : null)

const energyOf = (account: Account, found: Reported): WalletResource => ({
  limit: found.EnergyLimit ?? 0,
  used: found.EnergyUsed ?? 0,
  staked: stakedFor(account, "ENERGY") + sumOf(account.account_resource?.frozen_balance_for_energy?.frozen_balance),
  delegated: sumOf(
    account.account_resource?.acquired_delegated_frozenV2_balance_for_energy,
    account.account_resource?.acquired_delegated_frozen_balance_for_energy
  ),
  unitsPerCoin: rateOf(found.TotalEnergyLimit, found.TotalEnergyWeight)
})

/** With the bandwidth that every account has for free. */
const bandwidthOf = (account: Account, found: Reported): WalletResource => ({
  limit: (found.NetLimit ?? 0) + (found.freeNetLimit ?? 0),
  used: (found.NetUsed ?? 0) + (found.freeNetUsed ?? 0),
  staked:
    stakedFor(account, "BANDWIDTH") + sumOf(...(account.frozen ?? []).map(({ frozen_balance }) => frozen_balance)),
  delegated: sumOf(
    account.acquired_delegated_frozenV2_balance_for_bandwidth,
    account.acquired_delegated_frozen_balance_for_bandwidth
  ),
  unitsPerCoin: rateOf(found.TotalNetLimit, found.TotalNetWeight)
})

/** Nothing if the nodes do not offer the method: all fees are then burnt. */
const reportedBy = (nodes: Nodes, wallet: string) =>
  nodes.using("wallet", (node) =>
    Effect.catchIf(
      node.ask("getaccountresource", { address: hexOf(wallet) }, AccountResource),
      (fault) => fault instanceof NotOffered,
      () => Effect.succeed<Reported>({})
    )
  )

/** The energy of a usual transfer where it cannot be simulated, because the wallet is empty. */
const assumedEnergy = 65_000

/** A transfer to an address without the token takes this many times the energy of a usual one. */
const mostRatio = 2.1

/** The energy of a transfer to an address that holds the token: to the wallet itself, if it holds any. */
const usualEnergy = ({ contract, nodes }: Pick<TronConnection, "contract" | "nodes">, wallet: string) =>
  transferEnergy(nodes, contract, wallet, wallet, 1n).pipe(
    Effect.catchTag("TokenRefusal", () => Effect.succeed(assumedEnergy))
  )

/**
 * The resources of a wallet for the fees of payouts, as the first working node reports them, and the present cost of a payout (TREASURY-6). No payment uses these
 * figures: each payment reads and simulates anew.
 */
export const walletResources = (
  connection: Pick<TronConnection, "contract" | "nodes" | "pricesNow">,
  signatures: number
): Chain["Service"]["resources"] =>
  Effect.fnUntraced(function* (wallet) {
    const { nodes, pricesNow } = connection
    const price = yield* pricesNow
    const body = { address: hexOf(wallet) }
    const account = yield* askSince(nodes, "walletsolidity", 0, "getaccount", body, AccountStakes)
    const reported = yield* reportedBy(nodes, wallet)
    const energy = energyOf(account, reported)
    const means = { energy: Math.max(0, energy.limit - energy.used) }
    const usual = yield* usualEnergy(connection, wallet)
    const coins = BigInt(Math.ceil(signatureFee(signatures, price)))
    return {
      simulated: false,
      coins: BigInt(account.balance ?? 0),
      energy,
      bandwidth: bandwidthOf(account, reported),
      energyPrice: price.energy,
      bandwidthPrice: price.byte,
      usual: { energy: usual, bandwidth, coins },
      most: { energy: Math.max(leastEnergy, Math.ceil(usual * mostRatio)), bandwidth, coins },
      required: BigInt(Math.ceil(feesOf(1, Math.max(leastEnergy, energyLimit(usual)), means, price, signatures)))
    } satisfies WalletResources
  })

/** The final balance, as the first working node reports it. */
export const balanceOf =
  ({ contract, nodes }: Pick<TronConnection, "contract" | "nodes">) =>
  (address: string) =>
    Effect.map(tokenBalance(nodes, contract, address), Usdt.of)
