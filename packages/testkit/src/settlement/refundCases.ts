import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { saleOf } from "@agent-marketplace/core/purchases/Sale"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { freshId } from "../fixtures/freshId.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { waiting } from "./approvalCases.ts"

const sold = Effect.fnUntraced(function* (money: Usdt = usdt(100), fields: Partial<Listing> = {}) {
  const made = yield* market(money, { price: usdt(10), ...fields })
  const { purchase } = resultOf(yield* settle(Commands.buy(made.buyer, made.item)), "Bought")
  return { ...made, purchase }
})

export const refundCases = (it: StoreIt): void => {
  it.effect(
    "the seller returns its net and the platform its fee; the license ends and the item may be bought again (REFUND-3, REFUND-4)",
    () =>
      Effect.gen(function* () {
        const listings = yield* ListingStore
        const purchases = yield* PurchaseStore
        const { buyer, item, purchase, seller } = yield* sold()
        const { sale } = resultOf(yield* settle(Commands.refund(purchase, "seller", { reason: "broken" })), "Refunded")
        const refunded = { ...purchase, status: "refunded" as const }
        assert.deepStrictEqual(sale, saleOf(refunded))
        assert.deepStrictEqual(yield* purchases.find(purchase.id), Option.some(refunded))
        assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
        const [paid, earned] = [yield* walletOf(buyer), yield* walletOf(seller)]
        assert.deepStrictEqual([paid.available, paid.totalSpent], [usdt(100), usdt(0)])
        assert.deepStrictEqual([earned.available, earned.totalEarned], [usdt(0), usdt(0)])
        assert.deepStrictEqual(yield* transactionsOf(seller), ["sale 10.00", "fee -0.50", "fee 0.50", "refund -10.00"])
        assert.strictEqual(Option.getOrThrow(yield* listings.detail(item.id, null)).stats.sales, 0)
        const types = (yield* subjectEvents(purchase.id)).map(({ type }) => type)
        assert.deepStrictEqual(types, ["purchase.completed", "purchase.refunded"])
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        yield* assertBooks
      })
  )

  it.effect(
    "the operator's refund and its entry in the log are one: a refused or repeated refund has none (OPERATOR-14)",
    () =>
      Effect.gen(function* () {
        const log = yield* ActionStore
        const { purchase } = yield* sold()
        const draft = (name: string): ActionDraft => ({
          id: freshId("act"),
          at: 1_700_000_000_000,
          actor: name,
          action: "purchase.refund",
          subject: purchase.id,
          reason: "broken",
          requestId: "request-1"
        })
        const idempotency = { accountId: "admin", key: freshId("key"), fingerprint: "refund" } as const
        const refund = {
          ...Commands.refund(purchase, "admin", { reason: "broken", idempotency }),
          action: draft("grace")
        }
        const again = { ...refund, action: draft("replay") }
        const other = { ...Commands.refund(purchase, "admin"), action: draft("refused") }
        resultOf(yield* settle(refund), "Refunded")
        resultOf(yield* settle(again), "Refunded")
        refusalOf(yield* settle(other), "Conflict")
        const { items } = yield* log.list({ subject: purchase.id }, { page: 1, limit: 10 })
        assert.deepStrictEqual(items, [
          {
            ...refund.action,
            before: { status: "completed" },
            after: { status: "refunded", reason: "broken", force: false }
          }
        ])
      })
  )

  it.effect("a purchase is refunded once", () =>
    Effect.gen(function* () {
      const { buyer, purchase } = yield* sold()
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      for (const by of ["seller", "admin"] as const) {
        assert.strictEqual(refusalOf(yield* settle(Commands.refund(purchase, by)), "Conflict").state, "refunded")
      }
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
    })
  )

  it.effect(
    "a seller with too little money cannot refund; the operator can, and the platform covers the rest (REFUND-7, REFUND-8)",
    () =>
      Effect.gen(function* () {
        const { buyer, purchase, seller } = yield* sold()
        resultOf(yield* settle(Commands.withdraw(seller, usdt(5), usdt(1))), "Withdrawal")
        const refusal = refusalOf(yield* settle(Commands.refund(purchase)), "InsufficientBalance")
        assert.deepStrictEqual([refusal.required, refusal.available], [usdt(9.5), usdt(3.5)])
        resultOf(yield* settle(Commands.refund(purchase, "admin")), "Refunded")
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
        const wallet = yield* walletOf(seller)
        assert.deepStrictEqual([wallet.available, wallet.locked, wallet.debt], [usdt(0), usdt(6), usdt(6)])
        assert.strictEqual(wallet.totalEarned, usdt(0), "what it earned was refunded")
        yield* assertBooks
      })
  )

  it.effect("within 14 days by the seller, within 180 by the operator, and not after them (REFUND-1, REFUND-2)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const early = yield* sold()
      const late = yield* sold()
      yield* clock.advance(14 * 86_400 - 120)
      resultOf(yield* settle(Commands.refund(early.purchase)), "Refunded")
      yield* clock.advance(121)
      assert.strictEqual(refusalOf(yield* settle(Commands.refund(late.purchase)), "Conflict").state, "completed")
      const later = yield* sold()
      yield* clock.advance(166 * 86_400 - 60)
      resultOf(yield* settle(Commands.refund(late.purchase, "admin")), "Refunded")
      yield* clock.advance(15 * 86_400)
      assert.strictEqual(
        refusalOf(yield* settle(Commands.refund(later.purchase, "admin")), "Conflict").state,
        "completed"
      )
      assert.strictEqual((yield* walletOf(later.buyer)).available, usdt(90))
    })
  )

  it.effect("only the seller's own, paid sale is refunded", () =>
    Effect.gen(function* () {
      const { purchase } = yield* sold()
      const stranger = yield* openAccount()
      refusalOf(yield* settle({ ...Commands.refund(purchase), sellerId: stranger.id }), "NotFound")
      const held = yield* waiting
      assert.strictEqual(refusalOf(yield* settle(Commands.refund(held.purchase)), "Conflict").state, "pending")
      resultOf(yield* settle(Commands.decide(held.approval, "reject")), "Decided")
      assert.strictEqual(refusalOf(yield* settle(Commands.refund(held.purchase)), "Conflict").state, "failed")
    })
  )

  it.effect("a free purchase is refunded without a ledger line", () =>
    Effect.gen(function* () {
      const { buyer, item, purchase } = yield* sold(usdt(0), { price: usdt(0), pricingModel: "free" })
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.deepStrictEqual(yield* transactionsOf(buyer), [])
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
    })
  )
}
