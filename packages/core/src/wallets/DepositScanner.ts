import { Context, Effect, Layer, Metric, Option } from "effect"
import type { Transfer } from "../chain/Chain.ts"
import { Chain, ChainUnavailable } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Command } from "../settlement/Command.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Deposit } from "./Deposit.ts"
import { depositsAmong } from "./depositsAmong.ts"
import { outgoingRecorder } from "./outgoingTransfers.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { WalletStore } from "./WalletStore.ts"

/** The target number of deposits in one transaction. A block is never divided, whatever its number of deposits. */
const creditBatchSize = 200

/** Deposits to credit in one transaction, and the scan position after it. */
interface Credit {
  readonly deposits: ReadonlyArray<Deposit>
  readonly block: number
}

/** Groups deposits by whole blocks, because the scan position means that everything up to it is credited. The last group ends with block `to`. */
const creditsOf = (deposits: ReadonlyArray<Deposit>, to: number): ReadonlyArray<Credit> => {
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

const refused = (reason: string) => new ChainUnavailable({ reason })

/** Credits final transfers to the deposit addresses, each once (DEPOSIT-5). */
export class DepositScanner extends Context.Service<
  DepositScanner,
  {
    /**
     * Scans the next final blocks and credits their deposits. Each block is credited in one transaction that also moves the scan position, so
     * a kill at any point neither misses a deposit nor credits one twice (CHAIN-13). True if more final blocks are waiting. Transfers from the
     * service's own wallet and from its deposit addresses are not deposits. Refuses a network other than the one that was scanned before.
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
      const recordOutgoing = yield* outgoingRecorder
      let startsOn: string | undefined

      const ours = (network: string, transfers: ReadonlyArray<Transfer>) =>
        depositsAmong(network, transfers).pipe(
          Effect.provideService(Chain, chain),
          Effect.provideService(WalletStore, store)
        )

      const credit = Effect.fnUntraced(function* (network: string, all: ReadonlyArray<Deposit>, to: number) {
        for (const { block, deposits } of creditsOf(all, to)) {
          const commands = deposits.map((deposit): Command => ({ _tag: "CreditDeposit", deposit }))
          yield* settlement.submitAll([...commands, { _tag: "AdvanceCursor", network, block }])
        }
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

      const scan = Effect.gen(function* () {
        const network = yield* scannedNetwork
        const head = yield* chain.finalHead
        const known = yield* store.cursor(network)
        const before = Option.isSome(known) ? known.value : (yield* first(head.block)) - 1
        if (head.block < before && Option.isSome(known))
          return yield* refused(`the chain's final block ${head.block} is below the scan position ${before}`)
        const to = Math.min(head.block, before + chain.span)
        if (to > before) {
          const transfers = yield* chain.transfers(before + 1, to)
          yield* recordOutgoing(network, transfers)
          yield* credit(network, yield* ours(network, transfers), to)
        }
        yield* Metric.update(position, to)
        const behind = to < head.block
        if (!behind) yield* showPending(network, head.block)
        return behind
      })

      return { scan: Effect.withSpan(scan, "DepositScanner.scan") }
    })
  )
}
