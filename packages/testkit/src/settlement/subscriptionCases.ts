import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { SubscriptionId } from "@agent-marketplace/core/ids/Ids"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, refusalOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const period = 30 * 86_400

const subscription = Effect.fnUntraced(function* (id: SubscriptionId) {
  const purchases = yield* PurchaseStore
  return Option.getOrThrow(yield* purchases.findSubscription(id))
})

const subscribed = Effect.fnUntraced(function* (money: Usdt) {
  const made = yield* market(money, { price: usdt(10), pricingModel: "subscription" })
  const command = Commands.buy(made.buyer, made.item)
  const { purchase } = resultOf(yield* settle(command), "Bought")
  return { ...made, id: command.subscriptionId, purchase, first: yield* subscription(command.subscriptionId) }
})

const eventsOf = (id: SubscriptionId) => Effect.map(subjectEvents(id), (events) => events.map(({ type }) => type))

export const subscriptionCases = (it: StoreIt): void => {
  it.effect("a subscription starts with its purchase and lasts 30 days (SUBSCRIPTION-1)", () =>
    Effect.gen(function* () {
      const { first, id, purchase } = yield* subscribed(usdt(10))
      assert.strictEqual(purchase.licenseType, "subscription")
      assert.strictEqual(purchase.expiresAt, purchase.purchasedAt + 30 * Timestamp.day)
      assert.deepInclude(first, {
        id,
        purchaseId: purchase.id,
        price: usdt(10),
        status: "active",
        cancelAtPeriodEnd: false
      })
      assert.strictEqual(first.currentPeriodEnd, purchase.expiresAt)
      assert.strictEqual(first.nextAttemptAt, first.currentPeriodEnd)
    })
  )

  it.effect("it is renewed from the wallet at the period's end, once, and not before (SUBSCRIPTION-2)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const purchases = yield* PurchaseStore
      const { buyer, first, id, item, purchase, seller } = yield* subscribed(usdt(30))
      yield* clock.advance(period - 120)
      resultOf(yield* settle(Commands.renew(first)), "Done")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(20), "it is not time yet")
      yield* clock.advance(120)
      assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id), "the period that was paid is over")
      yield* settleAtOnce([Commands.renew(first), Commands.renew(first), Commands.renew(first)])
      const next = yield* subscription(id)
      assert.strictEqual(next.currentPeriodStart, first.currentPeriodEnd)
      assert.strictEqual(next.currentPeriodEnd, first.currentPeriodEnd + 30 * Timestamp.day)
      assert.strictEqual(Option.getOrThrow(yield* purchases.find(purchase.id)).expiresAt, next.currentPeriodEnd)
      assert.isTrue(yield* purchases.isLicensed(buyer.id, item.id))
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(10))
      assert.strictEqual((yield* walletOf(seller)).available, usdt(19))
      assert.deepStrictEqual(yield* eventsOf(id), ["subscription.renewed"])
      yield* assertBooks
    })
  )

  it.effect("renewals count in the rolling windows, and an exhausted limit refuses them", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const clock = yield* MarketClock
      const { buyer, first, id } = yield* subscribed(usdt(1000))
      const other = yield* market(usdt(0), { price: usdt(1) })
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, dailyLimit: usdt(10) })
      yield* clock.advance(period)
      yield* settle(Commands.renew(first))
      assert.strictEqual((yield* subscription(id)).status, "active")
      refusalOf(yield* settle(Commands.buy(buyer, other.item)), "SpendingLimitExceeded")
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, dailyLimit: usdt(9) })
      yield* clock.advance(period)
      yield* settle(Commands.renew(yield* subscription(id)))
      assert.strictEqual((yield* subscription(id)).status, "past_due")
    })
  )

  it.effect(
    "a renewal without enough money is tried again each day, and ends after 3 days of refusals (SUBSCRIPTION-6)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const { buyer, first, id, item } = yield* subscribed(usdt(10))
        yield* clock.advance(period)
        for (const day of [0, 1, 2]) {
          yield* settle(Commands.renew(first))
          const refused = yield* subscription(id)
          assert.deepStrictEqual([refused.status, day], ["past_due", day])
          yield* settle(Commands.renew(refused))
          assert.deepStrictEqual(yield* subscription(id), refused, "not before the next day")
          yield* clock.advance(86_400)
        }
        yield* settle(Commands.renew(first))
        const ended = yield* subscription(id)
        assert.deepStrictEqual([ended.status, ended.nextAttemptAt], ["cancelled", null])
        assert.deepStrictEqual(yield* eventsOf(id), ["subscription.cancelled"])
        yield* fund(buyer, usdt(10))
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      })
  )

  it.effect("that of a frozen agent is past due and ends after 3 days; an unfrozen agent's is renewed (AGENT-10)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const { buyer, item } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
      const other = yield* listingOnSale(yield* openAccount(), { price: usdt(10), pricingModel: "subscription" })
      const agent = yield* claimedAgent(buyer.id)
      const commands = [item, other].map((each) => Commands.buy(buyer, each, { agentId: agent.id }))
      for (const command of commands) resultOf(yield* settle(command), "Bought")
      const [first, second] = yield* Effect.forEach(commands, ({ subscriptionId }) => subscription(subscriptionId))
      assert.isDefined(first)
      assert.isDefined(second)
      yield* clock.advance(period)
      yield* identity.setFrozen(agent.id, { since: yield* clock.now, reason: null })
      for (const each of [first, second]) {
        yield* settle(Commands.renew(each))
        assert.strictEqual((yield* subscription(each.id)).status, "past_due")
      }
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(80), "nothing was paid")
      yield* clock.advance(86_400)
      yield* identity.setFrozen(agent.id, null)
      yield* settle(Commands.renew(first))
      assert.strictEqual((yield* subscription(first.id)).status, "active")
      yield* identity.setFrozen(agent.id, { since: yield* clock.now, reason: null })
      yield* clock.advance(2 * 86_400)
      yield* settle(Commands.renew(second))
      assert.strictEqual((yield* subscription(second.id)).status, "cancelled")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(70))
    })
  )

  it.effect("a deposit in time renews it from that day", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const { buyer, first, id } = yield* subscribed(usdt(10))
      yield* clock.advance(period)
      yield* settle(Commands.renew(first))
      yield* fund(buyer, usdt(10))
      yield* clock.advance(86_400)
      yield* settle(Commands.renew(first))
      const next = yield* subscription(id)
      assert.deepStrictEqual([next.status, next.refusedSince], ["active", null])
      assert.strictEqual(next.currentPeriodEnd, next.currentPeriodStart + 30 * Timestamp.day)
      assert.isTrue(next.currentPeriodStart >= first.currentPeriodEnd + Timestamp.day)
    })
  )

  it.effect(
    "a subscription cancelled by its owner is valid until the period's end, and then ends without another event (SUBSCRIPTION-3)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const purchases = yield* PurchaseStore
        const { buyer, first, id, item } = yield* subscribed(usdt(100))
        const stranger = yield* openAccount()
        refusalOf(yield* settle({ ...Commands.cancelSubscription(first), buyerId: stranger.id }), "NotFound")
        const cancelled = resultOf(yield* settle(Commands.cancelSubscription(first)), "Subscription").subscription
        assert.deepStrictEqual([cancelled.status, cancelled.cancelAtPeriodEnd], ["active", true])
        refusalOf(yield* settle(Commands.cancelSubscription(first)), "Conflict")
        assert.isTrue(yield* purchases.isLicensed(buyer.id, item.id))
        yield* clock.advance(period)
        yield* settle(Commands.renew(first))
        assert.strictEqual((yield* subscription(id)).status, "cancelled")
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(90))
        assert.deepStrictEqual(yield* eventsOf(id), ["subscription.cancelled"])
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      })
  )

  it.effect("a refund ends the subscription immediately, with one event", () =>
    Effect.gen(function* () {
      const plain = yield* subscribed(usdt(10))
      resultOf(yield* settle(Commands.refund(plain.purchase)), "Refunded")
      assert.strictEqual((yield* subscription(plain.id)).status, "cancelled")
      assert.deepStrictEqual(yield* eventsOf(plain.id), ["subscription.cancelled"])
      const cancelled = yield* subscribed(usdt(10))
      resultOf(yield* settle(Commands.cancelSubscription(cancelled.first)), "Subscription")
      resultOf(yield* settle(Commands.refund(cancelled.purchase)), "Refunded")
      assert.deepStrictEqual(yield* eventsOf(cancelled.id), ["subscription.cancelled"])
    })
  )
}
