import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { Buy } from "@agent-marketplace/core/settlement/Command"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { Commands } from "../fixtures/Commands.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { resultOf, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

export const saleCases = (it: StoreIt): void => {
  it.effect("a sale moves the money, issues the license, is counted and emits its event, in one step (BUY-13)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const listings = yield* ListingStore
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
      const command = Commands.buy(buyer, item)
      const before = yield* clock.now
      const { purchase } = resultOf(yield* settle(command), "Bought")
      assert.strictEqual(purchase.status, "completed")
      assert.strictEqual(purchase.licenseKey, command.licenseKey)
      assert.strictEqual(purchase.licenseType, "perpetual")
      assert.strictEqual(purchase.expiresAt, null)
      assert.isTrue(Math.abs(purchase.purchasedAt - before) < 60_000, "bought at the market's time")
      assert.deepStrictEqual(purchase.item, {
        id: item.id,
        kind: "listing",
        name: item.name,
        slug: item.slug,
        description: item.description,
        category: item.category,
        creator: seller.name
      })
      assert.deepStrictEqual([purchase.amount, purchase.fee], [usdt(10), usdt(0.5)])
      assert.deepStrictEqual(yield* purchases.find(command.purchaseId), Option.some(purchase))
      assert.deepStrictEqual(yield* purchases.findByLicense(command.licenseKey), Option.some(purchase))
      assert.isTrue(yield* purchases.isLicensed(buyer.id, item.id))
      const [paid, earned] = [yield* walletOf(buyer), yield* walletOf(seller)]
      assert.deepStrictEqual([paid.available, paid.totalSpent, paid.totalDeposits], [usdt(90), usdt(10), usdt(100)])
      assert.deepStrictEqual([earned.available, earned.totalEarned], [usdt(9.5), usdt(9.5)])
      assert.deepStrictEqual(yield* transactionsOf(buyer), ["deposit 100.00", "purchase -10.00"])
      assert.deepStrictEqual(yield* transactionsOf(seller), ["sale 10.00", "fee -0.50"])
      const detail = Option.getOrThrow(yield* listings.detail(item.id, buyer.id))
      assert.deepStrictEqual([detail.stats.sales, detail.licensed], [1, true])
      const event = yield* onlyEvent(purchase.id)
      assert.strictEqual(event.type, "purchase.completed")
      assert.deepStrictEqual(event.accounts, [buyer.id, seller.id])
      assert.include(event.data, { purchaseId: purchase.id, listingId: item.id, buyerId: buyer.id, amount: "10.00" })
      assert.include(event.data, { currency: "USDT", licenseKey: command.licenseKey })
      yield* assertBooks
    })
  )

  it.effect("a soul is bought as a listing is (BUY-20)", () =>
    Effect.gen(function* () {
      const { buyer, seller } = yield* market(usdt(10))
      const soul = yield* publishedSoul(seller, { price: usdt(4), category: "soul-writer" })
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
      assert.deepInclude(purchase.item, {
        kind: "soul",
        slug: soul.slug,
        category: "soul-writer",
        creator: seller.name
      })
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(6))
      assert.strictEqual((yield* walletOf(seller)).available, usdt(3.8))
    })
  )

  it.effect("a price becomes USDT at the rate of its currency; souls are priced in USDC (MONEY-7, MONEY-9)", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10), currency: "USD" })
      const soul = yield* publishedSoul(seller, { price: usdt(10) })
      const factors = { USD: 2n, USDC: 3n, USDT: 1n }
      const paid = Effect.fnUntraced(function* (one: typeof item | typeof soul) {
        const toUsdt: Buy["toUsdt"] = (price, currency) => Usdt.of(price * factors[currency])
        return resultOf(yield* settle({ ...Commands.buy(buyer, one), toUsdt }), "Bought").purchase.amount
      })
      assert.deepStrictEqual([yield* paid(item), yield* paid(soul)], [usdt(20), usdt(30)])
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(50))
    })
  )

  it.effect("a free purchase creates a license and no ledger line", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(0), { price: usdt(0), pricingModel: "free" })
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      assert.deepStrictEqual([purchase.status, purchase.licenseType, purchase.amount], ["completed", "free", usdt(0)])
      assert.deepStrictEqual([yield* transactionsOf(buyer), yield* transactionsOf(seller)], [[], []])
      refusalOf(yield* settle(Commands.buy(buyer, item)), "AlreadyPurchased")
    })
  )

  it.effect("one buyer owns an item once, another buys it too (BUY-8)", () =>
    Effect.gen(function* () {
      const { buyer, item } = yield* market(usdt(100))
      const other = yield* market(usdt(100))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const refusal = refusalOf(yield* settle(Commands.buy(buyer, item)), "AlreadyPurchased")
      assert.strictEqual(refusal.purchaseId, purchase.id)
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
      resultOf(yield* settle(Commands.buy(other.buyer, item)), "Bought")
    })
  )

  it.effect("an agent's purchase is its owner's, and names the agent (AGENT-13, BUY-17)", () =>
    Effect.gen(function* () {
      const { buyer, item } = yield* market(usdt(100))
      const agent = yield* claimedAgent(buyer.id)
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item, { agentId: agent.id })), "Bought")
      assert.deepStrictEqual([purchase.buyerId, purchase.agentId], [buyer.id, agent.id])
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
    })
  )

  it.effect("an item that is missing, not for sale or the buyer's own is not sold (BUY-3, BUY-7)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { buyer, item, seller } = yield* market(usdt(100))
      refusalOf(yield* settle(Commands.buy(buyer, { id: freshId("lst") })), "NotFound")
      assert.strictEqual(
        refusalOf(yield* settle(Commands.buy(buyer, { id: freshId("soul") })), "NotFound").resource,
        "SOUL"
      )
      refusalOf(yield* settle(Commands.buy(seller, item)), "OwnListing")
      for (const status of ["pending_review", "rejected", "suspended", "deleted"] as const) {
        const hidden = yield* listingOnSale(seller, { status })
        refusalOf(yield* settle(Commands.buy(buyer, hidden)), "NotFound")
      }
      const hidden = yield* publishedSoul(seller, { visibility: "private" })
      refusalOf(yield* settle(Commands.buy(buyer, hidden)), "NotFound")
      refusalOf(yield* settle(Commands.buy(buyer, yield* publishedSoul(seller, { deleted: true }))), "NotFound")
      yield* listings.modify(item.id, (one) =>
        Result.succeed({ listing: { ...one, status: "suspended" as const }, events: [] })
      )
      refusalOf(yield* settle(Commands.buy(buyer, item)), "NotFound")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
    })
  )

  it.effect("a changed price applies immediately", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const { buyer, item } = yield* market(usdt(100), { price: usdt(10) })
      yield* listings.modify(item.id, (one) => Result.succeed({ listing: { ...one, price: usdt(25) }, events: [] }))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      assert.strictEqual(purchase.amount, usdt(25))
    })
  )

  it.effect(
    "a purchase above the balance is refused: the error names both amounts and changes nothing (BUY-10, ERROR-4)",
    () =>
      Effect.gen(function* () {
        const purchases = yield* PurchaseStore
        const { buyer, item, seller } = yield* market(usdt(9.999999), { price: usdt(10) })
        const command = Commands.buy(buyer, item)
        const refusal = refusalOf(yield* settle(command), "InsufficientBalance")
        assert.deepStrictEqual([refusal.required, refusal.available], [usdt(10), usdt(9.999999)])
        assert.isTrue(Option.isNone(yield* purchases.find(command.purchaseId)))
        assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(9.999999))
        assert.strictEqual((yield* walletOf(seller)).available, usdt(0))
        assert.deepStrictEqual(yield* subjectEvents(command.purchaseId), [])
      })
  )

  it.effect("earnings can be spent", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(10), { price: usdt(10) })
      const other = yield* market(usdt(0), { price: usdt(9.5) })
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      resultOf(yield* settle(Commands.buy(seller, other.item)), "Bought")
      assert.strictEqual((yield* walletOf(seller)).available, usdt(0))
      yield* assertBooks
    })
  )
}
