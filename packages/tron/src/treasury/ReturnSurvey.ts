import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Stream } from "effect"
import type { Means, Prices } from "../chain/Fees.ts"
import { bandwidth, energyLimit, feesOf, fundingFee, meansOf } from "../chain/Fees.ts"
import { askSince } from "../chain/FinalHeads.ts"
import { tokenBalance, transferEnergy } from "../chain/TokenCalls.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { hexOf } from "../nodes/Base58Check.ts"
import { Account } from "../nodes/NodeAnswers.ts"
import { ownChain } from "./ownChain.ts"
import { surveyConcurrency } from "./SweepSurvey.ts"

export interface ReturnTerms {
  /** The most that one return may burn, in sun. A stranger's contract may use any energy. */
  readonly mostFee: number
  /** The destinations that the operator confirmed, by the ids of the assets; no other return is started. Undefined: every decided return. */
  readonly shown?: ReadonlyMap<string, string>
  /** The address that the account's public key derives at an index. */
  readonly addressAt: (index: number) => Effect.Effect<string, ChainUnavailable>
}

/** An asset that the operator decided to return, and the index of its address; undefined if that is not an address of this market. */
export interface ReturnPlace {
  readonly asset: ForeignAsset
  readonly index: number | undefined
}

/** The amount and the cost of a return. TRX in sun. */
export interface ReturnItem extends ReturnPlace {
  readonly destination: string
  /** At most what was received, and at most what the address holds. */
  readonly amount: bigint
  readonly feeLimit: number
  readonly fee: number
  /** The TRX that must be sent to the address first. `fundingFee` is the cost of sending them. */
  readonly missing: number
  readonly fundingFee: number
  /** Why it cannot be returned now. */
  readonly obstacle: string | null
}

const trx = (sun: number): string => String(sun / 1e6)

const least = (...values: ReadonlyArray<bigint>): bigint => values.reduce((one, other) => (other < one ? other : one))

/** The amount that can be returned, the limit of the fee (0 without a call), and the most that is burned. */
interface Possible {
  readonly amount: bigint
  readonly feeLimit: number
  readonly fee: number
}

interface ReturnRequest {
  readonly connection: TronConnection
  readonly asset: ForeignAsset
  readonly destination: string
  readonly means: Means
  readonly prices: Prices
  readonly since: number
}

const accountOf = ({ connection: { nodes }, since }: ReturnRequest, address: string) =>
  askSince(nodes, "walletsolidity", since, "getaccount", { address: hexOf(address) }, Account)

/** A transfer of TRX or of a TRC-10 token burns bandwidth, and more if it creates the destination's account. */
const plainFee = (request: ReturnRequest) =>
  Effect.map(
    accountOf(request, request.destination),
    ({ address }) => bandwidth * request.prices.byte + (address === undefined ? request.prices.newAccount : 0)
  )

const possible = {
  trx: Effect.fnUntraced(function* (request: ReturnRequest) {
    const fee = yield* plainFee(request)
    return { amount: least(request.asset.amount, BigInt(request.means.sun - fee)), feeLimit: 0, fee } satisfies Possible
  }),
  trc10: Effect.fnUntraced(function* (request: ReturnRequest) {
    const { assetV2 = [] } = yield* accountOf(request, request.asset.address)
    const held = assetV2.find(({ key }) => key === request.asset.asset)?.value ?? 0
    const fee = yield* plainFee(request)
    return { amount: least(request.asset.amount, BigInt(held)), feeLimit: 0, fee } satisfies Possible
  }),
  trc20: Effect.fnUntraced(function* ({ asset, connection, destination, means, prices, since }: ReturnRequest) {
    const { nodes } = connection
    const held = yield* tokenBalance(nodes, asset.asset, asset.address, since)
    const amount = least(asset.amount, held)
    if (amount === 0n) return { amount, feeLimit: 0, fee: 0 } satisfies Possible
    const energy = energyLimit(yield* transferEnergy(nodes, asset.asset, asset.address, destination, amount))
    return { amount, feeLimit: energy * prices.energy, fee: feesOf(1, energy, means, prices) } satisfies Possible
  })
}

/** The largest amount that a number represents exactly. A larger one is not sent. */
const exact = BigInt(Number.MAX_SAFE_INTEGER)

const obstacleOf = ({ asset }: ReturnRequest, { amount, fee, feeLimit }: Possible, burned: number, mostFee: number) => {
  if (amount <= 0n) return asset.kind === "trx" ? "its TRX do not cover the fee" : "the address does not hold it"
  if (asset.kind !== "trc20" && amount > exact) return "the amount is too large for this command"
  return Math.max(burned, fee, feeLimit) > mostFee
    ? `may burn ${trx(Math.max(burned, feeLimit))} TRX, more than the limit of ${trx(mostFee)} TRX`
    : null
}

const blocked = (place: ReturnPlace, destination: string, obstacle: string): ReturnItem => ({
  ...place,
  destination,
  amount: 0n,
  feeLimit: 0,
  fee: 0,
  missing: 0,
  fundingFee: 0,
  obstacle
})

/** The effect of the return of one asset, as of block `since` or later. */
export const surveyReturn = Effect.fnUntraced(function* (
  connection: TronConnection,
  { addressAt, mostFee }: ReturnTerms,
  place: ReturnPlace,
  since: number
) {
  const { asset, index } = place
  const destination = asset.destination ?? asset.sender
  if (asset.asset === connection.contract) return blocked(place, destination, "it is the market's own token")
  if (index === undefined || (yield* addressAt(index)) !== asset.address)
    return blocked(place, destination, "not an address of TRON_DEPOSIT_XPUB: another key issued it")
  const means = yield* meansOf(connection.nodes, connection.contract, asset.address, since)
  const prices = yield* connection.pricesNow
  const request: ReturnRequest = { connection, asset, destination, means, prices, since }
  const found = yield* Effect.result(possible[asset.kind](request))
  if (found._tag === "Failure") {
    if (found.failure._tag === "ChainUnavailable") return yield* found.failure
    return blocked(place, destination, found.failure.reason)
  }
  const { amount, fee, feeLimit } = found.success
  const missing = asset.kind === "trx" ? 0 : Math.max(0, fee - means.sun)
  const costs = { missing, fundingFee: missing === 0 ? 0 : fundingFee(means.active, prices) }
  const obstacle = obstacleOf(request, found.success, fee + costs.fundingFee, mostFee)
  return { ...place, destination, amount, feeLimit, fee, ...costs, obstacle } satisfies ReturnItem
})

const pageSize = 100

/** Everything that is to be returned on the network, TRX first at each address: otherwise the fees of tokens would be burned from them. */
export const returningAssets = Effect.fnUntraced(function* (network: string) {
  const { list } = yield* ForeignAssetStore
  const found: Array<ForeignAsset> = []
  for (let page = 1; ; page++) {
    const { items, total } = yield* list({ state: "returning" }, { page, limit: pageSize })
    found.push(...items)
    if (items.length === 0 || found.length >= total) break
  }
  const addresses = new Set(found.map(({ address }) => address))
  const issued = yield* Stream.runCollect(
    Stream.filter((yield* WalletStore).issuedAddresses(network), ({ address }) => addresses.has(address))
  )
  const indexes = new Map(issued.map(({ address, index }) => [address, index]))
  const places = found
    .filter((asset) => asset.network === network)
    .map((asset): ReturnPlace => ({ asset, index: indexes.get(asset.address) }))
  return [
    ...places.filter(({ asset }) => asset.kind === "trx").toReversed(),
    ...places.filter(({ asset }) => asset.kind !== "trx").toReversed()
  ]
})

/** The effect of sending the returns now. Changes nothing and needs no key. */
export const surveyReturns = Effect.fnUntraced(function* (connection: TronConnection, terms: ReturnTerms) {
  const { block, network } = yield* ownChain(connection)
  const open = new Map((yield* (yield* SweepStore).open).map((transfer) => [transfer.returns?.id, transfer]))
  const places = yield* returningAssets(network)
  const items = yield* Effect.forEach(
    places.filter(({ asset }) => !open.has(asset.id)),
    (place) => surveyReturn(connection, terms, place, block),
    { concurrency: surveyConcurrency }
  )
  return { items, open: places.flatMap(({ asset }) => open.get(asset.id) ?? []) }
})
