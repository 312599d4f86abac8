import { Cache, Context, Effect, Layer, Option } from "effect"
import type { PayoutRefused } from "../chain/Chain.ts"
import { Chain, ChainUnavailable } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { WithdrawalStep } from "../settlement/Command.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import type { WithdrawalId } from "../ids/Ids.ts"
import { payoutScreening } from "../screening/payoutScreening.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { payoutGate } from "./outgoingTransfers.ts"
import { signingWatch } from "./signingWatch.ts"
import { payoutBackoff } from "./payoutBackoff.ts"
import type { PayableWithdrawal } from "./WalletStore.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"
import type { Withdrawal, WithdrawalTransaction } from "./Withdrawal.ts"

/** The maximum number of withdrawals that are being paid. Each run examines all of them, so that the chain adapter knows all reserved amounts. */
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
      const clock = yield* MarketClock
      const store = yield* WalletStore
      const settlement = yield* Settlement
      const treasury = yield* TreasuryStore
      const mayPay = yield* payoutGate
      const signing = yield* signingWatch
      const screened = yield* payoutScreening
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
      const send = Effect.fnUntraced(function* (withdrawal: Withdrawal, transaction: WithdrawalTransaction) {
        if ((yield* store.payoutPause) !== null) return
        const sent = yield* chain.broadcast(transaction)
        signing.see(sent)
        if (sent._tag !== "Unsigned") return
        const { because, reason } = sent
        // Stored once, so that the operator sees it with the withdrawal (SIGNER-6).
        if (because === "refused" && withdrawal.failure !== reason)
          yield* move(withdrawal, { to: "refused", txid: transaction.txid, reason })
        return yield* new ChainUnavailable({ reason })
      })

      const start = Effect.fnUntraced(function* (withdrawal: Withdrawal) {
        const transaction = yield* chain.prepare({
          withdrawal: withdrawal.id,
          attempt: withdrawal.attempts + 1,
          to: withdrawal.destinationAddress,
          amount: withdrawal.amount
        })
        const started = yield* move(withdrawal, { to: "broadcasting", transaction })
        if (started) yield* send(withdrawal, transaction)
        return started
      })

      const follow = Effect.fnUntraced(function* (withdrawal: Withdrawal, transaction: WithdrawalTransaction) {
        const fate = yield* chain.fate(transaction)
        switch (fate._tag) {
          case "Confirmed":
            return yield* move(withdrawal, {
              to: "completed",
              txid: transaction.txid,
              tokenFee: fate.tokenFee ?? null
            })
          case "Reverted":
            return yield* move(withdrawal, { to: "failed", reason: fate.reason, txid: transaction.txid })
          case "Dead":
            return yield* move(withdrawal, { to: "queued", abandoned: transaction.txid })
          case "Waiting":
            return yield* Effect.as(send(withdrawal, transaction), true)
        }
      })

      /** A chain problem of one withdrawal does not delay the others, and is logged once, not in every run. True if there was none. */
      const each = ({ id }: Withdrawal, effect: Effect.Effect<boolean, ChainUnavailable | StoreUnavailable>) =>
        Effect.tap(effect, () => Cache.invalidate(reported, id)).pipe(
          Effect.catchTag("ChainUnavailable", ({ reason }) =>
            Effect.gen(function* () {
              const before = yield* Cache.getSuccess(reported, id)
              if (Option.contains(before, reason)) return false
              yield* Cache.set(reported, id, reason)
              yield* Effect.logWarning(`withdrawal ${id} waits for the chain`, reason)
              return false
            })
          )
        )

      /** A refused payment waits longer after each refusal. The wait is stored, so that a restart does not shorten it. */
      const refuse = Effect.fnUntraced(function* (
        { refusals, withdrawal }: PayableWithdrawal,
        { reason }: PayoutRefused
      ) {
        const wait = payoutBackoff(refusals + 1)
        yield* store.deferPayouts([withdrawal.id], (yield* clock.now) + wait, reason)
        yield* Effect.logWarning(`withdrawal ${withdrawal.id} is refused and waits for ${wait / 1000} s`, reason)
        return true
      })

      /** False if the withdrawal waits for the chain. */
      const startOne = (payable: PayableWithdrawal) =>
        each(
          payable.withdrawal,
          Effect.catchTag(start(payable.withdrawal), "PayoutRefused", (refusal) => refuse(payable, refusal))
        )

      /** The destination may have become one of the service's own addresses after the request; such a withdrawal is refused. */
      const refuseOwn = Effect.fnUntraced(function* (queued: ReadonlyArray<PayableWithdrawal>) {
        const owners = yield* store.ownersOf(queued.map(({ withdrawal }) => withdrawal.destinationAddress))
        const { cold } = yield* treasury.treasury
        const isOwn = ({ withdrawal: { destinationAddress: to } }: PayableWithdrawal) =>
          to === cold || chain.forbidden.has(to) || owners.has(to)
        for (const { withdrawal } of queued.filter(isOwn))
          yield* move(withdrawal, { to: "failed", reason: ownAddress, txid: null })
        return queued.filter((payable) => !isOwn(payable))
      })

      /** Returns those that wait for the chain or for screening. */
      const startAll = Effect.fnUntraced(function* (queued: ReadonlyArray<PayableWithdrawal>) {
        const foreign = yield* refuseOwn(queued)
        const { flagged, payable } = yield* screened(foreign)
        for (const { evidence, withdrawal } of flagged) yield* move(withdrawal, { to: "flagged", evidence })
        const started = new Set<WithdrawalId>(flagged.map(({ withdrawal }) => withdrawal.id))
        for (const each of payable)
          if (signing.fault === undefined && (yield* startOne(each))) started.add(each.withdrawal.id)
        return foreign.flatMap(({ withdrawal }) => (started.has(withdrawal.id) ? [] : [withdrawal.id]))
      })

      const network = Effect.provideService(ownNetwork(chain.network), WalletStore, store)

      /** A chain below the scan position reports old balances. */
      const isBehind = Effect.gen(function* () {
        const scanned = yield* store.cursor(yield* network)
        return Option.isSome(scanned) && (yield* chain.finalHead).block < scanned.value
      })

      /** The network, if this process pays from the wallet that the database knows; the first one that pays makes it known (TREASURY-1). */
      const ownWallet = Effect.gen(function* () {
        const { hotWallet } = chain
        if (hotWallet === null) return yield* network
        const hot = (yield* treasury.treasury).hot ?? (yield* treasury.claim({ hot: hotWallet })).hot
        if (hot === hotWallet) return yield* network
        const reason = `this process pays from ${hotWallet}, but the market's hot wallet is ${hot}: see operator treasury set`
        return yield* new ChainUnavailable({ reason })
      })

      const process = Effect.gen(function* () {
        const paused = (yield* store.payoutPause) !== null
        signing.forget()
        const broadcasting = yield* store.withdrawalsIn("broadcasting", maxOpen)
        if (broadcasting.length > 0) yield* network
        yield* Effect.forEach(
          broadcasting,
          (withdrawal) =>
            withdrawal.transaction === null
              ? Effect.void
              : each(withdrawal, follow(withdrawal, withdrawal.transaction)),
          { concurrency, discard: true }
        )
        const room = maxOpen - broadcasting.length
        const queued = room > 0 && !paused ? yield* store.payableWithdrawals(yield* clock.now, room) : []
        // Each one would only be another transaction that waits for the signer (SIGNER-4).
        if (
          queued.length > 0 &&
          signing.fault === undefined &&
          !(yield* isBehind) &&
          (yield* mayPay(yield* ownWallet))
        ) {
          const waiting = yield* startAll(queued)
          // Others may wait beyond this window: the next run starts with them.
          if (queued.length === room) yield* store.deferPayouts(waiting, yield* clock.now, null)
        }
        yield* signing.report(broadcasting, broadcasting.length + queued.length === 0)
        return broadcasting.length + queued.length
      })

      return { process: Effect.withSpan(process, "WithdrawalProcessor.process") }
    })
  )
}
