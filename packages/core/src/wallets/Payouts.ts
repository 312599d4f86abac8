import { Context, Effect, Layer, Option } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { WithdrawalFilter } from "../admin/AdminStore.ts"
import { AdminStore } from "../admin/AdminStore.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import type { ChainUnavailable, Transfer } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { WithdrawalId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { WithdrawalStep } from "../settlement/Command.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { paymentProof } from "./paymentProof.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"
import type { PayoutPause, Withdrawal } from "./Withdrawal.ts"

/** What the pause is called in the operator's log. */
const subject = "payouts"

type Failure = Refusal | StoreUnavailable

/** What an operator decides on payouts; every decision enters the log of actions in the same transaction (OPERATOR-21, OPERATOR-22). */
export class Payouts extends Context.Service<
  Payouts,
  {
    readonly withdrawals: (
      filter: WithdrawalFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Withdrawal>, StoreUnavailable>
    readonly withdrawal: (id: WithdrawalId) => Effect.Effect<Withdrawal, NotFound | StoreUnavailable>
    /** Lets a withdrawal that waits for the operator be paid. */
    readonly approve: (operator: Operator, id: WithdrawalId) => Effect.Effect<Withdrawal, Failure>
    /** Returns its money. */
    readonly reject: (operator: Operator, id: WithdrawalId, reason: string) => Effect.Effect<Withdrawal, Failure>
    /** Makes a withdrawal that would be paid wait for the operator. */
    readonly hold: (operator: Operator, id: WithdrawalId, reason: string) => Effect.Effect<Withdrawal, Failure>
    /**
     * Completes a waiting withdrawal that this transaction paid. Nothing counts but the chain: its final transfers from the hot wallet must pay the
     * amount to the destination (OPERATOR-27).
     */
    readonly settle: (
      operator: Operator,
      id: WithdrawalId,
      txid: string,
      reason: string
    ) => Effect.Effect<Withdrawal, ChainUnavailable | Failure | ValidationFailed>
    /** Null while payouts go on. */
    readonly status: Effect.Effect<PayoutPause | null, StoreUnavailable>
    /** No payout of any process starts after this returns. The operator's reason is kept with the pause. */
    readonly pause: (operator: Operator) => Effect.Effect<PayoutPause | null, Failure>
    readonly resume: (operator: Operator) => Effect.Effect<PayoutPause | null, Failure>
  }
>()("@agent-marketplace/core/wallets/Payouts") {
  static readonly layer = Layer.effect(
    Payouts,
    Effect.gen(function* () {
      const administration = yield* Administration
      const chain = yield* Chain
      const clock = yield* MarketClock
      const treasury = yield* TreasuryStore
      const adminStore = yield* AdminStore
      const settlement = yield* Settlement
      const store = yield* WalletStore

      const withdrawal = Effect.fn("Payouts.withdrawal")(function* (id: WithdrawalId) {
        const found = yield* store.findWithdrawal(id, null)
        return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "WITHDRAWAL" })
      })

      const decide = Effect.fnUntraced(function* (id: WithdrawalId, step: WithdrawalStep) {
        const { accountId } = yield* withdrawal(id)
        const { result } = yield* settlement.submit({ _tag: "MoveWithdrawal", withdrawalId: id, accountId, step })
        if (result._tag !== "Withdrawal") return yield* Effect.die(new Error("not the result of a withdrawal"))
        return result.withdrawal
      })

      const setPaused = Effect.fnUntraced(function* (operator: Operator, paused: boolean) {
        const { reason = null } = operator
        const action = yield* administration.draft(operator, paused ? "payouts.pause" : "payouts.resume", subject)
        const { result } = yield* settlement.submit({ _tag: "SetPayouts", paused, reason, action })
        if (result._tag !== "Payouts") return yield* Effect.die(new Error("not the result of a pause"))
        return result.pause
      })

      return {
        withdrawal,
        withdrawals: adminStore.withdrawals,
        approve: Effect.fn("Payouts.approve")(function* (operator, id) {
          const action = yield* administration.draft(operator, "withdrawal.approve", id)
          return yield* decide(id, { to: "approved", action })
        }),
        reject: Effect.fn("Payouts.reject")(function* (operator, id, reason) {
          const action = yield* administration.draft(operator, "withdrawal.reject", id, reason)
          return yield* decide(id, { to: "rejected", reason, action })
        }),
        hold: Effect.fn("Payouts.hold")(function* (operator, id, reason) {
          const action = yield* administration.draft(operator, "withdrawal.hold", id, reason)
          return yield* decide(id, { to: "held", action })
        }),
        settle: Effect.fn("Payouts.settle")(function* (operator, id, txid, reason) {
          const found = yield* withdrawal(id)
          const network = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, store)
          const known = yield* treasury.knownTransactions(network, [txid])
          if (known.has(txid)) return yield* new Conflict({ state: "transaction_used" })
          const { hot } = yield* treasury.treasury
          const sentByUs = ({ from }: Transfer) => from === chain.hotWallet || from === hot
          const proof = paymentProof(yield* chain.transfersIn(txid), sentByUs, found)
          if (proof === undefined) {
            const message = `must be a final transaction in which the hot wallet paid ${Usdt.withCurrency(found.amount)} to ${found.destinationAddress}`
            return yield* new ValidationFailed({ issues: [{ path: "txid", message }] })
          }
          const action = yield* administration.draft(operator, "withdrawal.settle", id, reason)
          const transaction = { txid, raw: "", expiresAt: yield* clock.now }
          return yield* decide(id, { to: "settled", transaction, tokenFee: proof.tokenFee, action })
        }),
        status: store.payoutPause,
        pause: Effect.fn("Payouts.pause")((operator) => setPaused(operator, true)),
        // The operator's resume does not end a stop because of unknown transfers.
        resume: Effect.fn("Payouts.resume")((operator) => Effect.andThen(setPaused(operator, false), store.payoutPause))
      }
    })
  )
}
