import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { GivenAddress } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Stream } from "effect"
import { energyLimit, feesOf, fundingFee, meansOf } from "../chain/Fees.ts"
import { transferEnergy } from "../chain/TokenCalls.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { ownChain } from "./ownChain.ts"

export interface SweepTerms {
  /** Where everything goes. */
  readonly hotWallet: string
  /** An address that holds less is left alone. */
  readonly minimum: Usdt
  /** Looks at every address that was given out, not only at those that the ledger says hold enough. */
  readonly all?: boolean
  /** The address that the account's public key has at an index. */
  readonly addressAt: (index: number) => Effect.Effect<string, ChainUnavailable>
}

/** What a deposit address holds, and what moving it takes. TRX in sun. */
export interface SweepItem {
  readonly index: number
  readonly address: string
  /** As of a final block: what is moved. */
  readonly usdt: Usdt
  readonly sun: number
  /** The most energy that the transfer may use. */
  readonly energy: number
  readonly feeLimit: number
  /** The most that the transfer burns, after whatever energy the address has staked or rented. */
  readonly fee: number
  /** What must be sent to the address first, and what sending it costs; 0 where it has enough. */
  readonly missing: number
  readonly fundingFee: number
  /** Why it cannot be moved now: what the token says, or that another key gave the address out. */
  readonly obstacle: string | null
}

const foreign = "not an address of TRON_DEPOSIT_XPUB: another key gave it out"

const noCosts = { energy: 0, feeLimit: 0, fee: 0, missing: 0, fundingFee: 0 }

/** How many addresses are asked about at once. */
export const askedAtOnce = 8

/** As of block `since` or later. Undefined where there is too little to move. */
export const surveyAddress = Effect.fnUntraced(function* (
  connection: TronConnection,
  { addressAt, hotWallet, minimum }: SweepTerms,
  { address, index }: Pick<GivenAddress, "address" | "index">,
  since = 0
) {
  const { contract, nodes } = connection
  const means = yield* meansOf(nodes, contract, address, since)
  if (means.usdt < minimum || means.usdt === 0n) return undefined
  const prices = yield* connection.prices
  const found = { index, address, usdt: Usdt.of(means.usdt), sun: means.sun }
  if ((yield* addressAt(index)) !== address) return { ...found, ...noCosts, obstacle: foreign } satisfies SweepItem
  return yield* transferEnergy(nodes, contract, address, hotWallet, means.usdt).pipe(
    Effect.map((simulated): SweepItem => {
      const energy = energyLimit(simulated)
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

/** The addresses that are worth a look: those that were credited enough that was not swept. */
export const sweepable = Effect.fnUntraced(function* (network: string, { all = false, minimum }: SweepTerms) {
  const wallets = yield* WalletStore
  const swept = yield* (yield* SweepStore).swept
  const worth = ({ address, credited }: GivenAddress) => all || credited - (swept.get(address) ?? 0n) >= minimum
  return yield* Stream.runCollect(Stream.filter(wallets.givenAddresses(network), worth))
})

export interface SweepSurvey {
  readonly items: ReadonlyArray<SweepItem>
  /** What an earlier sweep began and did not see the end of. */
  readonly open: ReadonlyArray<SweepTransfer>
}

/** What a sweep would do now. Changes nothing and needs no key. */
export const surveySweep = (
  connection: TronConnection,
  terms: SweepTerms
): Effect.Effect<SweepSurvey, ChainUnavailable | StoreUnavailable, SweepStore | WalletStore> =>
  Effect.gen(function* () {
    const open = yield* (yield* SweepStore).open
    const { network } = yield* ownChain(connection)
    const given = yield* sweepable(network, terms)
    const busy = new Set(open.map(({ address }) => address))
    const items = yield* Effect.forEach(
      given.filter(({ address }) => !busy.has(address)),
      (each) => surveyAddress(connection, terms, each),
      { concurrency: askedAtOnce }
    )
    return { items: items.filter((item) => item !== undefined), open }
  })
