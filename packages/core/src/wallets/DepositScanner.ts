import { Context, Effect, Layer, Metric, Option } from "effect"
import type { Transfer } from "../chain/Chain.ts"
import { Chain, ChainUnavailable } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Order } from "../settlement/Order.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Deposit } from "./Deposit.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { WalletStore } from "./WalletStore.ts"

/** The most deposits of one look that are credited in one transaction. */
const creditsAtOnce = 200

const lag = Metric.gauge("deposit_scan_lag_blocks", { description: "Final blocks that were not looked at yet." })
const position = Metric.gauge("deposit_scan_block", { description: "The last block that was looked at." })

const refused = (reason: string) => new ChainUnavailable({ reason })

/** Credits what reaches the deposit addresses, once, when it is final (contract 5, architecture 3). */
export class DepositScanner extends Context.Service<
  DepositScanner,
  {
    /**
     * Looks at the next final blocks and credits what they hold, the position moving on in the transaction of the last of them:
     * killed at any point, nothing is missed or credited twice. True where more final blocks are waiting. What the service's own
     * wallet and its deposit addresses send is no deposit. Refuses a network other than the one that was scanned before.
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
      let pendingBefore = -1
      let startsOn: string | undefined

      const ours = Effect.fnUntraced(function* (network: string, transfers: ReadonlyArray<Transfer>) {
        if (transfers.length === 0) return []
        const owners = yield* store.ownersOf([...new Set(transfers.map(({ to }) => to))])
        if (owners.size === 0) return []
        const reached = transfers
          .filter(({ amount, to }) => amount > 0n && owners.has(to))
          .filter(({ from }) => !chain.forbidden.has(from))
        if (reached.length === 0) return []
        const senders = yield* store.ownersOf([...new Set(reached.map(({ from }) => from))])
        return reached.flatMap((transfer): ReadonlyArray<Deposit> => {
          const { amount, at, block, from, logIndex, to: address, txid } = transfer
          const accountId = owners.get(address)
          if (accountId === undefined || senders.has(from)) return []
          return [{ network, txid, logIndex, accountId, address, amount, block, at }]
        })
      })

      const credit = Effect.fnUntraced(function* (network: string, deposits: ReadonlyArray<Deposit>, block: number) {
        for (let i = 0; i < deposits.length || i === 0; i += creditsAtOnce) {
          const some = deposits.slice(i, i + creditsAtOnce)
          const last = i + creditsAtOnce >= deposits.length
          const orders: ReadonlyArray<Order> = [
            ...some.map((deposit): Order => ({ _tag: "CreditDeposit", deposit })),
            ...(last ? [{ _tag: "AdvanceCursor", network, block } as const] : [])
          ]
          yield* settlement.submitAll(orders)
        }
      })

      const showPending = Effect.fnUntraced(function* (network: string, above: number) {
        const seen = yield* ours(network, yield* chain.pendingTransfers(above))
        if (seen.length === 0 && pendingBefore === 0) return
        yield* store.replacePending(network, seen)
        pendingBefore = seen.length
      })

      /** The networks are compared once in a process: a node of another network is refused by the chain itself. */
      const scannedNetwork = Effect.gen(function* () {
        const network = yield* chain.network
        if (startsOn === network) return network
        startsOn = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, store)
        return network
      })

      /** A market that has given addresses out must not skip the blocks since. */
      const first = Effect.fnUntraced(function* (head: number) {
        if (chain.start !== null) return chain.start
        const { addresses } = yield* store.scanned
        if (addresses)
          return yield* refused("deposit addresses were given out before the first scan: name the block to start from")
        return head
      })

      const scan = Effect.gen(function* () {
        const network = yield* scannedNetwork
        const head = yield* chain.finalHead
        const known = yield* store.cursor(network)
        const before = Option.isSome(known) ? known.value : (yield* first(head.block)) - 1
        if (head.block < before && Option.isSome(known))
          return yield* refused(`the chain's final block ${head.block} is below ${before}, which was scanned`)
        const to = Math.min(head.block, before + chain.span)
        if (to > before) yield* credit(network, yield* ours(network, yield* chain.transfers(before + 1, to)), to)
        yield* Metric.update(lag, Math.max(0, head.block - to))
        yield* Metric.update(position, to)
        const behind = to < head.block
        if (!behind) yield* showPending(network, head.block)
        return behind
      })

      return { scan: Effect.withSpan(scan, "DepositScanner.scan") }
    })
  )
}
