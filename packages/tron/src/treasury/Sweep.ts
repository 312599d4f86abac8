import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { sweepDestination } from "@agent-marketplace/core/wallets/sweepDestination"
import type { SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { IssuedAddress } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Clock, Effect, Stream } from "effect"
import { feesOf, leastEnergy, meansOf, signatureFee } from "../chain/Fees.ts"
import { build, buildTrx } from "../chain/PayoutTransaction.ts"
import { payouts } from "../chain/Payouts.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import type { AccountSigner } from "../signing/AccountSigner.ts"
import { accountSigner } from "../signing/AccountSigner.ts"
import type { DepositKeys } from "./DepositKeys.ts"
import { ownChain } from "./ownChain.ts"
import type { HotShare } from "./HotShare.ts"
import { hotShares } from "./HotShare.ts"
import type { ForeignDestination, OwnTreasury } from "./ownTreasury.ts"
import { ownTreasury } from "./ownTreasury.ts"
import type { SweepItem, SweepTerms } from "./SweepSurvey.ts"
import { surveyAddress, sweepable } from "./SweepSurvey.ts"

export interface SweepKeys {
  readonly deposits: DepositKeys
  /** Pays the fees of addresses without TRX. If it is undefined, those addresses are skipped. */
  readonly hotWallet: AccountSigner | undefined
}

/** What a sweep reports while it runs. */
export type SweepEvent =
  | { readonly _tag: "Started"; readonly transfer: SweepTransfer }
  | { readonly _tag: "Ended"; readonly transfer: SweepTransfer; readonly as: SweepEnd; readonly reason: string | null }
  /** The address is skipped for the rest of this run. */
  | { readonly _tag: "Skipped"; readonly address: string; readonly reason: string }
  | { readonly _tag: "Waiting"; readonly reason: string }

export type ReportSweep = (event: SweepEvent) => Effect.Effect<void>

/** The maximum number of concurrent transactions. */
const mostOpen = 50

/** Withdrawals that may be requested during a sweep: the TRX for their fees are not spent. */
const expectedWithdrawals = 10

/** An address is skipped after this many of its transactions expired without being included. */
const mostDeaths = 3

const trx = (sun: number): string => String(sun / 1e6)

type Address = Pick<IssuedAddress, "address" | "index">

interface Run {
  readonly connection: TronConnection
  readonly terms: SweepTerms
  readonly keys: SweepKeys
  readonly report: ReportSweep
  /** Addresses that are not processed yet. */
  readonly waiting: Map<string, Address>
  readonly indexes: ReadonlyMap<string, number>
  /** Addresses that received TRX for their fee in this run. Each is funded at most once. */
  readonly funded: Set<string>
  readonly deaths: Map<string, number>
  readonly payers: Map<string, Effect.Success<ReturnType<typeof payouts>>>
  /** Balances must be read as of this final block or later. */
  since: number
  /** The TRX that the hot wallet can spend in this round, in sun; undefined until it is read. */
  spare: number | undefined
  /** The present and the expected balance of the hot wallet in this round; undefined until it is read. */
  hotShare: ReturnType<typeof hotShares> | undefined
  lastTimestamp: number
  movedAt: number
}

/** Undefined if the keys derive another address at that index: the address was issued with another key. */
const signerAt = ({ indexes, keys }: Run, address: string): AccountSigner | undefined => {
  const index = indexes.get(address)
  const signer = index === undefined ? undefined : keys.deposits(index)
  return signer?.address === address ? accountSigner(signer) : undefined
}

/** One payer for each paying wallet, because a payer caches what it looked up. */
const payerOf = Effect.fnUntraced(function* (run: Run, { address, kind }: SweepTransfer) {
  const name = kind === "funding" ? "" : address
  const known = run.payers.get(name)
  if (known !== undefined) return known
  const signer = kind === "funding" ? run.keys.hotWallet : signerAt(run, address)
  const made = yield* payouts({ ...run.connection, signer })
  run.payers.set(name, made)
  return made
})

const moved = (run: Run) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    run.movedAt = now
  })

const skip = ({ report, waiting }: Run, address: string, reason: string) => {
  waiting.delete(address)
  return report({ _tag: "Skipped", address, reason })
}

/** Another process may have moved the balance meanwhile, or be moving it: then nothing is left behind. */
const skipUnlessMoved = Effect.fnUntraced(function* (run: Run, address: Address, reason: string) {
  const treasury = yield* ownTreasury(run.terms.hotWallet)
  const busy = (yield* (yield* SweepStore).open).some((transfer) => transfer.address === address.address)
  const { block } = yield* run.connection.finalHead
  const left = busy ? undefined : yield* surveyAddress(run.connection, run.terms, treasury, address, block)
  if (left === undefined) run.waiting.delete(address.address)
  else yield* skip(run, address.address, reason)
})

/** Advances an open transaction of this or an earlier run by one step. True when it has ended. */
const follow = Effect.fnUntraced(function* (run: Run, transfer: SweepTransfer) {
  const { address, kind, transaction } = transfer
  const payer = yield* payerOf(run, transfer)
  const fate = yield* payer.fate(transaction)
  if (fate._tag === "Waiting") {
    const sent = yield* payer.broadcast(transaction)
    if (sent._tag === "Unsigned") yield* run.report({ _tag: "Waiting", reason: sent.reason })
    return false
  }
  const as = ({ Confirmed: "done", Reverted: "failed", Dead: "dead" } as const)[fate._tag]
  // Read before the end is stored: after that nothing may fail, or the address would be forgotten.
  const { block } = yield* run.connection.finalHead
  yield* (yield* SweepStore).end(transaction.txid, as, ...(fate._tag === "Reverted" ? [fate.reason] : []))
  yield* moved(run)
  yield* run.report({ _tag: "Ended", transfer, as, reason: fate._tag === "Reverted" ? fate.reason : null })
  run.since = Math.max(run.since, block)
  if (kind === "funding" && as === "done") run.funded.add(address)
  if (as === "dead") run.deaths.set(address, (run.deaths.get(address) ?? 0) + 1)
  const continues = as === "dead" || (as === "done" && kind === "funding")
  const index = run.indexes.get(address)
  if (!continues || index === undefined) return true
  if ((run.deaths.get(address) ?? 0) < mostDeaths) run.waiting.set(address, { address, index })
  else yield* skip(run, address, "no block took its transactions: run it again later")
  return true
})

/**
 * Stores the transaction, then sends it: after a crash in between, the next run sends the same bytes, to the same destination. An address without a stored transaction is
 * examined again in the next round, because another process moves its balance or the destination has changed meanwhile.
 */
const startTransfer = Effect.fnUntraced(function* (run: Run, transfer: SweepTransfer, hot?: HotShare) {
  const address = run.waiting.get(transfer.address)
  run.waiting.delete(transfer.address)
  if (!(yield* (yield* SweepStore).start(transfer, hot))) {
    if (address !== undefined) run.waiting.set(transfer.address, address)
    return
  }
  yield* moved(run)
  yield* run.report({ _tag: "Started", transfer })
  yield* (yield* payerOf(run, transfer)).broadcast(transfer.transaction)
})

const draftOf = Effect.fnUntraced(function* (run: Run, from: string, to: string) {
  const head = yield* run.connection.finalHead
  run.lastTimestamp = Math.max(run.lastTimestamp + 1, yield* Clock.currentTimeMillis)
  return { from, to, head, timestamp: run.lastTimestamp, expiration: head.at + run.connection.timings.lifetime }
})

/** The destination is decided here, and once more when it is stored: another sweep may have started, and the operator may have changed it. */
const startSweep = Effect.fnUntraced(function* (
  run: Run,
  { address, feeLimit, usdt }: SweepItem,
  treasury: OwnTreasury
) {
  const { contract } = run.connection
  const hot = yield* (run.hotShare ??= hotShares(run.connection, treasury.hot, run.since))
  const destination = sweepDestination(treasury, hot.expected) ?? treasury.hot
  const draft = yield* draftOf(run, address, destination)
  const transaction = yield* build({ ...draft, amount: usdt, contract, feeLimit })
  yield* startTransfer(run, { kind: "sweep", address, amount: usdt, destination, transaction }, hot)
})

/** The TRX that the hot wallet can spend: without the fees of open and expected withdrawals and the fundings in progress. */
export const spareSun = Effect.fnUntraced(function* (
  { connection, since }: Pick<Run, "connection" | "since">,
  { address, keys }: AccountSigner
) {
  const wallets = yield* WalletStore
  const prices = yield* connection.pricesNow
  const { energy, sun } = yield* meansOf(connection.nodes, connection.contract, address, since)
  const open = [
    ...(yield* wallets.withdrawalsIn("queued", 200)),
    ...(yield* wallets.withdrawalsIn("broadcasting", 200))
  ]
  const kept = feesOf(open.length + expectedWithdrawals, leastEnergy, { energy }, prices, keys)
  const fundings = (yield* (yield* SweepStore).open).filter(({ kind }) => kind === "funding")
  const issued = fundings.reduce((sum, { amount }) => sum + Number(amount) + prices.newAccount, 0)
  return sun - kept - issued
})

const startFunding = Effect.fnUntraced(function* (run: Run, { address, fundingFee, index, missing }: SweepItem) {
  const place = { address, index }
  const { hotWallet } = run.keys
  const needs = `needs ${trx(missing)} TRX more for the fee`
  if (run.funded.has(address))
    return yield* skipUnlessMoved(run, place, `${needs} than it received: run the sweep again`)
  if (hotWallet === undefined)
    return yield* skip(run, address, `${needs}; set TRON_HOT_WALLET_KEY or another signer to send it`)
  const spare = (run.spare ??= yield* spareSun(run, hotWallet))
  const fee = fundingFee + signatureFee(hotWallet.keys, yield* run.connection.pricesNow)
  if (spare < missing + fee)
    return yield* skipUnlessMoved(run, place, `${needs}; the hot wallet has ${trx(Math.max(0, spare))} TRX to spare`)
  run.spare = spare - missing - fee
  const draft = yield* draftOf(run, hotWallet.address, address)
  const transaction = yield* buildTrx({ ...draft, sun: missing, permission: hotWallet.permission })
  yield* startTransfer(run, { kind: "funding", address, amount: BigInt(missing), transaction })
})

const start = Effect.fnUntraced(function* (run: Run, address: Address) {
  const treasury = yield* ownTreasury(run.terms.hotWallet)
  const item = yield* surveyAddress(run.connection, run.terms, treasury, address, run.since)
  if (item === undefined) return void run.waiting.delete(address.address)
  if (item.obstacle !== null) return yield* skipUnlessMoved(run, address, item.obstacle)
  yield* item.missing === 0 ? startSweep(run, item, treasury) : startFunding(run, item)
})

/** A failure of a node costs a round, not the run. */
const unlessUnavailable = <R>(
  run: Run,
  effect: Effect.Effect<boolean | void, ChainUnavailable | ForeignDestination | StoreUnavailable, R>
) =>
  Effect.catchTag(effect, "ChainUnavailable", ({ reason }) => Effect.as(run.report({ _tag: "Waiting", reason }), false))

/** Open transactions of the addresses of this run; another process follows the others. */
const opened = ({ indexes }: Run) =>
  Effect.map(
    Effect.flatMap(SweepStore, ({ open }) => open),
    (open) => open.filter(({ address }) => indexes.has(address))
  )

/** True while there is work left. */
const round = Effect.fnUntraced(function* (run: Run) {
  let openCount = 0
  run.spare = undefined
  run.hotShare = undefined
  for (const transfer of yield* opened(run)) {
    if ((yield* unlessUnavailable(run, follow(run, transfer))) === true) continue
    run.waiting.delete(transfer.address)
    openCount++
  }
  for (const address of [...run.waiting.values()].slice(0, Math.max(0, mostOpen - openCount)))
    yield* unlessUnavailable(run, start(run, address))
  if ((yield* Clock.currentTimeMillis) - run.movedAt > 2 * run.connection.timings.lifetime)
    return yield* new ChainUnavailable({
      reason: "no transaction has progressed for a long time: run the sweep again to continue"
    })
  return run.waiting.size > 0 || (yield* opened(run)).length > 0
})

/**
 * Moves the USDT of the deposit addresses to the hot wallet, and to the cold one above the ceiling (CHAIN-19, TREASURY-4). If it is stopped or killed at any point, the next run continues: every
 * transaction is stored before it is signed, only the stored bytes are sent, and another one for the same address is built only after proof that
 * the first one can never be included.
 */
export const sweep = Effect.fnUntraced(function* (
  connection: TronConnection,
  terms: SweepTerms,
  keys: SweepKeys,
  report: ReportSweep
) {
  yield* ownTreasury(terms.hotWallet)
  const { block, network } = yield* ownChain(connection)
  const worth = yield* sweepable(network, terms)
  const busy = new Set((yield* (yield* SweepStore).open).map(({ address }) => address))
  const issued = yield* Stream.runCollect(
    Stream.filter((yield* WalletStore).issuedAddresses(network), ({ address }) => busy.has(address))
  )
  const run: Run = {
    connection,
    terms,
    keys,
    report,
    waiting: new Map(worth.map(({ address, index }) => [address, { address, index }])),
    indexes: new Map([...worth, ...issued].map(({ address, index }) => [address, index])),
    funded: new Set(),
    deaths: new Map(),
    payers: new Map(),
    since: block,
    spare: undefined,
    hotShare: undefined,
    lastTimestamp: 0,
    movedAt: yield* Clock.currentTimeMillis
  }
  while (yield* round(run)) yield* Effect.sleep(connection.timings.fresh)
})
