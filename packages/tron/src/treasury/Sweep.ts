import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Signer } from "@agent-marketplace/core/chain/Signer"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { GivenAddress } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Clock, Effect, Stream } from "effect"
import { feesOf, leastEnergy, meansOf } from "../chain/Fees.ts"
import { build, buildTrx } from "../chain/PayoutTransaction.ts"
import { payouts } from "../chain/Payouts.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import type { DepositKeys } from "./DepositKeys.ts"
import { ownChain } from "./ownChain.ts"
import type { SweepItem, SweepTerms } from "./SweepSurvey.ts"
import { surveyAddress, sweepable } from "./SweepSurvey.ts"

export interface SweepKeys {
  readonly deposits: DepositKeys
  /** Pays the fees of addresses that have no TRX; without it they are left. */
  readonly hotWallet: Signer["Service"] | undefined
}

/** What a sweep tells while it runs. */
export type SweepNews =
  | { readonly _tag: "Begun"; readonly transfer: SweepTransfer }
  | { readonly _tag: "Ended"; readonly transfer: SweepTransfer; readonly as: SweepEnd; readonly reason: string | null }
  /** Nothing more is done about the address in this run. */
  | { readonly _tag: "Left"; readonly address: string; readonly reason: string }
  | { readonly _tag: "Waiting"; readonly reason: string }

export type TellSweep = (news: SweepNews) => Effect.Effect<void>

/** How many transactions are on their way at most. */
const onTheirWay = 50

/** Withdrawals that may come while a sweep runs: their fees are not given away. */
const withdrawalsToCome = 10

/** After so many transactions of an address that no block took it is left. */
const deathsBorne = 3

const trx = (sun: number): string => String(sun / 1e6)

type Address = Pick<GivenAddress, "address" | "index">

interface Run {
  readonly connection: TronConnection
  readonly terms: SweepTerms
  readonly keys: SweepKeys
  readonly tell: TellSweep
  /** Still to be looked at. */
  readonly waiting: Map<string, Address>
  readonly indexes: ReadonlyMap<string, number>
  /** Addresses whose fee was paid for in this run: never twice. */
  readonly funded: Set<string>
  readonly deaths: Map<string, number>
  readonly payers: Map<string, ReturnType<typeof payouts>>
  /** Balances must know of this final block. */
  since: number
  /** What the hot wallet can give away in this round, in sun; undefined before it was asked. */
  spare: number | undefined
  lastTimestamp: number
  movedAt: number
}

/** Undefined where the key has another address at that index: one that was begun with another key. */
const signerAt = ({ indexes, keys }: Run, address: string): Signer["Service"] | undefined => {
  const index = indexes.get(address)
  const signer = index === undefined ? undefined : keys.deposits(index)
  return signer?.address === address ? signer : undefined
}

/** One for each wallet that pays: it remembers what it has looked up. */
const payerOf = (run: Run, { address, kind }: SweepTransfer): ReturnType<typeof payouts> => {
  const name = kind === "funding" ? "" : address
  const known = run.payers.get(name)
  if (known !== undefined) return known
  const signer = kind === "funding" ? run.keys.hotWallet : signerAt(run, address)
  const made = payouts({ ...run.connection, signer })
  run.payers.set(name, made)
  return made
}

const moved = (run: Run) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    run.movedAt = now
  })

const leave = ({ tell, waiting }: Run, address: string, reason: string) => {
  waiting.delete(address)
  return tell({ _tag: "Left", address, reason })
}

/** One step of what was begun, by this run or another. True where it has ended. */
const follow = Effect.fnUntraced(function* (run: Run, transfer: SweepTransfer) {
  const { address, kind, transaction } = transfer
  const payer = payerOf(run, transfer)
  const fate = yield* payer.fate(transaction)
  if (fate._tag === "Waiting") {
    yield* payer.broadcast(transaction)
    return false
  }
  const as = ({ Confirmed: "done", Reverted: "failed", Dead: "dead" } as const)[fate._tag]
  // Asked before the end is stored: nothing that follows can fail and leave the address forgotten.
  const { block } = yield* run.connection.finalHead
  yield* (yield* SweepStore).end(transaction.txid, as)
  yield* moved(run)
  yield* run.tell({ _tag: "Ended", transfer, as, reason: fate._tag === "Reverted" ? fate.reason : null })
  run.since = Math.max(run.since, block)
  if (kind === "funding" && as === "done") run.funded.add(address)
  if (as === "dead") run.deaths.set(address, (run.deaths.get(address) ?? 0) + 1)
  const goesOn = as === "dead" || (as === "done" && kind === "funding")
  const index = run.indexes.get(address)
  if (!goesOn || index === undefined) return true
  if ((run.deaths.get(address) ?? 0) < deathsBorne) run.waiting.set(address, { address, index })
  else yield* leave(run, address, "no block took its transactions: run it again later")
  return true
})

/** Stored, then sent: after a crash in between, the next run sends the same bytes. */
const begin = Effect.fnUntraced(function* (run: Run, transfer: SweepTransfer) {
  run.waiting.delete(transfer.address)
  if (!(yield* (yield* SweepStore).begin(transfer))) return
  yield* moved(run)
  yield* run.tell({ _tag: "Begun", transfer })
  yield* payerOf(run, transfer).broadcast(transfer.transaction)
})

const draftOf = Effect.fnUntraced(function* (run: Run, from: string, to: string) {
  const head = yield* run.connection.finalHead
  run.lastTimestamp = Math.max(run.lastTimestamp + 1, yield* Clock.currentTimeMillis)
  return { from, to, head, timestamp: run.lastTimestamp, expiration: head.at + run.connection.pace.lifetime }
})

const beginSweep = Effect.fnUntraced(function* (run: Run, { address, feeLimit, usdt }: SweepItem) {
  const { contract } = run.connection
  const draft = yield* draftOf(run, address, run.terms.hotWallet)
  const transaction = yield* build({ ...draft, amount: usdt, contract, feeLimit })
  yield* begin(run, { kind: "sweep", address, amount: usdt, transaction })
})

/** What the hot wallet can give away: not what the withdrawals that are open or may come take, nor what is on its way already. */
const spareSun = Effect.fnUntraced(function* ({ connection, since }: Run, hotWallet: string) {
  const wallets = yield* WalletStore
  const prices = yield* connection.prices
  const { energy, sun } = yield* meansOf(connection.nodes, connection.contract, hotWallet, since)
  const open = [
    ...(yield* wallets.withdrawalsIn("queued", 200)),
    ...(yield* wallets.withdrawalsIn("broadcasting", 200))
  ]
  const kept = feesOf(open.length + withdrawalsToCome, leastEnergy, { energy }, prices)
  const onItsWay = (yield* (yield* SweepStore).open).filter(({ kind }) => kind === "funding")
  const given = onItsWay.reduce((sum, { amount }) => sum + Number(amount) + prices.newAccount, 0)
  return sun - kept - given
})

const beginFunding = Effect.fnUntraced(function* (run: Run, { address, fundingFee, missing }: SweepItem) {
  const { hotWallet } = run.keys
  const needs = `needs ${trx(missing)} TRX more for the fee`
  if (run.funded.has(address)) return yield* leave(run, address, `${needs} than it was given: run it again`)
  if (hotWallet === undefined)
    return yield* leave(run, address, `${needs}; the hot wallet's key is not here to send it`)
  const spare = (run.spare ??= yield* spareSun(run, hotWallet.address))
  if (spare < missing + fundingFee)
    return yield* leave(run, address, `${needs}; the hot wallet has ${trx(Math.max(0, spare))} TRX to spare`)
  run.spare = spare - missing - fundingFee
  const transaction = yield* buildTrx({ ...(yield* draftOf(run, hotWallet.address, address)), sun: missing })
  yield* begin(run, { kind: "funding", address, amount: BigInt(missing), transaction })
})

const start = Effect.fnUntraced(function* (run: Run, address: Address) {
  const item = yield* surveyAddress(run.connection, run.terms, address, run.since)
  if (item === undefined) return void run.waiting.delete(address.address)
  if (item.obstacle !== null) return yield* leave(run, item.address, item.obstacle)
  yield* item.missing === 0 ? beginSweep(run, item) : beginFunding(run, item)
})

/** A node's fault costs a round, not the run. */
const unlessAway = <R>(run: Run, effect: Effect.Effect<boolean | void, ChainUnavailable | StoreUnavailable, R>) =>
  Effect.catchTag(effect, "ChainUnavailable", ({ reason }) => Effect.as(run.tell({ _tag: "Waiting", reason }), false))

/** What has begun and not ended; another process looks after addresses that are none of this run. */
const opened = ({ indexes }: Run) =>
  Effect.map(
    Effect.flatMap(SweepStore, ({ open }) => open),
    (open) => open.filter(({ address }) => indexes.has(address))
  )

/** True where something is left to do. */
const round = Effect.fnUntraced(function* (run: Run) {
  let onWay = 0
  run.spare = undefined
  for (const transfer of yield* opened(run)) {
    if ((yield* unlessAway(run, follow(run, transfer))) === true) continue
    run.waiting.delete(transfer.address)
    onWay++
  }
  for (const address of [...run.waiting.values()].slice(0, Math.max(0, onTheirWay - onWay)))
    yield* unlessAway(run, start(run, address))
  if ((yield* Clock.currentTimeMillis) - run.movedAt > 2 * run.connection.pace.lifetime)
    return yield* new ChainUnavailable({ reason: "nothing has moved for long: run it again, it goes on from here" })
  return run.waiting.size > 0 || (yield* opened(run)).length > 0
})

/**
 * Moves the USDT of the deposit addresses to the hot wallet (CHAIN-19). Stopped or killed anywhere, the next run goes on from there: every
 * transaction is stored before it is signed, only its bytes are ever sent, and another one of its address is built only with the proof that it
 * can never be included.
 */
export const sweep = Effect.fnUntraced(function* (
  connection: TronConnection,
  terms: SweepTerms,
  keys: SweepKeys,
  tell: TellSweep
) {
  const { block, network } = yield* ownChain(connection)
  const worth = yield* sweepable(network, terms)
  const busy = new Set((yield* (yield* SweepStore).open).map(({ address }) => address))
  const given = yield* Stream.runCollect(
    Stream.filter((yield* WalletStore).givenAddresses(network), ({ address }) => busy.has(address))
  )
  const run: Run = {
    connection,
    terms,
    keys,
    tell,
    waiting: new Map(worth.map(({ address, index }) => [address, { address, index }])),
    indexes: new Map([...worth, ...given].map(({ address, index }) => [address, index])),
    funded: new Set(),
    deaths: new Map(),
    payers: new Map(),
    since: block,
    spare: undefined,
    lastTimestamp: 0,
    movedAt: yield* Clock.currentTimeMillis
  }
  while (yield* round(run)) yield* Effect.sleep(connection.pace.fresh)
})
