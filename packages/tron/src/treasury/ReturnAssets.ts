import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import type { SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Clock, Effect, Option, Semaphore } from "effect"
import { build, buildTrc10, buildTrx } from "../chain/PayoutTransaction.ts"
import { payouts } from "../chain/Payouts.ts"
import { signatureFee } from "../chain/Fees.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { accountSigner } from "../signing/AccountSigner.ts"
import { ownChain } from "./ownChain.ts"
import type { ReturnItem, ReturnPlace, ReturnTerms } from "./ReturnSurvey.ts"
import { returningAssets, surveyReturn } from "./ReturnSurvey.ts"
import type { SweepKeys } from "./Sweep.ts"
import { spareSun } from "./Sweep.ts"

/** The events that the command reports while it runs. */
export type ReturnEvent =
  | { readonly _tag: "Started"; readonly transfer: SweepTransfer }
  | { readonly _tag: "Ended"; readonly transfer: SweepTransfer; readonly as: SweepEnd; readonly reason: string | null }
  /** The asset remains to be returned. */
  | { readonly _tag: "Skipped"; readonly place: ReturnPlace; readonly reason: string }
  | { readonly _tag: "Waiting"; readonly reason: string }

export type ReportReturn = (event: ReturnEvent) => Effect.Effect<void>

/** The number of addresses whose assets are returned concurrently. */
const addressesAtOnce = 8

/** An asset is skipped after this many transactions of its address expired without being included. */
const mostDeaths = 3

interface Run {
  readonly connection: TronConnection
  readonly terms: ReturnTerms
  readonly keys: SweepKeys
  readonly report: ReportReturn
  readonly payers: Map<string, Effect.Success<ReturnType<typeof payouts>>>
  /** Decides on one funding at a time, so that two do not spend the same TRX. */
  readonly funding: Semaphore.Semaphore
  lastTimestamp: number
  movedAt: number
}

/** One asset in progress. */
interface Progress {
  readonly place: ReturnPlace
  /** Balances must be read as of this final block or later. */
  since: number
  deaths: number
  isFunded: boolean
}

/** Undefined if the keys derive another address at that index. */
const signerOf = ({ keys }: Run, { kind }: SweepTransfer, { asset, index }: ReturnPlace) => {
  if (kind === "funding") return keys.hotWallet
  const signer = index === undefined ? undefined : keys.deposits(index)
  return signer?.address === asset.address ? accountSigner(signer) : undefined
}

const payerOf = Effect.fnUntraced(function* (run: Run, transfer: SweepTransfer, place: ReturnPlace) {
  const name = transfer.kind === "funding" ? "" : transfer.address
  const known = run.payers.get(name)
  if (known !== undefined) return known
  const made = yield* payouts({ ...run.connection, signer: signerOf(run, transfer, place) })
  run.payers.set(name, made)
  return made
})

const moved = (run: Run) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    run.movedAt = now
  })

/** Advances the open transaction of the address, whichever command started it, by one step. True when it has ended. */
const follow = Effect.fnUntraced(function* (run: Run, progress: Progress, transfer: SweepTransfer) {
  const { transaction } = transfer
  const payer = yield* payerOf(run, transfer, progress.place)
  const fate = yield* payer.fate(transaction)
  if (fate._tag === "Waiting") {
    const sent = yield* payer.broadcast(transaction)
    if (sent._tag === "Unsigned") yield* run.report({ _tag: "Waiting", reason: sent.reason })
    return false
  }
  const as = ({ Confirmed: "done", Reverted: "failed", Dead: "dead" } as const)[fate._tag]
  const reason = fate._tag === "Reverted" ? fate.reason : undefined
  // Read before the end is stored, so that the next balances are not older than the transaction.
  const { block } = yield* run.connection.finalHead
  yield* (yield* SweepStore).end(transaction.txid, as, ...(reason === undefined ? [] : [reason]))
  yield* moved(run)
  yield* run.report({ _tag: "Ended", transfer, as, reason: reason ?? null })
  progress.since = Math.max(progress.since, block)
  progress.isFunded ||= transfer.kind === "funding" && as === "done"
  if (as === "dead") progress.deaths++
  return true
})

/** Stores the transaction, then sends it: after a crash in between, the next run sends the same bytes. */
const startTransfer = Effect.fnUntraced(function* (run: Run, place: ReturnPlace, transfer: SweepTransfer) {
  if (!(yield* (yield* SweepStore).start(transfer))) return
  yield* moved(run)
  yield* run.report({ _tag: "Started", transfer })
  yield* (yield* payerOf(run, transfer, place)).broadcast(transfer.transaction)
})

const draftOf = Effect.fnUntraced(function* (run: Run, from: string, to: string) {
  const head = yield* run.connection.finalHead
  run.lastTimestamp = Math.max(run.lastTimestamp + 1, yield* Clock.currentTimeMillis)
  return { from, to, head, timestamp: run.lastTimestamp, expiration: head.at + run.connection.timings.lifetime }
})

const startReturn = Effect.fnUntraced(function* (
  run: Run,
  { amount, asset, destination, feeLimit, index }: ReturnItem
) {
  const { address } = asset
  const draft = yield* draftOf(run, address, destination)
  const transaction =
    asset.kind === "trx"
      ? yield* buildTrx({ ...draft, sun: Number(amount) })
      : asset.kind === "trc10"
        ? yield* buildTrc10({ ...draft, asset: asset.asset, amount: Number(amount) })
        : yield* build({ ...draft, amount, contract: asset.asset, feeLimit })
  const returns = { id: asset.id, destination }
  yield* startTransfer(run, { asset, index }, { kind: "return", address, amount, transaction, returns })
})

/** The reason why the hot wallet does not send the TRX for the fee; undefined if it does. */
const startFunding = Effect.fnUntraced(function* (run: Run, item: ReturnItem, { isFunded, since }: Progress) {
  const { asset, fundingFee, index, missing } = item
  const { hotWallet } = run.keys
  const needs = `needs ${missing / 1e6} TRX more for the fee`
  if (isFunded) return `${needs} than it received: run it again`
  if (hotWallet === undefined) return `${needs}; set TRON_HOT_WALLET_KEY or another signer to send it`
  const spare = yield* spareSun({ connection: run.connection, since }, hotWallet)
  if (spare < missing + fundingFee + signatureFee(hotWallet.keys, yield* run.connection.pricesNow))
    return `${needs}; the hot wallet has ${Math.max(0, spare) / 1e6} TRX to spare`
  const { address } = asset
  const draft = yield* draftOf(run, hotWallet.address, address)
  const transaction = yield* buildTrx({ ...draft, sun: missing, permission: hotWallet.permission })
  yield* startTransfer(run, { asset, index }, { kind: "funding", address, amount: BigInt(missing), transaction })
  return undefined
})

/** True when nothing is left to do for this asset in this run. */
const step = Effect.fnUntraced(function* (run: Run, progress: Progress) {
  const { asset } = progress.place
  const open = (yield* (yield* SweepStore).open).find(({ address }) => address === asset.address)
  if (open !== undefined) {
    if (!(yield* follow(run, progress, open))) yield* Effect.sleep(run.connection.timings.fresh)
    return false
  }
  // Another process may have returned it, or the operator may have changed the destination.
  const found = yield* (yield* ForeignAssetStore).find(asset.id)
  if (Option.isNone(found) || found.value.state !== "returning") return true
  const place = { ...progress.place, asset: found.value }
  const skip = (reason: string) => Effect.as(run.report({ _tag: "Skipped", place, reason }), true)
  if (run.terms.shown !== undefined && run.terms.shown.get(asset.id) !== found.value.destination)
    return yield* skip("its destination was changed meanwhile: run it again")
  if (progress.deaths >= mostDeaths) return yield* skip("no block took its transactions: run it again later")
  const item = yield* surveyReturn(run.connection, run.terms, place, progress.since)
  if (item.obstacle !== null) return yield* skip(item.obstacle)
  if (item.missing === 0) return yield* Effect.as(startReturn(run, item), false)
  const refusal = yield* run.funding.withPermit(startFunding(run, item, progress))
  return refusal === undefined ? false : yield* skip(refusal)
})

/** A failure of a node ends a step, not the run. */
const returnOne = Effect.fnUntraced(function* (run: Run, place: ReturnPlace, since: number) {
  const progress: Progress = { place, since, deaths: 0, isFunded: false }
  for (;;) {
    const isDone = yield* Effect.catchTag(step(run, progress), "ChainUnavailable", ({ reason }) =>
      Effect.as(
        Effect.andThen(run.report({ _tag: "Waiting", reason }), Effect.sleep(run.connection.timings.fresh)),
        false
      )
    )
    if (isDone) return
    if ((yield* Clock.currentTimeMillis) - run.movedAt > 2 * run.connection.timings.lifetime)
      return yield* new ChainUnavailable({
        reason: "no transaction has progressed for a long time: run it again to continue"
      })
  }
})

/**
 * Returns the assets that the operator decided to return (CHAIN-32). If it is stopped or killed at any point, the next run continues: every transaction is
 * stored before it is signed, only the stored bytes are sent, and another one is built only after proof that the first one can never be included. An
 * address has one open transaction at a time, of a sweep or of a return.
 */
export const returnAssets = Effect.fnUntraced(function* (
  connection: TronConnection,
  terms: ReturnTerms,
  keys: SweepKeys,
  report: ReportReturn
) {
  const { block, network } = yield* ownChain(connection)
  const places = new Map<string, Array<ReturnPlace>>()
  for (const place of yield* returningAssets(network))
    places.set(place.asset.address, [...(places.get(place.asset.address) ?? []), place])
  const run: Run = {
    connection,
    terms,
    keys,
    report,
    payers: new Map(),
    funding: yield* Semaphore.make(1),
    lastTimestamp: 0,
    movedAt: yield* Clock.currentTimeMillis
  }
  yield* Effect.forEach(
    places.values(),
    (ofAddress) => Effect.forEach(ofAddress, (place) => returnOne(run, place, block), { discard: true }),
    { concurrency: addressesAtOnce, discard: true }
  )
})
