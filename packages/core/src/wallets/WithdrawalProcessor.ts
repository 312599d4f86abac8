import { Context, Effect, Layer } from "effect"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { WithdrawalStep } from "../settlement/Order.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { WalletStore } from "./WalletStore.ts"
import type { Withdrawal, WithdrawalTransaction } from "./Withdrawal.ts"

/** How many withdrawals one look takes up. */
const atOnce = 50

/**
 * Pays withdrawals out, each once. The transaction is stored before it is sent; only the same bytes are sent again; it
 * is given up only with the chain's proof that it can never be included.
 */
export class WithdrawalProcessor extends Context.Service<
  WithdrawalProcessor,
  {
    /** Moves every open withdrawal one step on; answers how many there were. */
    readonly process: Effect.Effect<number, ChainUnavailable | StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/WithdrawalProcessor") {
  static readonly layer = Layer.effect(
    WithdrawalProcessor,
    Effect.gen(function* () {
      const chain = yield* Chain
      const store = yield* WalletStore
      const settlement = yield* Settlement

      /** A step that another process has taken already is no fault. */
      const move = ({ accountId, id }: Withdrawal, step: WithdrawalStep) =>
        settlement.submit({ _tag: "MoveWithdrawal", withdrawalId: id, accountId, step }).pipe(
          Effect.as(true),
          Effect.catchIf(
            (refused): refused is Refusal => refused._tag !== "StoreUnavailable",
            () => Effect.succeed(false)
          )
        )

      const begin = Effect.fnUntraced(function* (withdrawal: Withdrawal) {
        const transaction = yield* chain.prepare({
          withdrawal: withdrawal.id,
          attempt: withdrawal.attempts + 1,
          to: withdrawal.destinationAddress,
          amount: withdrawal.amount
        })
        if (yield* move(withdrawal, { to: "broadcasting", transaction })) yield* chain.broadcast(transaction)
      })

      const follow = Effect.fnUntraced(function* (withdrawal: Withdrawal, transaction: WithdrawalTransaction) {
        const fate = yield* chain.fate(transaction)
        switch (fate._tag) {
          case "Confirmed":
            return yield* move(withdrawal, { to: "completed", txid: transaction.txid })
          case "Reverted":
            return yield* move(withdrawal, { to: "failed", reason: fate.reason })
          case "Dead":
            return yield* move(withdrawal, { to: "queued", abandoned: transaction.txid })
          case "Waiting":
            return yield* Effect.as(chain.broadcast(transaction), true)
        }
      })

      /** One withdrawal's trouble with the chain holds up no other. */
      const each = <A>(effect: Effect.Effect<A, ChainUnavailable | StoreUnavailable>) =>
        Effect.catchTag(effect, "ChainUnavailable", ({ reason }) =>
          Effect.logWarning("withdrawal waits for the chain", reason)
        )

      const process = Effect.gen(function* () {
        const broadcasting = yield* store.withdrawalsIn("broadcasting", atOnce)
        for (const withdrawal of broadcasting) {
          if (withdrawal.transaction !== null) yield* each(follow(withdrawal, withdrawal.transaction))
        }
        const queued = yield* store.withdrawalsIn("queued", atOnce)
        for (const withdrawal of queued) yield* each(begin(withdrawal))
        return broadcasting.length + queued.length
      })

      return { process: Effect.withSpan(process, "WithdrawalProcessor.process") }
    })
  )
}
