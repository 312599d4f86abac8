import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { saleOf } from "@agent-marketplace/core/purchases/Sale"
import type { Subscription } from "@agent-marketplace/core/purchases/Subscription"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { SpendingFilter } from "@agent-marketplace/core/purchases/SpendingReport"
import type { SpendingSeries, TimelineStep } from "@agent-marketplace/core/purchases/Timeline"
import { periodAt } from "@agent-marketplace/core/purchases/Timeline"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option } from "effect"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const free = { price: usdt(0), pricingModel: "free" as const }

const bought = Effect.fnUntraced(function* (buyer: Account, seller: Account) {
  const clock = yield* MarketClock
  yield* clock.advance(1)
  const item = yield* listingOnSale(seller, { price: usdt(1) })
  return resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase
})

/** A subscription for 1 USDT, at least one second after the previous one. */
const subscribed = Effect.fnUntraced(function* (buyer: Account, seller: Account) {
  const clock = yield* MarketClock
  const purchases = yield* PurchaseStore
  yield* clock.advance(1)
  const item = yield* listingOnSale(seller, { price: usdt(1), pricingModel: "subscription" })
  const command = Commands.buy(buyer, item)
  resultOf(yield* settle(command), "Bought")
  return Option.getOrThrow(yield* purchases.findSubscription(command.subscriptionId))
})

const listCases = (it: StoreIt): void => {
  it.effect(
    "the buyer's list has pending, completed and refunded purchases, newest first, but no rejected ones (BUY-16, BUY-19)",
    () =>
      Effect.gen(function* () {
        const approvals = yield* ApprovalStore
        const purchases = yield* PurchaseStore
        const { buyer, seller } = yield* market(usdt(100))
        const first = yield* bought(buyer, seller)
        const second = yield* bought(buyer, seller)
        resultOf(yield* settle(Commands.refund(second)), "Refunded")
        const refunded = Option.getOrThrow(yield* purchases.find(second.id))
        yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false })
        const rejected = yield* bought(buyer, seller)
        const waits = yield* bought(buyer, seller)
        const pending = yield* approvals.list(buyer.id, { status: "pending" }, { page: 1, limit: 10 })
        const doomed = pending.items.find(({ purchaseId }) => purchaseId === rejected.id)
        assert.isDefined(doomed)
        resultOf(yield* settle(Commands.decide(doomed, "reject")), "Decided")
        const seen: ReadonlyArray<Purchase> = [waits, refunded, first]
        const list = (page: number) => purchases.listByBuyer(buyer.id, undefined, { page, limit: 2 })
        assert.deepStrictEqual(yield* list(1), { items: seen.slice(0, 2), total: 3 })
        assert.deepStrictEqual(yield* list(2), { items: seen.slice(2), total: 3 })
        const failed = yield* purchases.listByBuyer(buyer.id, "failed", { page: 1, limit: 10 })
        assert.deepStrictEqual(
          failed.items.map(({ failureReason, id }) => [id, failureReason]),
          [[rejected.id, "rejected"]]
        )
        const completed = yield* purchases.listByBuyer(buyer.id, "completed", { page: 1, limit: 10 })
        assert.deepStrictEqual(completed, { items: [first], total: 1 })
        const sold = yield* purchases.listSales(seller.id, { page: 1, limit: 10 })
        const sales = [refunded, first].map(saleOf)
        assert.deepStrictEqual(sold, { items: sales, total: 2 }, "the seller sees what was paid")
      })
  )

  it.effect("spending is summed by agent, category, seller and day, net of refunds, page by page (BUDGET-4)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
      const other = yield* openAccount()
      const data = yield* listingOnSale(other, { price: usdt(4), category: "data" })
      const refunded = yield* listingOnSale(other, { price: usdt(7), category: "data" })
      const agent = yield* claimedAgent(buyer.id)
      const command = Commands.buy(buyer, item, { agentId: agent.id })
      const first = resultOf(yield* settle(command), "Bought").purchase
      const subscription = Option.getOrThrow(yield* purchases.findSubscription(command.subscriptionId))
      yield* clock.advance(30 * 86_400)
      resultOf(yield* settle(Commands.renew(subscription)), "Done")
      yield* clock.advance(86_400)
      const last = resultOf(yield* settle(Commands.buy(buyer, data)), "Bought").purchase
      const back = resultOf(yield* settle(Commands.buy(buyer, refunded)), "Bought").purchase
      resultOf(yield* settle(Commands.refund(back)), "Refunded")
      resultOf(yield* settle(Commands.buy(yield* openAccount(), yield* listingOnSale(other, free))), "Bought")
      const day = (at: number) => new Date(at).toISOString().slice(0, 10)
      const spent = (by: SpendingFilter["by"], bounds: Partial<SpendingFilter> = {}, limit = 10, page = 1) =>
        purchases.spending(buyer.id, { by, from: null, to: null, ...bounds }, { page, limit })
      const items = [
        { key: agent.id, name: agent.name, amount: usdt(20), count: 2 },
        { key: "owner", name: "Own keys", amount: usdt(4), count: 1 }
      ]
      assert.deepStrictEqual(yield* spent("agent"), { items, total: 2 })
      assert.deepStrictEqual(yield* spent("agent", {}, 1, 2), { items: items.slice(1), total: 2 })
      assert.deepStrictEqual((yield* spent("category")).items, [
        { key: item.category, name: item.category, amount: usdt(20), count: 2 },
        { key: "data", name: "data", amount: usdt(4), count: 1 }
      ])
      assert.deepStrictEqual((yield* spent("seller")).items, [
        { key: seller.id, name: seller.name, amount: usdt(20), count: 2 },
        { key: other.id, name: other.name, amount: usdt(4), count: 1 }
      ])
      const unknown = yield* openAccount({ name: "" })
      const orphan = yield* openAccount()
      resultOf(yield* settle(Commands.buy(orphan, yield* listingOnSale(unknown, free))), "Bought")
      assert.deepStrictEqual(
        (yield* purchases.spending(orphan.id, { by: "seller", from: null, to: null }, { page: 1, limit: 10 })).items,
        [{ key: unknown.id, name: "", amount: usdt(0), count: 1 }],
        "only purchases without an agent are named after the owner's keys"
      )
      const days = (yield* spent("day")).items
      assert.deepStrictEqual(
        days.map(({ amount, key }) => [key, amount]),
        [
          [day(first.purchasedAt), usdt(10)],
          [day(last.purchasedAt - 86_400_000), usdt(10)],
          [day(last.purchasedAt), usdt(4)]
        ]
      )
      const bounds = { from: first.purchasedAt + 1, to: last.purchasedAt }
      assert.deepStrictEqual(
        (yield* spent("day", bounds)).items.map(({ amount }) => amount),
        [usdt(10)],
        "`from` is included, `to` is not"
      )
      assert.deepStrictEqual(yield* spent("agent", { to: first.purchasedAt }), { items: [], total: 0 })
    })
  )

  it.effect("spending over time has the five largest groups, and the others together (BUDGET-5)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(1000), { price: usdt(10), pricingModel: "subscription" })
      const command = Commands.buy(buyer, item, { agentId: (yield* claimedAgent(buyer.id)).id })
      const first = resultOf(yield* settle(command), "Bought").purchase
      const subscription = Option.getOrThrow(yield* purchases.findSubscription(command.subscriptionId))
      yield* clock.advance(30 * 86_400)
      resultOf(yield* settle(Commands.renew(subscription)), "Done")
      const renewedAt = first.purchasedAt + 30 * Timestamp.day
      const others = yield* Effect.forEach([6, 5, 4, 3, 3, 1], (price) =>
        Effect.gen(function* () {
          const other = yield* openAccount()
          const sold = yield* listingOnSale(other, { price: usdt(price), category: "data" })
          return { other, purchase: resultOf(yield* settle(Commands.buy(buyer, sold)), "Bought").purchase }
        })
      )
      const refunded = yield* listingOnSale(seller, { price: usdt(7) })
      resultOf(
        yield* settle(Commands.refund(resultOf(yield* settle(Commands.buy(buyer, refunded)), "Bought").purchase)),
        "Refunded"
      )
      const bounds = { from: first.purchasedAt, to: renewedAt + Timestamp.day }
      const spent = (by: SpendingSeries, per: TimelineStep, within: Partial<typeof bounds> = {}) =>
        purchases.spendingTimeline(buyer.id, { by, per, ...bounds, ...within })
      const day = (at: number) => periodAt(at, "day")
      assert.deepStrictEqual(yield* spent("total", "day"), [
        { key: "total", name: "Total", period: day(first.purchasedAt), amount: usdt(10), count: 1 },
        { key: "total", name: "Total", period: day(renewedAt), amount: usdt(32), count: 7 }
      ])
      const bySeller = yield* spent("seller", "day")
      assert.deepStrictEqual(bySeller.slice(0, 2), [
        { key: seller.id, name: seller.name, period: day(first.purchasedAt), amount: usdt(10), count: 1 },
        { key: seller.id, name: seller.name, period: day(renewedAt), amount: usdt(10), count: 1 }
      ])
      // If two amounts are equal, the lower id comes first.
      const [last] = [others[3]?.other.id, others[4]?.other.id].toSorted()
      assert.deepStrictEqual(
        bySeller.slice(2).map(({ amount, count, key }): ReadonlyArray<unknown> => [key, amount, count]),
        [
          [others[0]?.other.id, usdt(6), 1],
          [others[1]?.other.id, usdt(5), 1],
          [others[2]?.other.id, usdt(4), 1],
          [last, usdt(3), 1],
          [null, usdt(4), 2]
        ]
      )
      assert.strictEqual(bySeller.at(-1)?.name, "Others")
      const agents = yield* spent("agent", "month")
      assert.strictEqual(
        agents.reduce((sum, { amount }) => sum + amount, 0n),
        usdt(42)
      )
      assert.include(
        agents.map(({ key }) => key),
        "owner"
      )
      assert.deepStrictEqual(
        (yield* spent("category", "month", { from: renewedAt })).map(({ amount, key, period }) => [
          key,
          period,
          amount
        ]),
        [
          ["data", periodAt(renewedAt, "month"), usdt(22)],
          [item.category, periodAt(renewedAt, "month"), usdt(10)]
        ]
      )
      assert.deepStrictEqual(
        yield* spent("total", "day", { from: first.purchasedAt + 1, to: renewedAt }),
        [],
        "`from` is included, `to` is not"
      )
    })
  )

  it.effect("earnings over time are net of fees and refunds, by item (SALE-5)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
      const command = Commands.buy(buyer, item)
      const first = resultOf(yield* settle(command), "Bought").purchase
      const subscription = Option.getOrThrow(yield* purchases.findSubscription(command.subscriptionId))
      yield* clock.advance(30 * 86_400)
      resultOf(yield* settle(Commands.renew(subscription)), "Done")
      const renewedAt = first.purchasedAt + 30 * Timestamp.day
      const small = yield* listingOnSale(seller, { price: usdt(1) })
      resultOf(yield* settle(Commands.buy(buyer, small)), "Bought")
      const back = yield* listingOnSale(seller, { price: usdt(4) })
      resultOf(
        yield* settle(Commands.refund(resultOf(yield* settle(Commands.buy(buyer, back)), "Bought").purchase)),
        "Refunded"
      )
      const bounds = { per: "day", from: first.purchasedAt, to: renewedAt + Timestamp.day } as const
      const net = (price: Usdt) => Usdt.of(price - (price * first.fee) / first.amount)
      const days = [periodAt(first.purchasedAt, "day"), periodAt(renewedAt, "day")] as const
      assert.deepStrictEqual(yield* purchases.earningsTimeline(seller.id, { by: "item", ...bounds }), [
        { key: item.id, name: item.name, period: days[0], amount: net(usdt(10)), count: 1 },
        { key: item.id, name: item.name, period: days[1], amount: net(usdt(10)), count: 1 },
        { key: small.id, name: small.name, period: days[1], amount: net(usdt(1)), count: 1 }
      ])
      assert.deepStrictEqual(
        (yield* purchases.earningsTimeline(seller.id, { by: "total", ...bounds })).map(({ amount, count }) => [
          amount,
          count
        ]),
        [
          [net(usdt(10)), 1],
          [net(usdt(10)) + net(usdt(1)), 2]
        ]
      )
      assert.deepStrictEqual(yield* purchases.earningsTimeline(buyer.id, { by: "total", ...bounds }), [])
    })
  )

  it.effect("a seller sees renewals among its sales, newest first, page by page (SALE-3)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(1), pricingModel: "subscription" })
      const command = Commands.buy(buyer, item, { trackingId: "planner-7" })
      const { purchase } = resultOf(yield* settle(command), "Bought")
      assert.strictEqual(Option.getOrThrow(yield* purchases.find(purchase.id)).trackingId, "planner-7")
      const subscription = Option.getOrThrow(yield* purchases.findSubscription(command.subscriptionId))
      yield* clock.advance(30 * 86_400)
      const renew = Commands.renew(subscription)
      resultOf(yield* settle(renew), "Done")
      const later = yield* bought(buyer, seller)
      const list = (page: number) => purchases.listSales(seller.id, { page, limit: 2 })
      const first = yield* list(1)
      assert.deepStrictEqual(
        first.items.map(({ id, kind }) => [kind, id]),
        [
          ["sale", later.id],
          ["renewal", renew.renewalId]
        ]
      )
      assert.strictEqual(first.total, 3)
      assert.deepStrictEqual(first.items[1]?.item, purchase.item)
      assert.deepStrictEqual(
        (yield* list(2)).items.map(({ id }) => id),
        [purchase.id]
      )
      const renewal = Option.getOrThrow(yield* purchases.findRenewal(renew.renewalId))
      assert.deepInclude(renewal, {
        purchaseId: purchase.id,
        sellerId: seller.id,
        status: "completed",
        amount: usdt(1)
      })
    })
  )

  it.effect("each account sees only its own", () =>
    Effect.gen(function* () {
      const purchases = yield* PurchaseStore
      const { buyer, seller } = yield* market(usdt(100))
      yield* bought(buyer, seller)
      const none = { items: [], total: 0 }
      assert.deepStrictEqual(yield* purchases.listByBuyer(seller.id, undefined, { page: 1, limit: 10 }), none)
      assert.deepStrictEqual(yield* purchases.listSales(buyer.id, { page: 1, limit: 10 }), none)
      assert.deepStrictEqual(yield* purchases.find(freshId("pur")), Option.none())
    })
  )
}

const licenseCases = (it: StoreIt): void => {
  it.effect("a license is found by its key in every state, and is valid until its period ends", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, item } = yield* market(usdt(1), { price: usdt(1), pricingModel: "subscription" })
      const stranger = yield* openAccount()
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const find = purchases.findByLicense(purchase.licenseKey ?? "")
      assert.deepStrictEqual(yield* find, Option.some(purchase))
      assert.isTrue(yield* purchases.isLicensed(buyer.id, item.id))
      assert.isFalse(yield* purchases.isLicensed(stranger.id, item.id))
      yield* clock.advance(30 * 86_400)
      assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
      assert.deepStrictEqual(yield* find, Option.some(purchase))
      assert.deepStrictEqual(yield* purchases.findByLicense("00000-00000-00000-00000-00000"), Option.none())
    })
  )
}

const subscriptionCases = (it: StoreIt): void => {
  it.effect("subscriptions are listed for their buyer, newest first, page by page", () =>
    Effect.gen(function* () {
      const purchases = yield* PurchaseStore
      const { buyer, seller } = yield* market(usdt(100))
      const made: Array<Subscription> = []
      for (const _ of [1, 2, 3]) made.unshift(yield* subscribed(buyer, seller))
      const list = (page: number) => purchases.listSubscriptions("buyer", buyer.id, { page, limit: 2 })
      assert.deepStrictEqual(yield* list(1), { items: made.slice(0, 2), total: 3 })
      assert.deepStrictEqual(yield* list(2), { items: made.slice(2), total: 3 })
      const none = { items: [], total: 0 }
      assert.deepStrictEqual(yield* purchases.listSubscriptions("buyer", seller.id, { page: 1, limit: 2 }), none)
      const sold = yield* purchases.listSubscriptions("seller", seller.id, { page: 1, limit: 2 })
      assert.deepStrictEqual(sold, { items: made.slice(0, 2), total: 3 }, "the seller sees them too (SUBSCRIPTION-10)")
      assert.deepStrictEqual(yield* purchases.findSubscription(freshId("sub")), Option.none())
    })
  )

  it.effect("due subscriptions are found earliest first, and ended ones are never found again", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, seller } = yield* market(usdt(3))
      const [first, second, third] = [
        yield* subscribed(buyer, seller),
        yield* subscribed(buyer, seller),
        yield* subscribed(buyer, seller)
      ]
      const due = Effect.fnUntraced(function* (at: number) {
        const found = yield* purchases.dueSubscriptions(at, 1000)
        return found.filter(({ buyerId }) => buyerId === buyer.id).map(({ id }) => id)
      })
      assert.deepStrictEqual(yield* due(first.currentPeriodEnd - 1), [])
      assert.deepStrictEqual(yield* due(first.currentPeriodEnd), [first.id])
      assert.deepStrictEqual(yield* due(third.currentPeriodEnd), [first.id, second.id, third.id])
      assert.lengthOf(yield* purchases.dueSubscriptions(third.currentPeriodEnd, 1), 1)
      resultOf(yield* settle(Commands.cancelSubscription(first)), "Subscription")
      yield* clock.advance(31 * 86_400)
      yield* settle(Commands.renew(first))
      assert.deepStrictEqual(yield* due(third.currentPeriodEnd + 9 * Timestamp.day), [second.id, third.id])
      yield* settle(Commands.renew(second))
      const retried = Option.getOrThrow(yield* purchases.findSubscription(second.id))
      assert.strictEqual(retried.status, "past_due")
      assert.deepStrictEqual(yield* due(yield* clock.now), [third.id])
      assert.deepStrictEqual(yield* due(retried.nextAttemptAt ?? 0), [third.id, second.id])
    })
  )
}

/** The contract of `PurchaseStore`. */
export const purchaseStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: PurchaseStore`, stores, (it) => {
    listCases(it)
    licenseCases(it)
    subscriptionCases(it)
  })
