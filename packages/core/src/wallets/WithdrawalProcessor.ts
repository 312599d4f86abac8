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

/** The maximum number of open withdrawals. Each run examines all of them, so that the chain adapter knows all reserved amounts. */
const maxOpen = 200

/** The number of withdrawals examined concurrently. */
const concurrency = 8

const ownAddress = "the destination is one of the service's own addresses"

/**
 * Pays each withdrawal once. The transaction is stored before it is sent, only the stored bytes are sent again, and it is given up only with
 * the chain's proof that it can never be included.
 */
export class WithdrawalProcessor extends Context.Service<
  WithdrawalProcessor,
  {
    /**
     * Advances every open withdrawal by one step and returns their number. While payouts are paused nothing is sent, and transactions that were
     * already sent are still monitored until they are final (WITHDRAWAL-14). Refuses a network other than that of the deposits, because its
     * statements about a transaction prove nothing.
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
      /** The reason last logged for each waiting withdrawal. */
      const reported = yield* Cache.make({
        capacity: 10 * maxOpen,
        lookup: (_: string): Effect.Effect<string> => Effect.die(new Error("reasons are set, not looked up"))
      })

      /** Another process may already have taken the step; that is not an error. */
      const move = ({ accountId, id }: Withdrawal, step: WithdrawalStep) =>
        settlement.submit({ _tag: "MoveWithdrawal", withdrawalId: id, accountId, step }).pipe(
          Effect.as(true),
          Effect.catchIf(
            (refused): refused is Refusal => refused._tag !== "StoreUnavailable",
            () => Effect.succeed(false)
          )
        )

      /** The pause is read again just before, because the run may have started long ago. */
      const send = Effect.fnUntraced(function* (transaction: WithdrawalTransaction) {
        if ((yield* store.payoutPause) === null) yield* chain.broadcast(transaction)
      })

      const start = Effect.fnUntraced(function* (withdrawal: Withdrawal) {
        const transaction = yield* chain.prepare({
          withdrawal: withdrawal.id,
          attempt: withdrawal.attempts + 1,
          to: withdrawal.destinationAddress,
          amount: withdrawal.amount
        })
        if (yield* move(withdrawal, { to: "broadcasting", transaction })) yield* send(transaction)
      })

      const follow = Effect.fnUntraced(function* (withdrawal: Withdrawal, transaction: WithdrawalTransaction) {
        const fate = yield* chain.fate(transaction)
        switch (fate._tag) {
          case "Confirmed":
            return yield* move(withdrawal, { to: "completed", txid: transaction.txid })
          case "Reverted":
            return yield* move(withdrawal, { to: "failed", reason: fate.reason, txid: transaction.txid })
          case "Dead":
            return yield* move(withdrawal, { to: "queued", abandoned: transaction.txid })
          case "Waiting":
            return yield* Effect.as(send(transaction), true)
        }
      })

      /** A chain problem of one withdrawal does not delay the others, and is logged once, not in every run. */
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

      /** The destination may have become one of the service's own addresses after the request; such a withdrawal is refused. */
      const startAll = Effect.fnUntraced(function* (queued: ReadonlyArray<Withdrawal>) {
        const owners = yield* store.ownersOf(queued.map(({ destinationAddress }) => destinationAddress))
        for (const withdrawal of queued) {
          const { destinationAddress } = withdrawal
          if (chain.forbidden.has(destinationAddress) || owners.has(destinationAddress)) {
            yield* move(withdrawal, { to: "failed", reason: ownAddress, txid: null })
          } else yield* each(withdrawal, start(withdrawal))
        }
      })

      const network = Effect.provideService(ownNetwork(chain.network), WalletStore, store)

      /** A chain below the scan position reports old balances. */
      const isBehind = Effect.gen(function* () {
        const scanned = yield* store.cursor(yield* network)
        return Option.isSome(scanned) && (yield* chain.finalHead).block < scanned.value
      })

      const process = Effect.gen(function* () {
        const paused = (yield* store.payoutPause) !== null
        const broadcasting = yield* store.withdrawalsIn("broadcasting", maxOpen)
        if (broadcasting.length > 0) yield* network
        yield* Effect.forEach(
          broadcasting,
          (withdrawal) =>
            withdrawal.transaction === null
              ? Effect.void
              : each(withdrawal, Effect.asVoid(follow(withdrawal, withdrawal.transaction))),
          { concurrency, discard: true }
        )
        const room = maxOpen - broadcasting.length
        const queued = room > 0 && !paused ? yield* store.withdrawalsIn("queued", room) : []
        if (queued.length > 0 && !(yield* isBehind)) yield* startAll(queued)
        return broadcasting.length + queued.length
      })

      return { process: Effect.withSpan(process, "WithdrawalProcessor.process") }
    })
  )
}
