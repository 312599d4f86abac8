import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { AdminStore } from "@agent-marketplace/core/admin/AdminStore"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import type { WithdrawalStep } from "@agent-marketplace/core/settlement/Command"
import type { WithdrawalRulesPatch } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { Commands, destination } from "../fixtures/Commands.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const elsewhere = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const hour = 3600

interface Owner {
  readonly id: AccountId
}

const draft = (action: string, subject: string, reason: string | null = null): ActionDraft => ({
  id: freshId("act"),
  at: 1_700_000_000_000,
  actor: "grace",
  action,
  subject,
  reason,
  requestId: freshText()
})

const funded = Effect.gen(function* () {
  const account = yield* openAccount()
  yield* fund(account, usdt(1000))
  return account
})

const five = (account: Owner, destinationAddress = destination) =>
  Commands.withdraw(account, usdt(5), usdt(1), undefined, { destinationAddress })

const change = Effect.fnUntraced(function* (account: Owner, patch: WithdrawalRulesPatch) {
  return resultOf(yield* settle(Commands.changeWithdrawalRules(account, patch)), "WithdrawalRules").stored
})

const accepted = (outcomes: ReadonlyArray<Result.Result<unknown, unknown>>) => outcomes.filter(Result.isSuccess).length

/** A withdrawal of 50, which awaits the operator's review. */
const reviewed = Effect.gen(function* () {
  const account = yield* funded
  const command = Commands.withdraw(account, usdt(50), usdt(1), undefined, { reviewAbove: usdt(49.999999) })
  return { account, withdrawal: resultOf(yield* settle(command), "Withdrawal").withdrawal }
})

const sent = ({ id }: Withdrawal) =>
  ({ to: "broadcasting", transaction: { txid: id, raw: "00", expiresAt: 1 } }) as const

const openWithdrawals = (it: StoreIt): void => {
  it.effect("of 25 concurrent withdrawals 10 are open, and each that ends makes room for one (WITHDRAWAL-10)", () =>
    Effect.gen(function* () {
      const account = yield* funded
      const outcomes = yield* settleAtOnce(Array.from({ length: 25 }, () => five(account)))
      assert.strictEqual(accepted(outcomes), 10)
      for (const one of outcomes) {
        if (Result.isSuccess(one)) continue
        const { limit, state } = refusalOf(one, "Conflict")
        assert.deepStrictEqual({ limit, state }, { limit: 10, state: "open_withdrawals" })
      }
      const [first] = outcomes.flatMap((one) => (Result.isSuccess(one) ? [resultOf(one, "Withdrawal").withdrawal] : []))
      assert.isDefined(first)
      resultOf(yield* settle(Commands.move(first, { to: "cancelled" })), "Withdrawal")
      assert.strictEqual(accepted(yield* settleAtOnce([five(account), five(account)])), 1)
      assert.strictEqual((yield* walletOf(account)).locked, usdt(60))
      yield* assertBooks
    })
  )
}

const rules = (it: StoreIt): void => {
  it.effect("allowListOnly pays only addresses of the address book (WITHDRAWAL-15, WITHDRAWAL-19)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const account = yield* funded
      assert.deepStrictEqual(yield* wallets.withdrawalRules(account.id), openRules)
      yield* change(account, { allowListOnly: true })
      const { saved } = resultOf(yield* settle(Commands.saveAddress(account, destination, "cold")), "SavedAddress")
      assert.include(saved, { address: destination, label: "cold" })
      const page = { page: 1, limit: 10 }
      assert.deepStrictEqual(yield* wallets.savedAddresses(account.id, page), { items: [saved], total: 1 })
      assert.strictEqual(refusalOf(yield* settle(five(account, elsewhere)), "WithdrawalRefused").rule, "allowListOnly")
      resultOf(yield* settle(five(account)), "Withdrawal")
      const stranger = yield* openAccount()
      refusalOf(yield* settle(Commands.removeAddress(stranger, saved.id)), "NotFound")
      resultOf(yield* settle(Commands.removeAddress(account, saved.id)), "Done")
      assert.deepStrictEqual(yield* wallets.savedAddresses(account.id, page), { items: [], total: 0 })
      assert.strictEqual(refusalOf(yield* settle(five(account)), "WithdrawalRefused").rule, "allowListOnly")
      refusalOf(yield* settle(Commands.removeAddress(account, saved.id)), "NotFound")
    })
  )

  it.effect("an address saved 10 times concurrently is saved once; the address book holds 100 (WITHDRAWAL-15)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const account = yield* openAccount()
      const outcomes = yield* settleAtOnce(Array.from({ length: 10 }, () => Commands.saveAddress(account)))
      assert.strictEqual(accepted(outcomes), 1)
      for (const one of outcomes)
        if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "Conflict").state, "saved")
      const more = yield* Effect.forEach(Array.from({ length: 100 }), (_, n) =>
        settle(Commands.saveAddress(account, `T-address-${n}`))
      )
      assert.strictEqual(accepted(more), 99)
      assert.strictEqual(refusalOf(more.at(-1), "Conflict").state, "address_book_full")
      const { items, total } = yield* wallets.savedAddresses(account.id, { page: 1, limit: 1 })
      assert.deepStrictEqual([total, items[0]?.address], [100, "T-address-98"])
    })
  )

  it.effect("newAddressDelayHours counts from the time of saving, and an unknown address is new (WITHDRAWAL-19)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const account = yield* funded
      yield* change(account, { newAddressDelayHours: 2 })
      resultOf(yield* settle(Commands.saveAddress(account)), "SavedAddress")
      yield* clock.advance(2 * hour - 60)
      const early = refusalOf(yield* settle(five(account)), "WithdrawalRefused")
      assert.strictEqual(early.rule, "newAddressDelayHours")
      yield* clock.advance(61)
      resultOf(yield* settle(five(account)), "Withdrawal")
      const unknown = refusalOf(yield* settle(five(account, elsewhere)), "WithdrawalRefused")
      assert.strictEqual(unknown.rule, "newAddressDelayHours")
    })
  )

  it.effect("dailyLimit allows 3 of 20 concurrent withdrawals, in any 24 hours and without fees (WITHDRAWAL-19)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const account = yield* funded
      yield* change(account, { dailyLimit: usdt(15) })
      const outcomes = yield* settleAtOnce(Array.from({ length: 20 }, () => five(account)))
      assert.strictEqual(accepted(outcomes), 3)
      for (const one of outcomes) {
        if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "WithdrawalRefused").rule, "dailyLimit")
      }
      const [first] = outcomes.flatMap((one) => (Result.isSuccess(one) ? [resultOf(one, "Withdrawal").withdrawal] : []))
      assert.isDefined(first)
      resultOf(yield* settle(Commands.move(first, { to: "cancelled" })), "Withdrawal")
      assert.strictEqual(
        accepted(yield* settleAtOnce([five(account), five(account)])),
        1,
        "a cancelled withdrawal does not count"
      )
      yield* clock.advance(24 * hour)
      assert.strictEqual(accepted(yield* settleAtOnce(Array.from({ length: 5 }, () => five(account)))), 3)
    })
  )

  it.effect("looser rules wait for 24 hours, stricter ones apply immediately (WITHDRAWAL-17, WITHDRAWAL-18)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const wallets = yield* WalletStore
      const account = yield* funded
      yield* change(account, { allowListOnly: true, dailyLimit: usdt(4) })
      const asked = yield* change(account, { allowListOnly: false, dailyLimit: null })
      assert.deepStrictEqual(asked.policy, { allowListOnly: true, newAddressDelayHours: 0, dailyLimit: usdt(4) })
      assert.deepStrictEqual(asked.pending?.changes, { allowListOnly: false, dailyLimit: null })
      assert.deepStrictEqual(yield* wallets.withdrawalRules(account.id), asked)
      yield* clock.advance(23 * hour)
      refusalOf(yield* settle(five(account)), "WithdrawalRefused")
      yield* change(account, { dailyLimit: usdt(100.000001) })
      yield* clock.advance(23 * hour)
      refusalOf(yield* settle(five(account)), "WithdrawalRefused")
      yield* clock.advance(hour + 1)
      resultOf(yield* settle(five(account)), "Withdrawal")
      const tight = yield* change(account, { allowListOnly: true, dailyLimit: usdt(1) })
      assert.deepStrictEqual(tight, {
        policy: { allowListOnly: true, newAddressDelayHours: 0, dailyLimit: usdt(1) },
        pending: null
      })
    })
  )
}

const reviews = (it: StoreIt): void => {
  it.effect(
    "a large withdrawal waits until the operator approves it, and the decision is logged (WITHDRAWAL-13, OPERATOR-21)",
    () =>
      Effect.gen(function* () {
        const admin = yield* AdminStore
        const actions = yield* ActionStore
        const { account, withdrawal } = yield* reviewed
        assert.strictEqual(withdrawal.state, "in_review")
        const all = { page: 1, limit: 100 }
        const listed = yield* admin.withdrawals({ states: ["in_review"] }, all)
        assert.deepInclude(listed.items, withdrawal)
        assert.strictEqual(
          refusalOf(yield* settle(Commands.move(withdrawal, sent(withdrawal))), "Conflict").state,
          "in_review"
        )
        const approve = { to: "approved", action: draft("withdrawal.approve", withdrawal.id) } as const
        const approved = resultOf(yield* settle(Commands.move(withdrawal, approve)), "Withdrawal").withdrawal
        assert.deepStrictEqual(approved, { ...withdrawal, state: "queued" })
        assert.notDeepInclude((yield* admin.withdrawals({ states: ["in_review"] }, all)).items, withdrawal)
        const again = { to: "approved", action: draft("withdrawal.approve", withdrawal.id) } as const
        assert.strictEqual(refusalOf(yield* settle(Commands.move(withdrawal, again)), "Conflict").state, "queued")
        const { items } = yield* actions.list({ subject: withdrawal.id }, all)
        assert.deepStrictEqual(items, [
          { ...approve.action, before: { state: "in_review" }, after: { state: "queued" } }
        ])
        assert.strictEqual((yield* walletOf(account)).locked, usdt(51))
      })
  )

  it.effect("rejected or cancelled, a withdrawal in review returns its money once (WITHDRAWAL-5, OPERATOR-21)", () =>
    Effect.gen(function* () {
      const { account, withdrawal } = yield* reviewed
      const action = draft("withdrawal.reject", withdrawal.id, "unknown to us")
      const reject = { to: "rejected", reason: "unknown to us", action } as const
      const outcomes = yield* settleAtOnce([
        Commands.move(withdrawal, { to: "cancelled" }),
        Commands.move(withdrawal, reject),
        Commands.move(withdrawal, { to: "approved", action: draft("withdrawal.approve", withdrawal.id) }),
        Commands.move(withdrawal, { to: "cancelled" })
      ])
      // One that was approved first can still be cancelled.
      assert.include([1, 2], accepted(outcomes))
      const second = yield* reviewed
      const failed = resultOf(
        yield* settle(
          Commands.move(second.withdrawal, {
            ...reject,
            action: draft("withdrawal.reject", second.withdrawal.id, "unknown to us")
          })
        ),
        "Withdrawal"
      ).withdrawal
      assert.deepStrictEqual([failed.state, failed.failure], ["failed", "unknown to us"])
      const types = (yield* subjectEvents(second.withdrawal.id)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["withdrawal.failed"])
      for (const owner of [second.account, account]) {
        const { available, locked } = yield* walletOf(owner)
        assert.deepStrictEqual([available, locked], [usdt(1000), usdt(0)])
      }
      yield* assertBooks
    })
  )
}

const refusals = (it: StoreIt): void => {
  it.effect("a payout that a signer refused waits for the operator after its transaction is dead (SIGNER-6)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const account = yield* funded
      const { withdrawal } = resultOf(yield* settle(five(account)), "Withdrawal")
      const transaction = { txid: freshText(), raw: "{}", expiresAt: 0 }
      const step = (next: WithdrawalStep) => settle(Commands.move(withdrawal, next))
      const stored = Effect.map(wallets.findWithdrawal(withdrawal.id, account.id), Option.getOrThrow)
      yield* step({ to: "broadcasting", transaction })
      const reason = "the signer refused: AMOUNT_CEILING"
      assert.isTrue(Result.isFailure(yield* step({ to: "refused", txid: freshText(), reason })))
      yield* step({ to: "refused", txid: transaction.txid, reason })
      assert.deepInclude(yield* stored, { state: "broadcasting", failure: reason, transaction })
      // Its money is not returned while the transaction may still be signed.
      const reject = { to: "rejected", reason: "no", action: draft("withdrawal.reject", withdrawal.id, "no") } as const
      assert.isTrue(Result.isFailure(yield* step(reject)))
      yield* step({ to: "queued", abandoned: transaction.txid })
      assert.deepInclude(yield* stored, { state: "in_review", failure: reason, transaction: null })
      yield* step({ to: "approved", action: draft("withdrawal.approve", withdrawal.id) })
      assert.deepInclude(yield* stored, { state: "queued", failure: null, transaction: null })
      yield* assertBooks
    })
  )
}

const pauses = (it: StoreIt): void => {
  it.effect("while payouts are paused none starts, but withdrawals are accepted (WITHDRAWAL-14, OPERATOR-22)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const actions = yield* ActionStore
      const account = yield* funded
      const withdrawal = resultOf(yield* settle(five(account)), "Withdrawal").withdrawal
      const pause = draft("payouts.pause", "payouts", "the wallet is moved")
      const paused = resultOf(yield* settle(Commands.setPayouts(true, pause)), "Payouts").pause
      assert.strictEqual(paused?.reason, "the wallet is moved")
      assert.deepStrictEqual(yield* wallets.payoutPause, paused)
      assert.strictEqual(
        refusalOf(yield* settle(Commands.move(withdrawal, sent(withdrawal))), "Conflict").state,
        "paused"
      )
      const during = resultOf(yield* settle(five(account)), "Withdrawal").withdrawal
      resultOf(yield* settle(Commands.move(during, { to: "cancelled" })), "Withdrawal")
      const second = resultOf(
        yield* settle(Commands.setPayouts(true, draft("payouts.pause", "payouts"))),
        "Payouts"
      ).pause
      assert.deepStrictEqual(second, { since: paused?.since ?? 0, reason: null }, "the first moment stays")
      const resume = draft("payouts.resume", "payouts")
      assert.isNull(resultOf(yield* settle(Commands.setPayouts(false, resume)), "Payouts").pause)
      assert.isNull(yield* wallets.payoutPause)
      resultOf(yield* settle(Commands.move(withdrawal, sent(withdrawal))), "Withdrawal")
      const { items } = yield* actions.list({ subject: "payouts" }, { page: 1, limit: 3 })
      assert.deepStrictEqual(
        items.map(({ action, reason }) => [action, reason]),
        [
          ["payouts.resume", null],
          ["payouts.pause", null],
          ["payouts.pause", "the wallet is moved"]
        ]
      )
      assert.strictEqual(items[2]?.id, pause.id)
      assert.deepStrictEqual(items[2]?.before, { pausedAt: null })
    })
  )
}

const races = (it: StoreIt): void => {
  it.effect("a quote that 10 withdrawals use at once makes one; an expired one makes none (WITHDRAWAL-12)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const account = yield* funded
      const now = yield* clock.now
      const quoted = { ...five(account), quoteExpiresAt: now + 900_000 }
      const outcomes = yield* settleAtOnce(Array.from({ length: 10 }, () => quoted))
      assert.strictEqual(accepted(outcomes), 1)
      for (const one of outcomes) {
        if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "Conflict").state, "quote_used")
      }
      const late = { ...five(account), quoteExpiresAt: now }
      assert.strictEqual(refusalOf(yield* settle(late), "Conflict").state, "quote_expired")
      assert.strictEqual((yield* walletOf(account)).locked, usdt(6))
      yield* assertBooks
    })
  )

  it.effect("no payout starts after a pause has been answered, whatever is under way (WITHDRAWAL-14)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      for (let round = 0; round < 4; round++) {
        const owners = yield* Effect.all(Array.from({ length: 6 }, () => funded))
        const queued = yield* Effect.forEach(owners, (owner) =>
          Effect.map(settle(five(owner)), (outcome) => resultOf(outcome, "Withdrawal").withdrawal)
        )
        const started = Effect.map(
          Effect.forEach(queued, ({ id }) => wallets.findWithdrawal(id, null)),
          (found) =>
            found.flatMap((one) => (one._tag === "Some" && one.value.transaction !== null ? [one.value.id] : []))
        )
        const starts = Effect.forEach(queued, (one) => settle(Commands.move(one, sent(one))), {
          concurrency: "unbounded"
        })
        const pause = Effect.gen(function* () {
          resultOf(yield* settle(Commands.setPayouts(true, draft("payouts.pause", "payouts"))), "Payouts")
          return yield* started
        })
        const [, atPause] = yield* Effect.all([starts, pause], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* started, atPause)
        resultOf(yield* settle(Commands.setPayouts(false, draft("payouts.resume", "payouts"))), "Payouts")
      }
    })
  )
}

const freezes = (it: StoreIt): void => {
  it.effect("a frozen account may tighten its withdrawal rules, and no more (ACCOUNT-12)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const account = yield* funded
      yield* change(account, { dailyLimit: usdt(50) })
      const { saved } = resultOf(yield* settle(Commands.saveAddress(account)), "SavedAddress")
      assert.isTrue(yield* identity.setFrozen(account.id, { since: yield* clock.now, reason: null }))
      for (const patch of [{ dailyLimit: null }, { dailyLimit: usdt(51), allowListOnly: true }]) {
        refusalOf(yield* settle(Commands.changeWithdrawalRules(account, patch)), "AccountFrozen")
      }
      refusalOf(yield* settle(Commands.saveAddress(account, elsewhere)), "AccountFrozen")
      const tight = yield* change(account, { dailyLimit: usdt(10), allowListOnly: true, newAddressDelayHours: 5 })
      assert.deepStrictEqual(tight, {
        policy: { allowListOnly: true, newAddressDelayHours: 5, dailyLimit: usdt(10) },
        pending: null
      })
      resultOf(yield* settle(Commands.removeAddress(account, saved.id)), "Done")
    })
  )

  it.effect(
    "the operator decides on a frozen account's withdrawal; what is approved waits for the end of the freeze",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const identity = yield* IdentityStore
        const [approved, rejected] = [yield* reviewed, yield* reviewed]
        for (const { account } of [approved, rejected]) {
          assert.isTrue(yield* identity.setFrozen(account.id, { since: yield* clock.now, reason: null }))
        }
        refusalOf(yield* settle(Commands.move(approved.withdrawal, { to: "cancelled" })), "AccountFrozen")
        const approve = { to: "approved", action: draft("withdrawal.approve", approved.withdrawal.id) } as const
        const { withdrawal } = resultOf(yield* settle(Commands.move(approved.withdrawal, approve)), "Withdrawal")
        assert.strictEqual(withdrawal.state, "queued")
        refusalOf(yield* settle(Commands.move(withdrawal, sent(withdrawal))), "AccountFrozen")
        const action = draft("withdrawal.reject", rejected.withdrawal.id, "stolen")
        const reject = { to: "rejected", reason: "stolen", action } as const
        resultOf(yield* settle(Commands.move(rejected.withdrawal, reject)), "Withdrawal")
        assert.deepInclude(yield* walletOf(rejected.account), { available: usdt(1000), locked: usdt(0) })
        assert.isTrue(yield* identity.setFrozen(approved.account.id, null))
        resultOf(yield* settle(Commands.move(withdrawal, sent(withdrawal))), "Withdrawal")
      })
  )
}

export const withdrawalCases = (it: StoreIt): void => {
  openWithdrawals(it)
  rules(it)
  reviews(it)
  refusals(it)
  pauses(it)
  races(it)
  freezes(it)
}
