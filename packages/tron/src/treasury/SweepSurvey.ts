import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { sweepDestination } from "@agent-marketplace/core/wallets/sweepDestination"
import type { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import type { IssuedAddress } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Stream } from "effect"
import { energyLimit, feesOf, fundingFee, meansOf } from "../chain/Fees.ts"
import { transferEnergy } from "../chain/TokenCalls.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { ownChain } from "./ownChain.ts"
import { hotShares } from "./HotShare.ts"
import type { ForeignDestination, OwnTreasury } from "./ownTreasury.ts"
import { ownTreasury } from "./ownTreasury.ts"

export interface SweepTerms {
  /** The configured hot wallet, which must be the one that the market knows. */
  readonly hotWallet: string
  /** An address that holds less is skipped. */
  readonly minimum: Usdt
  /** Checks every issued address, not only those whose credited deposits reach the minimum. */
  readonly all?: boolean
  /** The address that the account's public key derives at an index. */
  readonly addressAt: (index: number) => Effect.Effect<string, ChainUnavailable>
}

/** The balances of a deposit address, and the cost of moving them. TRX in sun. */
export interface SweepItem {
  readonly index: number
  readonly address: string
  /** The final balance, which is moved. */
  readonly usdt: Usdt
  readonly sun: number
  /** The maximum energy of the transfer. */
  readonly energy: number
  readonly feeLimit: number
  /** The maximum that the transfer burns, less the energy that the address has staked or rented. */
  readonly fee: number
  /** The TRX that must be sent to the address first; 0 if it has enough. `fundingFee` is the cost of sending them. */
  readonly missing: number
  readonly fundingFee: number
  /** Why the balance cannot be moved now: a refusal of the token, or an address that another key issued. */
  readonly obstacle: string | null
}

const foreign = "not an address of TRON_DEPOSIT_XPUB: another key issued it"

const noCosts = { energy: 0, feeLimit: 0, fee: 0, missing: 0, fundingFee: 0 }

/** The number of addresses that are queried concurrently. */
export const surveyConcurrency = 8

/** The wallets that may get the balance. The ceiling may be reached between a funding and its sweep, so both are simulated. */
const destinationsOf = ({ cold, hot, hotCeiling }: OwnTreasury): ReadonlyArray<string> =>
  cold === null || hotCeiling === null ? [hot] : [hot, cold]

/** The survey of one address as of block `since` or later. Undefined if its balance is too small to move. */
export const surveyAddress = Effect.fnUntraced(function* (
  connection: TronConnection,
  { addressAt, minimum }: SweepTerms,
  treasury: OwnTreasury,
  { address, index }: Pick<IssuedAddress, "address" | "index">,
  since = 0
) {
  const { contract, nodes } = connection
  const means = yield* meansOf(nodes, contract, address, since)
  if (means.usdt < minimum || means.usdt === 0n) return undefined
  const prices = yield* connection.pricesNow
  const found = { index, address, usdt: Usdt.of(means.usdt), sun: means.sun }
  if ((yield* addressAt(index)) !== address) return { ...found, ...noCosts, obstacle: foreign } satisfies SweepItem
  return yield* Effect.forEach(destinationsOf(treasury), (to) =>
    transferEnergy(nodes, contract, address, to, means.usdt)
  ).pipe(
    Effect.map((simulated): SweepItem => {
      const energy = energyLimit(Math.max(...simulated))
      const fee = feesOf(1, energy, means, prices)
      const missing = Math.max(0, fee - means.sun)
      const costs = { missing, fundingFee: missing === 0 ? 0 : fundingFee(means.active, prices) }
      return { ...found, energy, feeLimit: energy * prices.energy, fee, ...costs, obstacle: null }
    }),
    Effect.catchTag("TokenRefusal", ({ reason }) =>
      Effect.succeed<SweepItem>({ ...found, ...noCosts, obstacle: reason })
    )
  )
})

/** The addresses that may be worth a sweep: their credited and unswept deposits reach the minimum. */
export const sweepable = Effect.fnUntraced(function* (network: string, { all = false, minimum }: SweepTerms) {
  const wallets = yield* WalletStore
  const swept = yield* (yield* SweepStore).swept
  const worth = ({ address, credited }: IssuedAddress) => all || credited - (swept.get(address) ?? 0n) >= minimum
  return yield* Stream.runCollect(Stream.filter(wallets.issuedAddresses(network), worth))
})

/** An item, and the wallet that would get it. */
export interface PlannedSweep extends SweepItem {
  readonly destination: string
}

export interface SweepSurvey {
  readonly treasury: OwnTreasury
  readonly items: ReadonlyArray<PlannedSweep>
  /** Transfers that an earlier sweep started and did not finish. */
  readonly open: ReadonlyArray<SweepTransfer>
}

/** Divides the items between the wallets in the order in which a sweep would start them. */
const planned = (treasury: OwnTreasury, items: ReadonlyArray<SweepItem>, expected: bigint) => {
  let share = expected
  return items.map((item): PlannedSweep => {
    const destination = sweepDestination(treasury, share) ?? treasury.hot
    if (item.obstacle === null && destination === treasury.hot) share += item.usdt
    return { ...item, destination }
  })
}

/** What a sweep would do now. Changes nothing and needs no key. */
export const surveySweep = (
  connection: TronConnection,
  terms: SweepTerms
): Effect.Effect<
  SweepSurvey,
  ChainUnavailable | ForeignDestination | StoreUnavailable,
  SweepStore | TreasuryStore | WalletStore
> =>
  Effect.gen(function* () {
    const treasury = yield* ownTreasury(terms.hotWallet)
    const open = yield* (yield* SweepStore).open
    const { block, network } = yield* ownChain(connection)
    const issued = yield* sweepable(network, terms)
    const busy = new Set(open.map(({ address }) => address))
    const items = yield* Effect.forEach(
      issued.filter(({ address }) => !busy.has(address)),
      (each) => surveyAddress(connection, terms, treasury, each),
      { concurrency: surveyConcurrency }
    )
    const { expected } = yield* hotShares(connection, treasury.hot, block)
    const found = items.filter((item) => item !== undefined)
    return { treasury, items: planned(treasury, found, expected), open }
  })
