import { Context, Effect, Layer, Option } from "effect"
import type { ChainUnavailable, Transfer } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Order } from "../settlement/Order.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Deposit } from "./Deposit.ts"
import { WalletStore } from "./WalletStore.ts"

/** The most deposits of one look that are credited in one transaction. */
const creditsAtOnce = 200

/** Credits what reaches the deposit addresses, once, when it is final (contract 5, architecture 3). */
export class DepositScanner extends Context.Service<
  DepositScanner,
  {
    /**
     * Looks at the next final blocks and credits what they hold, the position moving on in the transaction of the last of them:
     * killed at any point, nothing is missed or credited twice. True where more final blocks are waiting.
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

      const ours = Effect.fnUntraced(function* (transfers: ReadonlyArray<Transfer>) {
        if (transfers.length === 0) return []
        const owners = yield* store.ownersOf([...new Set(transfers.map(({ to }) => to))])
        return transfers.flatMap((transfer): ReadonlyArray<Deposit> => {
          const accountId: AccountId | undefined = owners.get(transfer.to)
          if (accountId === undefined || transfer.amount <= 0n) return []
          const { amount, at, block, logIndex, to: address, txid } = transfer
          return [{ network: chain.network, txid, logIndex, accountId, address, amount, block, at }]
        })
      })

      const credit = Effect.fnUntraced(function* (deposits: ReadonlyArray<Deposit>, block: number) {
        for (let i = 0; i < deposits.length || i === 0; i += creditsAtOnce) {
          const some = deposits.slice(i, i + creditsAtOnce)
          const last = i + creditsAtOnce >= deposits.length
          const orders: ReadonlyArray<Order> = [
            ...some.map((deposit): Order => ({ _tag: "CreditDeposit", deposit })),
            ...(last ? [{ _tag: "AdvanceCursor", network: chain.network, block } as const] : [])
          ]
          yield* settlement.submitAll(orders)
        }
      })

      const showPending = Effect.fnUntraced(function* (above: number) {
        const seen = yield* ours(yield* chain.pendingTransfers(above))
        if (seen.length === 0 && pendingBefore === 0) return
        yield* store.replacePending(chain.network, seen)
        pendingBefore = seen.length
      })

      const scan = Effect.gen(function* () {
        const head = yield* chain.finalHead
        const position = Option.getOrElse(yield* store.cursor(chain.network), () => chain.start - 1)
        const to = Math.min(head.block, position + chain.span)
        if (to > position) yield* credit(yield* ours(yield* chain.transfers(position + 1, to)), to)
        const behind = to < head.block
        if (!behind) yield* showPending(head.block)
        return behind
      })

      return { scan: Effect.withSpan(scan, "DepositScanner.scan") }
    })
  )
}
