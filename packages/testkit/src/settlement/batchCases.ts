import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { freshText } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { inRecordedSpan } from "../fixtures/recordedSpans.ts"
import { onlyEvent } from "../fixtures/subjectEvents.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { waiting } from "./approvalCases.ts"

const tags = (outcomes: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) =>
  outcomes.map((outcome) => (Result.isSuccess(outcome) ? "yes" : outcome.failure._tag))

export const batchCases = (it: StoreIt): void => {
  it.effect("an empty batch has no effect", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      assert.deepStrictEqual(yield* store.settle([]), [])
    })
  )

  it.effect("two commands of one buyer for one item in one batch see each other (BUY-14)", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const { buyer, item } = yield* market(usdt(100))
      const outcomes = yield* store.settle([Commands.buy(buyer, item), Commands.buy(buyer, item)])
      assert.deepStrictEqual(tags(outcomes), ["yes", "AlreadyPurchased"])
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
    })
  )

  it.effect("commands of one batch share one wallet, one budget and one Idempotency-Key", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const store = yield* SettlementStore
      const { buyer, seller } = yield* market(usdt(25))
      const items = yield* Effect.forEach([1, 2, 3], () => listingOnSale(seller, { price: usdt(10) }))
      const poor = yield* store.settle(items.map((item) => Commands.buy(buyer, item)))
      assert.deepStrictEqual(tags(poor), ["yes", "yes", "InsufficientBalance"])
      const rich = yield* market(usdt(1000))
      yield* approvals.setPolicy(rich.buyer.id, { ...defaultPolicy, dailyLimit: usdt(15) })
      const limited = yield* store.settle(items.map((item) => Commands.buy(rich.buyer, item)))
      assert.deepStrictEqual(tags(limited), ["yes", "SpendingLimitExceeded", "SpendingLimitExceeded"])
      const other = yield* market(usdt(1000))
      const idempotency = { accountId: other.buyer.id, key: freshText(), fingerprint: "buy" }
      const keyed = yield* store.settle([1, 2, 3].map(() => Commands.buy(other.buyer, other.item, { idempotency })))
      assert.deepStrictEqual(
        keyed.map((outcome) => Result.isSuccess(outcome) && outcome.success.replayed),
        [false, true, true]
      )
    })
  )

  it.effect("money that a command earns, releases or credits can be spent by a later command of the batch", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const [first, second, third] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
      const item = yield* listingOnSale(second, { price: usdt(10) })
      const next = yield* listingOnSale(third, { price: usdt(9.5) })
      const outcomes = yield* store.settle([
        Commands.buy(first, item),
        Commands.deposit(first, usdt(10)),
        Commands.buy(first, item),
        Commands.buy(second, next)
      ])
      assert.deepStrictEqual(tags(outcomes), ["InsufficientBalance", "yes", "yes", "yes"])
      assert.deepStrictEqual(yield* transactionsOf(second), ["sale 10.00", "fee -0.50", "purchase -9.50"])
      assert.deepStrictEqual(
        [(yield* walletOf(first)).available, (yield* walletOf(second)).available],
        [usdt(0), usdt(0)]
      )
      yield* assertBooks
    })
  )

  it.effect(
    "a renewal uses, and a refund restores, the budget of a later purchase in the batch (POLICY-8, POLICY-10)",
    () =>
      Effect.gen(function* () {
        const approvals = yield* ApprovalStore
        const clock = yield* MarketClock
        const purchases = yield* PurchaseStore
        const store = yield* SettlementStore
        const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
        const [one, two] = [
          yield* listingOnSale(seller, { price: usdt(1) }),
          yield* listingOnSale(seller, { price: usdt(10) })
        ]
        yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, dailyLimit: usdt(10) })
        const first = Commands.buy(buyer, item)
        resultOf(yield* settle(first), "Bought")
        const subscription = Option.getOrThrow(yield* purchases.findSubscription(first.subscriptionId))
        yield* clock.advance(30 * 86_400)
        const renewed = yield* store.settle([Commands.renew(subscription), Commands.buy(buyer, one)])
        assert.deepStrictEqual(tags(renewed), ["yes", "SpendingLimitExceeded"])
        yield* clock.advance(86_400)
        const { purchase } = resultOf(yield* settle(Commands.buy(buyer, one)), "Bought")
        yield* clock.advance(23 * 3600)
        const returned = yield* store.settle([
          Commands.buy(buyer, two),
          Commands.refund(purchase),
          Commands.buy(buyer, two)
        ])
        assert.deepStrictEqual(tags(returned), ["SpendingLimitExceeded", "yes", "yes"])
      })
  )

  it.effect("approve and reject in one batch: the first decides", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const { approval, buyer, item } = yield* waiting
      const outcomes = yield* store.settle([
        Commands.decide(approval, "reject"),
        Commands.decide(approval, "approve"),
        Commands.expire(approval)
      ])
      assert.deepStrictEqual(tags(outcomes), ["yes", "Conflict", "yes"])
      const wallet = yield* walletOf(buyer)
      assert.deepStrictEqual([wallet.available, wallet.locked], [usdt(100), usdt(0)])
      const purchases = yield* PurchaseStore
      assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
    })
  )

  it.effect("a sale and its refund in one batch are both in the ledger", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const { buyer, item, seller } = yield* market(usdt(10), { price: usdt(10), pricingModel: "subscription" })
      const buy = Commands.buy(buyer, item)
      const again = Commands.buy(buyer, item)
      const refund = {
        _tag: "Refund",
        purchaseId: buy.purchaseId,
        renewalId: null,
        buyerId: buyer.id,
        sellerId: seller.id,
        itemId: item.id,
        net: usdt(9.5),
        by: "seller",
        reason: null,
        coverLimit: null
      } as const
      const outcomes = yield* store.settle([buy, refund, again])
      assert.deepStrictEqual(tags(outcomes), ["yes", "yes", "yes"])
      const purchases = yield* PurchaseStore
      assert.strictEqual(Option.getOrThrow(yield* purchases.find(buy.purchaseId)).status, "refunded")
      assert.strictEqual(Option.getOrThrow(yield* purchases.findSubscription(buy.subscriptionId)).status, "cancelled")
      assert.strictEqual(Option.getOrThrow(yield* purchases.find(again.purchaseId)).status, "completed")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(0))
      yield* assertBooks
    })
  )

  it.effect("outcomes are in the order of their commands, in a batch of 200", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const { buyer, seller } = yield* market(usdt(1000))
      const items = yield* Effect.forEach(Array.from({ length: 20 }), () => listingOnSale(seller, { price: usdt(1) }))
      const commands = Array.from({ length: 10 }).flatMap(() => items.map((item) => Commands.buy(buyer, item)))
      const outcomes = yield* store.settle(commands)
      assert.lengthOf(outcomes, 200)
      outcomes.forEach((outcome, i) => {
        if (i >= 20) return void refusalOf(outcome, "AlreadyPurchased")
        assert.strictEqual(resultOf(outcome, "Bought").purchase.id, commands[i]?.purchaseId)
      })
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(980))
      yield* assertBooks
    })
  )

  it.effect("a batch is written completely or not at all: a duplicate license key rolls everything back (BUY-13)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const store = yield* SettlementStore
      const { buyer, item, seller } = yield* market(usdt(100))
      const other = yield* listingOnSale(seller)
      const first = Commands.buy(buyer, item)
      yield* store.settle([first])
      const cursor = (yield* log.read(undefined, 10_000)).at(-1)?.cursor
      const before = yield* walletOf(buyer)
      const taken = { ...Commands.buy(buyer, other), licenseKey: first.licenseKey }
      const exit = yield* Effect.exit(store.settle([Commands.deposit(buyer, usdt(7)), taken]))
      assert.isTrue(Exit.isFailure(exit), "the store refuses one license key twice")
      assert.deepStrictEqual(yield* walletOf(buyer), before)
      assert.deepStrictEqual(yield* log.read(cursor, 100), [])
      const purchases = yield* PurchaseStore
      assert.isTrue(Option.isNone(yield* purchases.find(taken.purchaseId)))
      yield* assertBooks
    })
  )

  it.effect("each event of a batch has the trace context of its own command, or none (SYSTEM-23)", () =>
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const account = yield* openAccount()
      const commands = Array.from({ length: 9 }, (_, n) => ({
        ...Commands.deposit(account, usdt(1)),
        ...(n % 3 === 1 ? {} : { traceparent: `00-${String(n + 1).repeat(32)}-00f067aa0ba902b7-01` })
      }))
      // The batch itself runs in the trace of its first caller.
      yield* inRecordedSpan(store.settle(commands))
      for (const { deposit, traceparent } of commands) {
        const event = yield* onlyEvent(`${deposit.txid}:${deposit.logIndex}`)
        assert.strictEqual(event.traceparent, traceparent)
        assert.strictEqual("traceparent" in event, traceparent !== undefined)
      }
    })
  )
}
