import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { Commands } from "../fixtures/Commands.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const day = Timestamp.day / 1000

/** A sale of 10 USDT whose proceeds, 9.50, are locked for this many days. */
const sold = Effect.fnUntraced(function* (holdDays = 7) {
  const made = yield* market(usdt(1000), { price: usdt(10) })
  const { purchase } = resultOf(yield* settle(Commands.buy(made.buyer, made.item, { holdDays })), "Bought")
  return { ...made, purchase }
})

type Made = Effect.Success<ReturnType<typeof sold>>

/** Another sale by the same seller. */
const soldToo = Effect.fnUntraced(function* ({ buyer, seller }: Made, holdDays = 7) {
  const item = yield* listingOnSale(seller, { price: usdt(10) })
  return resultOf(yield* settle(Commands.buy(buyer, item, { holdDays })), "Bought").purchase
})

/** Withdraws the whole available balance; the fee is 1 USDT. */
const withdrawAll = Effect.fnUntraced(function* ({ seller }: Made) {
  const { available } = yield* walletOf(seller)
  const amount = usdt(Number(available) / 1_000_000 - 1)
  const { withdrawal } = resultOf(yield* settle(Commands.withdraw(seller, amount, usdt(1))), "Withdrawal")
  const txid = `${withdrawal.id}-paid`
  const transaction = { txid, raw: "00", expiresAt: 1 }
  yield* settle(Commands.move(withdrawal, { to: "broadcasting", transaction }))
  yield* settle(Commands.move(withdrawal, { to: "completed", txid }))
})

const money = Effect.fnUntraced(function* ({ seller }: Made) {
  const { available, debt, locked } = yield* walletOf(seller)
  return { available, locked, debt }
})

const releaseCases = (it: StoreIt): void => {
  it.effect(
    "proceeds are locked, shown by the day of their release, and released once when they are due (ESCROW-1, ESCROW-2, ESCROW-3)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const wallets = yield* WalletStore
        const made = yield* sold()
        const { purchase, seller } = made
        assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(9.5), debt: usdt(0) })
        const [locked, ...more] = (yield* walletOf(seller)).escrow
        assert.lengthOf(more, 0)
        assert.deepStrictEqual(locked, { amount: usdt(9.5), releasedAt: purchase.purchasedAt + 7 * Timestamp.day })
        const release = Commands.release(seller, purchase.id)
        yield* settle(release)
        assert.strictEqual((yield* money(made)).locked, usdt(9.5), "it is not due yet")
        yield* clock.advance(7 * day)
        const due = yield* wallets.dueEscrow(yield* clock.now, 10_000)
        assert.isTrue(due.some(({ accountId, reference }) => accountId === seller.id && reference === purchase.id))
        yield* settleAtOnce([release, release, release, release])
        assert.deepStrictEqual(yield* money(made), { available: usdt(9.5), locked: usdt(0), debt: usdt(0) })
        assert.deepStrictEqual((yield* walletOf(seller)).escrow, [])
        assert.deepStrictEqual(yield* transactionsOf(seller), ["sale 10.00", "fee -0.50", "hold -9.50", "release 9.50"])
        yield* assertBooks
      })
  )

  it.effect(
    "without a hold period, proceeds are spendable immediately; with a debt they are locked and pay it (ESCROW-1, DEBT-2)",
    () =>
      Effect.gen(function* () {
        const made = yield* sold(0)
        assert.deepStrictEqual(yield* money(made), { available: usdt(9.5), locked: usdt(0), debt: usdt(0) })
        yield* withdrawAll(made)
        resultOf(yield* settle(Commands.refund(made.purchase, "admin")), "Refunded")
        assert.strictEqual((yield* money(made)).debt, usdt(9.5))
        const later = yield* soldToo(made, 0)
        assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(9.5), debt: usdt(9.5) })
        yield* settle(Commands.release(made.seller, later.id))
        assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(0), debt: usdt(0) })
        yield* assertBooks
      })
  )
}

const refundCases = (it: StoreIt): void => {
  it.effect("a refund does not count on proceeds that the same transaction releases (REFUND-6)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const { settle: settleAll } = yield* SettlementStore
      const made = yield* sold(0)
      const due = yield* soldToo(made, 1)
      yield* clock.advance(day)
      const later = yield* soldToo(made)
      const outcomes = yield* settleAll([Commands.release(made.seller, due.id), Commands.refund(made.purchase)])
      for (const outcome of outcomes) assert.isTrue(Result.isSuccess(outcome))
      assert.deepStrictEqual(yield* money(made), { available: usdt(19), locked: usdt(0), debt: usdt(0) })
      assert.deepStrictEqual((yield* walletOf(made.seller)).escrow, [], `${later.id} paid the refund`)
      yield* assertBooks
    })
  )

  it.effect("a refund uses the escrow of its sale, then other escrow, then the available balance (REFUND-6)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const made = yield* sold(1)
      yield* clock.advance(day)
      yield* settle(Commands.release(made.seller, made.purchase.id))
      const own = yield* soldToo(made)
      yield* clock.advance(60)
      const other = yield* soldToo(made)
      resultOf(yield* settle(Commands.refund(own)), "Refunded")
      assert.deepStrictEqual(yield* money(made), { available: usdt(9.5), locked: usdt(9.5), debt: usdt(0) })
      resultOf(yield* settle(Commands.refund(made.purchase)), "Refunded")
      assert.deepStrictEqual(yield* money(made), { available: usdt(9.5), locked: usdt(0), debt: usdt(0) })
      resultOf(yield* settle(Commands.refund(other)), "Refunded")
      assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(0), debt: usdt(0) })
      assert.strictEqual((yield* walletOf(made.buyer)).available, usdt(1000))
      yield* assertBooks
    })
  )

  it.effect(
    "the operator's refund lends up to the limit, and beyond it only if forced; the audit warns about it (REFUND-8, REFUND-9, DEBT-4)",
    () =>
      Effect.gen(function* () {
        const wallets = yield* WalletStore
        const made = yield* sold(0)
        const second = yield* soldToo(made, 0)
        yield* withdrawAll(made)
        resultOf(yield* settle(Commands.refund(made.purchase, "admin", { coverLimit: usdt(9.5) })), "Refunded")
        const refused = refusalOf(
          yield* settle(Commands.refund(second, "admin", { coverLimit: usdt(18.999999) })),
          "Conflict"
        )
        assert.strictEqual(refused.state, "cover_limit")
        assert.strictEqual((yield* money(made)).debt, usdt(9.5))
        resultOf(yield* settle(Commands.refund(second, "admin", { coverLimit: null })), "Refunded")
        assert.strictEqual((yield* money(made)).debt, usdt(19))
        const owed = (yield* wallets.debts).find(({ accountId }) => accountId === made.seller.id)
        assert.strictEqual(owed?.amount, usdt(19))
        const { warnings } = yield* wallets.audit
        assert.isTrue(warnings.some((warning) => warning.includes(made.seller.id) && warning.includes("19.00")))
        yield* assertBooks
      })
  )

  it.effect(
    "a debt forbids withdrawals, is not paid by deposits, and is paid from released escrow (DEBT-2, DEBT-3)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const made = yield* sold(0)
        yield* withdrawAll(made)
        resultOf(yield* settle(Commands.refund(made.purchase, "admin")), "Refunded")
        yield* fund(made.seller, usdt(100))
        assert.deepStrictEqual(yield* money(made), { available: usdt(100), locked: usdt(0), debt: usdt(9.5) })
        const refusal = refusalOf(yield* settle(Commands.withdraw(made.seller, usdt(5), usdt(1))), "Conflict")
        assert.strictEqual(refusal.state, "debt")
        const [first, second] = [yield* soldToo(made), yield* soldToo(made)]
        yield* clock.advance(7 * day)
        yield* settle(Commands.release(made.seller, first.id, second.id))
        assert.deepStrictEqual(yield* money(made), { available: usdt(109.5), locked: usdt(0), debt: usdt(0) })
        resultOf(yield* settle(Commands.withdraw(made.seller, usdt(5), usdt(1))), "Withdrawal")
        yield* assertBooks
      })
  )

  it.effect(
    "a refund of a renewal refunds only the renewal, ends its subscription immediately and restores the budget (REFUND-5, POLICY-10)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const purchases = yield* PurchaseStore
        const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
        const buy = Commands.buy(buyer, item, { holdDays: 7 })
        const { purchase } = resultOf(yield* settle(buy), "Bought")
        yield* clock.advance(30 * day)
        const subscription = Option.getOrThrow(yield* purchases.findSubscription(buy.subscriptionId))
        const renew = Commands.renew(subscription, 7)
        yield* settle(renew)
        const renewal = Option.getOrThrow(yield* purchases.findRenewal(renew.renewalId))
        const { sale } = resultOf(yield* settle(Commands.refundRenewal(renewal, item)), "Refunded")
        assert.deepInclude(sale, { kind: "renewal", id: renewal.id, status: "refunded" })
        assert.strictEqual(Option.getOrThrow(yield* purchases.findSubscription(subscription.id)).status, "cancelled")
        assert.strictEqual(Option.getOrThrow(yield* purchases.find(purchase.id)).status, "completed")
        assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
        assert.strictEqual((yield* walletOf(buyer)).totalSpent, usdt(10))
        assert.strictEqual(
          refusalOf(yield* settle(Commands.refundRenewal(renewal, item)), "Conflict").state,
          "refunded"
        )
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        assert.strictEqual((yield* walletOf(seller)).debt, usdt(0))
        yield* assertBooks
      })
  )

  it.effect("concurrent refunds and releases of the same proceeds pay each amount once (ESCROW-2, REFUND-6)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const made = yield* sold()
      const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => soldToo(made))
      yield* clock.advance(7 * day)
      const all = [made.purchase, ...others]
      yield* settleAtOnce(
        all.flatMap((purchase) => [
          Commands.release(made.seller, ...all.map(({ id }) => id)),
          Commands.refund(purchase)
        ])
      )
      assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(0), debt: usdt(0) })
      assert.strictEqual((yield* walletOf(made.buyer)).available, usdt(1000))
      yield* assertBooks
    })
  )

  it.effect("a sale that commits during a refund of its seller is locked completely (ESCROW-1)", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const made = yield* sold()
      const items = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => listingOnSale(made.seller, { price: usdt(10) }))
      const sales = items.map((item) => [Commands.buy(made.buyer, item, { holdDays: 7 })])
      yield* Effect.forEach([...sales, [Commands.refund(made.purchase)]], store.settle, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* money(made), { available: usdt(0), locked: usdt(57), debt: usdt(0) })
      yield* assertBooks
    })
  )
}

export const escrowCases = (it: StoreIt): void => {
  releaseCases(it)
  refundCases(it)
}
