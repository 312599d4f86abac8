import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { HeldDepositId } from "@agent-marketplace/core/ids/Ids"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { ScreeningStore } from "@agent-marketplace/core/screening/ScreeningStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { Commands } from "../fixtures/Commands.ts"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const evidence = { source: "deny list blocked.txt", reference: "line 3" }

/** An account with a deposit of 30 that is recorded without being credited. */
const heldDeposit = Effect.fnUntraced(function* (flagged = true) {
  const account = yield* openAccount()
  const command = Commands.heldDeposit(account, usdt(30), flagged ? evidence : null)
  resultOf(yield* settle(command), "Done")
  return { account, command, id: command.hold.id }
})

const release = (id: HeldDepositId) => ({ to: "released", action: actionDraft("deposit.release", id) }) as const
const reject = (id: HeldDepositId) => ({ to: "rejected", action: actionDraft("deposit.reject", id) }) as const

const found = (id: HeldDepositId) =>
  Effect.flatMap(ScreeningStore, (store) => Effect.map(store.find(id), Option.getOrThrow))

/** The contract of `ScreeningStore`, and what the settlement writes for it. */
export const screeningStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ScreeningStore`, stores, (it) => {
    it.effect("a held deposit is recorded once, pending and not credited (SCREENING-3)", () =>
      Effect.gen(function* () {
        const { account, command, id } = yield* heldDeposit()
        const wallets = yield* WalletStore
        // Seen again: held again, or credited by a process without that list.
        resultOf(yield* settle({ ...Commands.heldDeposit(account, usdt(30)), deposit: command.deposit }), "Done")
        resultOf(yield* settle({ _tag: "CreditDeposit", deposit: command.deposit }), "Done")
        const wallet = yield* walletOf(account)
        assert.deepStrictEqual([wallet.available, wallet.pending, wallet.totalDeposits], [usdt(0), usdt(30), usdt(0)])
        assert.deepStrictEqual(yield* transactionsOf(account), [])
        const { decidedAt, heldAt, ...record } = yield* found(id)
        assert.isNull(decidedAt)
        assert.isAbove(heldAt, 0)
        assert.deepStrictEqual(record, {
          ...command.deposit,
          id,
          sender: command.hold.sender,
          state: "held",
          evidence
        })
        assert.isAtLeast(Number((yield* wallets.totals).held), Number(usdt(30)))
        yield* assertBooks
      })
    )

    it.effect("one of 20 concurrent releases credits the deposit, with one event and one action (SCREENING-6)", () =>
      Effect.gen(function* () {
        const { account, command, id } = yield* heldDeposit()
        const outcomes = yield* settleAtOnce(
          Array.from({ length: 20 }, () => Commands.decideDeposit(account, id, release(id)))
        )
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        for (const one of outcomes)
          if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "Conflict").state, "released")
        const wallet = yield* walletOf(account)
        assert.deepStrictEqual([wallet.available, wallet.pending, wallet.totalDeposits], [usdt(30), usdt(0), usdt(30)])
        assert.lengthOf(yield* transactionsOf(account), 1)
        assert.lengthOf(yield* subjectEvents(`${command.deposit.txid}:0`), 1)
        const actions = yield* (yield* ActionStore).list({ subject: id }, { page: 1, limit: 100 })
        const facts = { accountId: account.id, amount: "30.00", sender: command.hold.sender, evidence }
        assert.deepStrictEqual(
          actions.items.map(({ after, before }) => ({ before, after })),
          [{ before: { state: "held", ...facts }, after: { state: "released", ...facts } }]
        )
        yield* assertBooks
      })
    )

    it.effect("concurrent releases and rejections decide a deposit once (SCREENING-6)", () =>
      Effect.gen(function* () {
        const { account, id } = yield* heldDeposit()
        const outcomes = yield* settleAtOnce(
          Array.from({ length: 20 }, (_, i) =>
            Commands.decideDeposit(account, id, i % 2 === 0 ? release(id) : reject(id))
          )
        )
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        const { state } = yield* found(id)
        assert.strictEqual((yield* walletOf(account)).available, state === "released" ? usdt(30) : usdt(0))
        yield* assertBooks
      })
    )

    it.effect("a rejected deposit is unattributed: in no wallet, and still in the ledger (SCREENING-6)", () =>
      Effect.gen(function* () {
        const wallets = yield* WalletStore
        const before = yield* wallets.totals
        const { account, id } = yield* heldDeposit()
        resultOf(yield* settle(Commands.decideDeposit(account, id, reject(id))), "HeldDeposit")
        const wallet = yield* walletOf(account)
        assert.deepStrictEqual([wallet.available, wallet.pending], [usdt(0), usdt(0)])
        const { deposits, held, platform, unattributed, wallets: all, withdrawals } = yield* wallets.totals
        assert.strictEqual(unattributed - before.unattributed, usdt(30))
        assert.strictEqual(deposits - before.deposits, usdt(30))
        assert.strictEqual(all + platform + held + unattributed, deposits - withdrawals)
        yield* assertBooks
      })
    )

    it.effect("a deposit is decided for its own account only, and an unknown one is not found", () =>
      Effect.gen(function* () {
        const { account, id } = yield* heldDeposit()
        const other = yield* openAccount()
        refusalOf(yield* settle(Commands.decideDeposit(other, id, release(id))), "NotFound")
        refusalOf(
          yield* settle(Commands.decideDeposit(account, "dep_unknown" as HeldDepositId, { to: "cleared" })),
          "NotFound"
        )
        assert.isTrue(Option.isNone(yield* (yield* ScreeningStore).find("dep_unknown" as HeldDepositId)))
        assert.strictEqual((yield* found(id)).state, "held")
      })
    )

    it.effect(
      "deposits that screening did not decide are due, oldest first, until they are deferred (SCREENING-4)",
      () =>
        Effect.gen(function* () {
          const store = yield* ScreeningStore
          const first = yield* heldDeposit(false)
          const second = yield* heldDeposit(false)
          const due = (now: number) =>
            Effect.map(store.unscreened(now, 1000), (all) =>
              all.flatMap(({ deposit, failures }) =>
                deposit.id === first.id || deposit.id === second.id ? [[deposit.id, failures] as const] : []
              )
            )
          const now = (yield* found(second.id)).heldAt + 1
          assert.deepStrictEqual(yield* due(now), [
            [first.id, 0],
            [second.id, 0]
          ])
          yield* store.deferDeposit(first.id, now + 5000, "status 503")
          assert.deepStrictEqual(yield* due(now), [[second.id, 0]])
          assert.deepStrictEqual(yield* due(now + 5000), [
            [first.id, 1],
            [second.id, 0]
          ])
          const { failure, unscreened } = yield* store.standing
          assert.deepStrictEqual([failure, unscreened], ["status 503", 1])
          resultOf(
            yield* settle(Commands.decideDeposit(first.account, first.id, { to: "held", evidence })),
            "HeldDeposit"
          )
          resultOf(yield* settle(Commands.decideDeposit(second.account, second.id, { to: "cleared" })), "HeldDeposit")
          assert.deepStrictEqual(yield* due(now + 5000), [])
          assert.strictEqual((yield* store.standing).unscreened, 0)
          assert.deepStrictEqual((yield* found(first.id)).evidence, evidence)
          assert.strictEqual((yield* walletOf(second.account)).available, usdt(30))
          // Only deposits that still wait can be deferred.
          yield* store.deferDeposit(second.id, now, "too late")
          assert.strictEqual((yield* store.standing).unscreened, 0)
        })
    )

    it.effect("the standing and the lists name what is held (SCREENING-9)", () =>
      Effect.gen(function* () {
        const store = yield* ScreeningStore
        const { held } = yield* store.standing
        const { account, id } = yield* heldDeposit()
        const standing = yield* store.standing
        assert.strictEqual(standing.held, held + 1)
        assert.isNotNull(standing.oldestHeld)
        const newest = yield* store.list({ states: ["held"] }, { page: 1, limit: 1 })
        assert.deepStrictEqual(newest.items, [yield* found(id)])
        assert.strictEqual(newest.total, held + 1)
        resultOf(yield* settle(Commands.decideDeposit(account, id, release(id))), "HeldDeposit")
        assert.strictEqual((yield* store.standing).held, held)
        const all = yield* store.list({}, { page: 1, limit: 1 })
        assert.strictEqual(all.items[0]?.state, "released")
      })
    )

    it.effect("a withdrawal that screening failed to decide waits and counts until it is decided (SCREENING-4)", () =>
      Effect.gen(function* () {
        const store = yield* ScreeningStore
        const wallets = yield* WalletStore
        const account = yield* openAccount()
        yield* fund(account, usdt(50))
        const { withdrawal } = resultOf(yield* settle(Commands.withdraw(account, usdt(20), usdt(1))), "Withdrawal")
        const payable = (now: number) =>
          Effect.map(wallets.payableWithdrawals(now, 1000), (all) =>
            all.flatMap((one) => (one.withdrawal.id === withdrawal.id ? [one.unscreened] : []))
          )
        const now = withdrawal.createdAt
        const before = (yield* store.standing).unscreened
        yield* store.deferWithdrawal(withdrawal.id, now + 5000, "no answer in time")
        assert.deepStrictEqual([yield* payable(now), yield* payable(now + 5000)], [[], [true]])
        assert.strictEqual((yield* store.standing).unscreened, before + 1)
        yield* store.withdrawalsScreened([withdrawal.id])
        assert.deepStrictEqual(yield* payable(now), [false])
        assert.strictEqual((yield* store.standing).unscreened, before)
      })
    )

    it.effect(
      "a flagged withdrawal waits for the operator, whose approval is kept with the evidence (SCREENING-8)",
      () =>
        Effect.gen(function* () {
          const wallets = yield* WalletStore
          const actions = yield* ActionStore
          const account = yield* openAccount()
          yield* fund(account, usdt(50))
          const { withdrawal } = resultOf(yield* settle(Commands.withdraw(account, usdt(20), usdt(1))), "Withdrawal")
          const stored = Effect.map(wallets.findWithdrawal(withdrawal.id, null), Option.getOrThrow)
          resultOf(yield* settle(Commands.move(withdrawal, { to: "flagged", evidence })), "Withdrawal")
          const held = yield* stored
          assert.deepStrictEqual([held.state, held.screening], ["in_review", { ...evidence, approved: false }])
          const action = actionDraft("withdrawal.approve", withdrawal.id)
          resultOf(yield* settle(Commands.move(withdrawal, { to: "approved", action })), "Withdrawal")
          const approved = yield* stored
          assert.deepStrictEqual([approved.state, approved.screening], ["queued", { ...evidence, approved: true }])
          const logged = yield* actions.list({ subject: withdrawal.id }, { page: 1, limit: 10 })
          assert.deepStrictEqual(logged.items[0]?.before, { state: "in_review", evidence })
        })
    )

    it.effect("an account with a held deposit is not erased (ACCOUNT-10)", () =>
      Effect.gen(function* () {
        const { account, id } = yield* heldDeposit()
        const erase = eraseNow(account)
        assert.strictEqual(yield* erase, "pending_deposits")
        resultOf(yield* settle(Commands.decideDeposit(account, id, reject(id))), "HeldDeposit")
        assert.isTrue(yield* erase)
      })
    )
  })
