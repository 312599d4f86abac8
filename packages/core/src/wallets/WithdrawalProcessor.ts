import { Cache, Context, Effect, Layer, Option } from "effect"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { WithdrawalStep } from "../settlement/Command.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { WalletStore } from "./WalletStore.ts"
import type { Withdrawal, WithdrawalTransaction } from "./Withdrawal.ts"

/** How many withdrawals are on their way at most: each look sees them all, so that the chain knows what is promised. */
const onTheirWay = 200

/** How many of them are asked about at once. */
const atOnce = 8

const ownAddress = "the destination is one of the service's own addresses"

/**
 * Pays withdrawals out, each once. The transaction is stored before it is sent; only the same bytes are sent again; it
 * is given up only with the chain's proof that it can never be included.
 */
export class WithdrawalProcessor extends Context.Service<
  WithdrawalProcessor,
  {
    /**
     * Moves every open withdrawal one step on; answers how many there were. While payouts are paused nothing is sent, and what was sent before
     * is followed to its end (WITHDRAWAL-14). Refuses a network other than the one that deposits come from:
     * what it says of a transaction proves nothing.
     */
    readonly process: Effect.Effect<number, ChainUnavailable | StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/WithdrawalProcessor") {
  static readonly layer = Layer.effect(
    WithdrawalProcessor,
    Effect.gen(function* () {
      const chain = yield* Chain
      const store = yield* WalletStore
      const settlement = yield* Settlement
      /** Why each withdrawal was last reported to wait. */
      const reported = yield* Cache.make({
        capacity: 10 * onTheirWay,
        lookup: (_: string): Effect.Effect<string> => Effect.never
      })

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

      const follow = Effect.fnUntraced(function* (
        withdrawal: Withdrawal,
        transaction: WithdrawalTransaction,
        paused: boolean
      ) {
        const fate = yield* chain.fate(transaction)
        switch (fate._tag) {
          case "Confirmed":
            return yield* move(withdrawal, { to: "completed", txid: transaction.txid })
          case "Reverted":
            return yield* move(withdrawal, { to: "failed", reason: fate.reason, txid: transaction.txid })
          case "Dead":
            return yield* move(withdrawal, { to: "queued", abandoned: transaction.txid })
          case "Waiting":
            return paused || (yield* Effect.as(chain.broadcast(transaction), true))
        }
      })

      /** One withdrawal's trouble with the chain delays no other, and is logged once, not at every look. */
      const each = <A>({ id }: Withdrawal, effect: Effect.Effect<A, ChainUnavailable | StoreUnavailable>) =>
        Effect.tap(effect, () => Cache.invalidate(reported, id)).pipe(
          Effect.catchTag(
            "ChainUnavailable",
            Effect.fnUntraced(function* ({ reason }) {
              const before = yield* Cache.getSuccess(reported, id)
              if (Option.contains(before, reason)) return
              yield* Cache.set(reported, id, reason)
              yield* Effect.logWarning(`withdrawal ${id} waits for the chain`, reason)
            })
          )
        )

      /** An address may have become the service's own after it was asked for: nothing is paid from one pocket to the other. */
      const beginAll = Effect.fnUntraced(function* (queued: ReadonlyArray<Withdrawal>) {
        const owners = yield* store.ownersOf(queued.map(({ destinationAddress }) => destinationAddress))
        for (const withdrawal of queued) {
          const { destinationAddress } = withdrawal
          if (chain.forbidden.has(destinationAddress) || owners.has(destinationAddress)) {
            yield* move(withdrawal, { to: "failed", reason: ownAddress, txid: null })
          } else yield* each(withdrawal, begin(withdrawal))
        }
      })

      const network = Effect.provideService(ownNetwork(chain.network), WalletStore, store)

      /** A chain that has not come as far as was scanned tells of money that may be gone. */
      const isBehind = Effect.gen(function* () {
        const scanned = yield* store.cursor(yield* network)
        return Option.isSome(scanned) && (yield* chain.finalHead).block < scanned.value
      })

      const process = Effect.gen(function* () {
        const paused = (yield* store.payoutPause) !== null
        const broadcasting = yield* store.withdrawalsIn("broadcasting", onTheirWay)
        if (broadcasting.length > 0) yield* network
        yield* Effect.forEach(
          broadcasting,
          (withdrawal) =>
            withdrawal.transaction === null
              ? Effect.void
              : each(withdrawal, Effect.asVoid(follow(withdrawal, withdrawal.transaction, paused))),
          { concurrency: atOnce, discard: true }
        )
        const room = onTheirWay - broadcasting.length
        const queued = room > 0 && !paused ? yield* store.withdrawalsIn("queued", room) : []
        if (queued.length > 0 && !(yield* isBehind)) yield* beginAll(queued)
        return broadcasting.length + queued.length
      })

      return { process: Effect.withSpan(process, "WithdrawalProcessor.process") }
    })
  )
}
