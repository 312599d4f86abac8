import { Context, Effect, Layer, Metric, Option } from "effect"
import type { Preview, Transfer } from "../chain/Chain.ts"
import { Chain, chainConditionKinds, ChainUnavailable } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Conditions } from "../health/Conditions.ts"
import { depositScreening } from "../screening/depositScreening.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { ObservedDeposit } from "./Deposit.ts"
import { depositsAmong } from "./depositsAmong.ts"
import { foreignRecorder } from "./foreignRecorder.ts"
import { outgoingRecorder } from "./outgoingTransfers.ts"
import { ownersOnce } from "./ownersOnce.ts"
import { ownNetwork } from "./ownNetwork.ts"
import type { ScanPosition } from "./ScanPosition.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The target number of deposits in one transaction. A block is never divided, whatever its number of deposits. */
const creditBatchSize = 200

/** The number of blocks with deposits that are confirmed concurrently. */
const confirmedAtOnce = 8

/** The number of previewed blocks that one scan reads again. */
const rereadAtOnce = 32

/** Deposits to credit in one transaction, and the scan position after it. */
interface Credit {
  readonly deposits: ReadonlyArray<ObservedDeposit>
  readonly block: number
}

/** Groups deposits by whole blocks, because the scan position means that everything up to it is credited. The last group ends with block `to`. */
const creditsOf = (deposits: ReadonlyArray<ObservedDeposit>, to: number): ReadonlyArray<Credit> => {
  const credits: Array<Credit> = []
  let from = 0
  deposits.forEach(({ block }, i) => {
    const next = deposits[i + 1]
    if (next === undefined || next.block === block || i + 1 - from < creditBatchSize) return
    credits.push({ deposits: deposits.slice(from, i + 1), block })
    from = i + 1
  })
  return [...credits, { deposits: deposits.slice(from), block: to }]
}

const position = Metric.gauge("deposit_scan_block", { description: "The last block that was scanned." })

const unconfirmed = Metric.gauge("deposit_scan_unconfirmed_blocks", {
  description: "Blocks that were read from one node while the scan caught up, and are still to be read from the others."
})

const refused = (reason: string) => new ChainUnavailable({ reason })

/** Credits final transfers to the deposit addresses, each once (DEPOSIT-5), or holds them if screening does not allow them (SCREENING-3). */
export class DepositScanner extends Context.Service<
  DepositScanner,
  {
    /**
     * Scans the next final blocks and credits their deposits. Each block is credited in one transaction that also moves the scan position, so
     * a kill at any point neither misses a deposit nor credits one twice (CHAIN-13). True if more final blocks are waiting. Transfers from the
     * service's own wallet and from its deposit addresses are not deposits. A long backlog is read from one node first and from the others
     * afterwards; a block with deposits always from all of them. Refuses a network other than the one that was scanned before.
     */
    readonly scan: Effect.Effect<boolean, ChainUnavailable | StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/DepositScanner") {
  static readonly layer = Layer.effect(
    DepositScanner,
    Effect.gen(function* () {
      const chain = yield* Chain
      const store = yield* WalletStore
      const settlement = yield* Settlement
      const outgoing = yield* outgoingRecorder
      const foreign = yield* foreignRecorder
      const conditions = yield* Conditions
      const treasury = yield* TreasuryStore
      const screened = yield* depositScreening
      let startsOn: string | undefined
      let catchesUp = false

      const ours = (network: string, transfers: ReadonlyArray<Transfer>, owners = store) =>
        depositsAmong(network, transfers).pipe(
          Effect.provideService(Chain, chain),
          Effect.provideService(TreasuryStore, treasury),
          Effect.provideService(WalletStore, owners)
        )

      /** Also moves the scan position, to block `to` in the end. `agreed`: see ScanPosition. */
      const credit = Effect.fnUntraced(function* (
        network: string,
        all: ReadonlyArray<ObservedDeposit>,
        to: { readonly block: number; readonly id: string },
        agreed: number
      ) {
        for (const { block, deposits } of creditsOf(all, to.block)) {
          const commands = yield* screened(deposits)
          const id = block === to.block ? to.id : yield* chain.follow(null, block, block)
          const position: ScanPosition = { block, id, agreed: Math.min(agreed, block) }
          yield* settlement.submitAll([...commands, { _tag: "AdvanceCursor", network, position }])
        }
      })

      /** A block with deposits or payouts counts only as `transfers` reports it. The others contain nothing that matters. */
      const previewed = Effect.fnUntraced(function* (
        network: string,
        { agreed, transfers }: Preview,
        owners: WalletStore["Service"]
      ) {
        if (agreed) return transfers
        const found = [...(yield* ours(network, transfers, owners)), ...(yield* outgoing.of(transfers))]
        const blocks = [...new Set(found.map(({ block }) => block))].sort((a, b) => a - b)
        const confirmed = yield* Effect.forEach(blocks, (block) => chain.transfers(block, block), {
          concurrency: confirmedAtOnce
        })
        return confirmed.flat()
      })

      /** Reads blocks again of which only a preview was read. A deposit that it left out is credited now. */
      const catchUpAgreement = Effect.fnUntraced(function* (network: string) {
        const known = Option.getOrUndefined(yield* store.scanPosition(network))
        if (known === undefined) return
        yield* Metric.update(unconfirmed, known.block - known.agreed)
        if (known.agreed >= known.block) return
        const to = Math.min(known.block, known.agreed + rereadAtOnce)
        const transfers = yield* chain.transfers(known.agreed + 1, to)
        yield* outgoing.record(network, transfers)
        yield* foreign.scanned(network, transfers)
        const commands = yield* screened(yield* ours(network, transfers))
        const position: ScanPosition = { ...known, agreed: to }
        yield* settlement.submitAll([...commands, { _tag: "AdvanceCursor", network, position }])
      })

      const showPending = Effect.fnUntraced(function* (network: string, above: number) {
        yield* store.replacePending(network, yield* ours(network, yield* chain.pendingTransfers(above)))
      })

      /** Compares the networks once per process; the chain itself refuses nodes of another network. */
      const scannedNetwork = Effect.gen(function* () {
        const network = yield* chain.network
        if (startsOn === network) return network
        startsOn = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, store)
        return network
      })

      /** A market that has issued addresses must not skip any block since then. */
      const first = Effect.fnUntraced(function* (head: number) {
        if (chain.start !== null) return chain.start
        const { addresses } = yield* store.scanned
        if (addresses)
          return yield* refused(
            "deposit addresses were issued before the first scan: configure the block to start from (TRON_START_BLOCK)"
          )
        return head
      })

      /** Reads the blocks after `known` up to `to`, and credits their deposits. */
      const advance = Effect.fnUntraced(function* (network: string, known: ScanPosition, to: number) {
        const from = known.block + 1
        const id = yield* chain.follow(known.id, from, to)
        const preview = catchesUp && chain.preview !== null ? yield* chain.preview(from, to) : undefined
        const owners = ownersOnce(store)
        const transfers =
          preview === undefined ? yield* chain.transfers(from, to) : yield* previewed(network, preview, owners)
        yield* outgoing.record(network, transfers)
        // Other assets in blocks that one source reported are recorded when the others have reported them too.
        if (preview?.agreed ?? true) yield* foreign.scanned(network, transfers)
        const isAgreed = (preview?.agreed ?? true) && known.agreed === known.block
        yield* credit(network, yield* ours(network, transfers, owners), { block: to, id }, isAgreed ? to : known.agreed)
      })

      const scan = Effect.gen(function* () {
        const network = yield* scannedNetwork
        const stored = yield* store.scanPosition(network)
        if (Option.isSome(stored)) yield* chain.resumeAt(stored.value.block)
        const head = yield* chain.finalHead
        const before = Option.isSome(stored) ? stored.value.block : (yield* first(head.block)) - 1
        if (head.block < before && Option.isSome(stored))
          return yield* refused(`the chain's final block ${head.block} is below the scan position ${before}`)
        const to = Math.min(head.block, before + chain.span)
        // The rest of a long backlog is previewed too, so that it is not read thoroughly before the newest blocks.
        catchesUp ||= head.block - before > chain.span
        const known = Option.getOrElse(stored, (): ScanPosition => ({ block: before, id: null, agreed: before }))
        if (to > before) yield* advance(network, known, to)
        yield* Metric.update(position, to)
        const behind = to < head.block
        if (!behind) {
          // One step for each new final block limits the requests: the nodes may limit their rate.
          if (!catchesUp && to > before) yield* catchUpAgreement(network)
          catchesUp = false
          yield* showPending(network, head.block)
        }
        return behind
      })

      /** The process that scans has asked all sources of the chain, so it knows their state. */
      const report = Effect.gen(function* () {
        const found = yield* chain.conditions
        for (const kind of chainConditionKinds) {
          const condition = found.find((each) => each.kind === kind)
          yield* conditions.set(kind, condition !== undefined, condition?.detail)
        }
      })

      return { scan: Effect.withSpan(Effect.ensuring(scan, Effect.ignore(report)), "DepositScanner.scan") }
    })
  )
}
