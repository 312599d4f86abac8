import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Clock, Effect, Metric } from "effect"
import { Account, AccountResource, ChainParameters, ConstantCall } from "../nodes/NodeAnswers.ts"
import type { Nodes, View } from "../nodes/Nodes.ts"
import { hexOf } from "../nodes/Base58Check.ts"

const usdtHeld = Metric.gauge("tron_hot_wallet_usdt", { description: "USDT that the hot wallet holds, final." })
const trxHeld = Metric.gauge("tron_hot_wallet_trx", { description: "TRX that the hot wallet holds for fees." })

/** A transfer to somebody who holds no USDT yet takes about 130,285. */
const leastEnergy = 135_000

/** Bytes of a signed transfer and its result, with room. */
const bandwidth = 400

/** What a simulation says is not what inclusion costs: others use the contract meanwhile. */
const margin = 1.2

const parametersKeptFor = 600_000

const mostFee = 15_000_000_000

export interface Prices {
  /** In sun. */
  readonly energy: number
  readonly byte: number
  readonly mostFee: number
}

/** What the hot wallet can do as of a final block. */
export interface Means {
  readonly usdt: bigint
  readonly sun: number
  readonly energy: number
}

const word = (hex: string) => hex.padStart(64, "0")

const text = (hex: string | undefined) => (hex === undefined ? "" : Buffer.from(hex, "hex").toString("utf8"))

const call = Effect.fnUntraced(function* (
  nodes: Nodes,
  view: View,
  request: { readonly contract: string; readonly owner: string; readonly selector: string; readonly parameter: string }
) {
  const answer = yield* nodes.ask(
    view,
    "triggerconstantcontract",
    {
      owner_address: hexOf(request.owner),
      contract_address: hexOf(request.contract),
      function_selector: request.selector,
      parameter: request.parameter
    },
    ConstantCall
  )
  const { code, message, result } = answer.result
  const failed = answer.transaction?.ret?.some(({ ret }) => ret !== undefined && ret !== "SUCCESS") ?? false
  if (result !== true || code !== undefined || message !== undefined || failed) {
    return yield* new ChainUnavailable({ reason: `${request.selector}: ${text(message) || code || "refused"}` })
  }
  return { energy: answer.energy_used ?? 0, words: answer.constant_result ?? [] }
})

/** Final, in 10⁻⁶. */
export const tokenBalance = (nodes: Nodes, contract: string, address: string) =>
  Effect.flatMap(
    call(nodes, "walletsolidity", {
      contract,
      owner: address,
      selector: "balanceOf(address)",
      parameter: word(hexOf(address).slice(2))
    }),
    ({ words: [balance] }) =>
      balance?.length === 64
        ? Effect.succeed(BigInt(`0x${balance}`))
        : Effect.fail(new ChainUnavailable({ reason: "the token's contract gives no balance" }))
  )

/** What a transfer would take now; fails where it would: too little money, a frozen sender or receiver, a paused contract. */
export const transferEnergy = (nodes: Nodes, contract: string, from: string, to: string, amount: bigint) =>
  Effect.map(
    call(nodes, "wallet", {
      contract,
      owner: from,
      selector: "transfer(address,uint256)",
      parameter: word(hexOf(to).slice(2)) + word(amount.toString(16))
    }),
    ({ energy }) => energy
  )

export const feeLimit = (energy: number, prices: Prices): number =>
  Math.ceil(Math.max(energy * margin, leastEnergy) * prices.energy)

/** The chain's prices, asked for every ten minutes. */
export const pricesOf = (nodes: Nodes): Effect.Effect<Prices, ChainUnavailable> => {
  let known: { readonly prices: Prices; readonly at: number } | undefined
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (known !== undefined && now - known.at < parametersKeptFor) return known.prices
    const { chainParameter } = yield* nodes.ask("wallet", "getchainparameters", {}, ChainParameters)
    const value = (name: string) => chainParameter.find(({ key }) => key === name)?.value
    const [energy, byte] = [value("getEnergyFee"), value("getTransactionFee")]
    if (energy === undefined || byte === undefined || energy <= 0)
      return yield* new ChainUnavailable({ reason: "the chain's parameters have no price of energy" })
    const prices: Prices = { energy, byte, mostFee: value("getMaxFeeLimit") ?? mostFee }
    known = { prices, at: now }
    return prices
  })
}

export const meansOf = Effect.fnUntraced(function* (nodes: Nodes, contract: string, address: string) {
  const usdt = yield* tokenBalance(nodes, contract, address)
  const { balance = 0 } = yield* nodes.ask("wallet", "getaccount", { address: hexOf(address) }, Account)
  const resource = yield* nodes.ask("wallet", "getaccountresource", { address: hexOf(address) }, AccountResource)
  yield* Metric.update(usdtHeld, Usdt.toNumber(usdt))
  yield* Metric.update(trxHeld, balance / 1e6)
  const energy = Math.max(0, (resource.EnergyLimit ?? 0) - (resource.EnergyUsed ?? 0))
  return { usdt, sun: balance, energy } satisfies Means
})

/** What that many transfers of this energy burn, in sun. */
export const feesOf = (transfers: number, energy: number, means: Means, prices: Prices): number =>
  Math.max(0, transfers * energy - means.energy) * prices.energy + transfers * bandwidth * prices.byte
