import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Clock, Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { Account, AccountResource, ChainParameters } from "../nodes/NodeAnswers.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { NotOffered } from "../nodes/Node.ts"
import { askSince } from "./FinalHeads.ts"
import { tokenBalance } from "./TokenCalls.ts"

/** A transfer to an address that holds no USDT yet uses about 130,285. */
export const leastEnergy = 135_000

/** The bytes of a signed transfer and its result, rounded up. */
export const bandwidth = 400

/** The bytes that each further signature adds. */
const signatureBytes = 67

/** Inclusion can cost more than the simulation showed, because the contract is used in the meantime. */
const margin = 1.2

/** How long prices are reused where they are only shown. */
const longest = 600_000

const mostFee = 15_000_000_000

export interface Prices {
  /** In sun. */
  readonly energy: number
  readonly byte: number
  readonly newAccount: number
  readonly mostFee: number
  /** Burnt by a transaction with more than one signature. */
  readonly multiSign: number
}

/** The final balances of an address, and the energy that it can use without burning TRX. */
export interface Means {
  readonly usdt: bigint
  readonly sun: number
  readonly energy: number
  /** Whether the address ever received TRX. An inactive address cannot send anything. */
  readonly active: boolean
}

/** The maximum energy of a transfer, derived from its simulation. */
export const energyLimit = (simulated: number): number => Math.ceil(simulated * margin)

/** The `fee_limit` of a withdrawal in sun. It covers at least a transfer to an address without USDT: the receiver may spend its last USDT first. */
export const feeLimit = (energy: number, prices: Prices): number =>
  Math.ceil(Math.max(energyLimit(energy), leastEnergy) * prices.energy)

/** The chain's prices: read again if they are older than `age` milliseconds, for payments, or than ten minutes. */
export const pricesOf = (nodes: Nodes): ((age?: number) => Effect.Effect<Prices, ChainUnavailable>) => {
  let known: { readonly prices: Prices; readonly at: number } | undefined
  return Effect.fnUntraced(function* (age = longest) {
    const now = yield* Clock.currentTimeMillis
    if (known !== undefined && now - known.at < age) return known.prices
    const { chainParameter } = yield* nodes.ask("wallet", "getchainparameters", {}, ChainParameters)
    const value = (name: string) => chainParameter.find(({ key }) => key === name)?.value
    const energy = value("getEnergyFee")
    if (energy === undefined || energy <= 0)
      return yield* new ChainUnavailable({
        reason: "the chain's parameters do not contain the price of energy (getEnergyFee)"
      })
    const newAccount =
      (value("getCreateNewAccountFeeInSystemContract") ?? 1_000_000) + (value("getCreateAccountFee") ?? 100_000)
    const byte = value("getTransactionFee") ?? 1000
    const prices: Prices = {
      energy,
      byte,
      newAccount,
      mostFee: value("getMaxFeeLimit") ?? mostFee,
      multiSign: value("getMultiSignFee") ?? 1_000_000
    }
    known = { prices, at: now }
    return prices
  })
}

/** Zero if the node does not report energy: the fees are then paid in full. */
const energyOf = (nodes: Nodes, address: string) =>
  nodes.using("wallet", (node) =>
    node.ask("getaccountresource", { address: hexOf(address) }, AccountResource).pipe(
      Effect.map(({ EnergyLimit = 0, EnergyUsed = 0 }) => Math.max(0, EnergyLimit - EnergyUsed)),
      Effect.catchIf(
        (fault) => fault instanceof NotOffered,
        () => Effect.succeed(0)
      )
    )
  )

/** The balances of an address as of final block `since` or a later one. */
export const meansOf = Effect.fnUntraced(function* (nodes: Nodes, contract: string, address: string, since = 0) {
  const usdt = yield* tokenBalance(nodes, contract, address, since)
  const account = yield* askSince(nodes, "walletsolidity", since, "getaccount", { address: hexOf(address) }, Account)
  const energy = yield* energyOf(nodes, address)
  return { usdt, sun: account.balance ?? 0, energy, active: account.address !== undefined } satisfies Means
})

/** What further signatures of one transaction burn, in sun. */
export const signatureFee = (signatures: number, prices: Prices): number =>
  (signatures - 1) * signatureBytes * prices.byte + (signatures > 1 ? prices.multiSign : 0)

/** What this many transfers burn, in sun, if each uses this much energy and has this many signatures. */
export const feesOf = (
  transfers: number,
  energy: number,
  means: Pick<Means, "energy">,
  prices: Prices,
  signatures = 1
): number =>
  Math.max(0, transfers * energy - means.energy) * prices.energy +
  transfers * (bandwidth * prices.byte + signatureFee(signatures, prices))

/** The additional cost of sending TRX to an address, in sun. */
export const fundingFee = (active: boolean, prices: Prices): number =>
  bandwidth * prices.byte + (active ? 0 : prices.newAccount)
