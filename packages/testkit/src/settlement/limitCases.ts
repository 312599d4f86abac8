import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { AgentId } from "@agent-marketplace/core/ids/Ids"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

/** A buyer with 1,000 USDT and a policy, and a function that buys a new item for a price. */
const spender = Effect.fnUntraced(function* (policy: Partial<SpendingPolicy>) {
  const approvals = yield* ApprovalStore
  const buyer = yield* openAccount()
  const seller = yield* openAccount()
  yield* fund(buyer, usdt(1000))
  yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, ...policy })
  const buy = Effect.fnUntraced(function* (price: number, agentId?: AgentId, by: Account = seller, category = "data") {
    const item = yield* listingOnSale(by, { price: usdt(price), category })
    return yield* settle(Commands.buy(buyer, item, agentId === undefined ? {} : { agentId }))
  })
  return { buy, buyer, seller }
})

const windows = [
  ["dailyLimit", "daily", 86_400],
  ["weeklyLimit", "weekly", 7 * 86_400],
  ["monthlyLimit", "monthly", 30 * 86_400]
] as const

export const limitCases = (it: StoreIt): void => {
  it.effect("a purchase may reach but not exceed the limit of one transaction (ERROR-7)", () =>
    Effect.gen(function* () {
      const { buy } = yield* spender({ perTransactionLimit: usdt(5) })
      resultOf(yield* buy(5), "Bought")
      const refusal = refusalOf(yield* buy(5.000001), "SpendingLimitExceeded")
      assert.deepStrictEqual({ ...refusal }, { ...refusal, limit: "perTransaction", allowed: usdt(5) })
      assert.strictEqual(refusal.requested, usdt(5.000001))
    })
  )

  it.effect.each([...windows])(
    "the window of the %s rolls: older payments no longer count (POLICY-7)",
    ([field, limit, seconds]) =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const { buy } = yield* spender({ [field]: usdt(10) })
        resultOf(yield* buy(6), "Bought")
        yield* clock.advance(seconds / 2)
        resultOf(yield* buy(4), "Bought")
        const full = refusalOf(yield* buy(0.000001), "SpendingLimitExceeded")
        assert.deepStrictEqual([full.limit, full.allowed, full.requested], [limit, usdt(0), usdt(0.000001)])
        yield* clock.advance(seconds / 2 - 120)
        refusalOf(yield* buy(1), "SpendingLimitExceeded")
        yield* clock.advance(120)
        assert.strictEqual(refusalOf(yield* buy(6.000001), "SpendingLimitExceeded").allowed, usdt(6))
        resultOf(yield* buy(6), "Bought")
        refusalOf(yield* buy(1), "SpendingLimitExceeded")
      })
  )

  it.effect("a hold counts as spent, and restores the budget when it is released (POLICY-9, POLICY-10)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buy } = yield* spender({ dailyLimit: usdt(10), autoApproveThreshold: usdt(5) })
      const { purchase } = resultOf(yield* buy(8), "Bought")
      assert.strictEqual(purchase.status, "pending")
      refusalOf(yield* buy(3), "SpendingLimitExceeded")
      const pending = yield* approvals.list(purchase.buyerId, { status: "pending" }, { page: 1, limit: 10 })
      for (const approval of pending.items) resultOf(yield* settle(Commands.decide(approval, "reject")), "Decided")
      resultOf(yield* buy(3), "Bought")
    })
  )

  it.effect("a refund restores the budget (POLICY-10)", () =>
    Effect.gen(function* () {
      const { buy } = yield* spender({ dailyLimit: usdt(10) })
      const { purchase } = resultOf(yield* buy(8), "Bought")
      refusalOf(yield* buy(3), "SpendingLimitExceeded")
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      resultOf(yield* buy(10), "Bought")
      refusalOf(yield* buy(1), "SpendingLimitExceeded")
    })
  )

  it.effect(
    "the owner's limit counts over all agents; an agent's own policy can only be stricter (POLICY-8, POLICY-11)",
    () =>
      Effect.gen(function* () {
        const approvals = yield* ApprovalStore
        const { buy, buyer } = yield* spender({ dailyLimit: usdt(10) })
        const [one, two] = [yield* claimedAgent(buyer.id), yield* claimedAgent(buyer.id)]
        yield* approvals.setPolicy(one.id, { ...defaultPolicy, dailyLimit: usdt(4) })
        yield* approvals.setPolicy(two.id, { ...defaultPolicy, dailyLimit: usdt(100) })
        resultOf(yield* buy(3, one.id), "Bought")
        assert.strictEqual(refusalOf(yield* buy(2, one.id), "SpendingLimitExceeded").allowed, usdt(1))
        resultOf(yield* buy(5, two.id), "Bought")
        assert.strictEqual(refusalOf(yield* buy(3, two.id), "SpendingLimitExceeded").allowed, usdt(2))
        resultOf(yield* buy(2), "Bought")
        refusalOf(yield* buy(1, one.id), "SpendingLimitExceeded")
      })
  )

  it.effect("an agent's threshold requires approval even if the owner's policy does not", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buy, buyer } = yield* spender({})
      const agent = yield* claimedAgent(buyer.id)
      yield* approvals.setPolicy(agent.id, { ...defaultPolicy, autoApprove: false })
      const { purchase } = resultOf(yield* buy(1, agent.id), "Bought")
      assert.strictEqual(purchase.status, "pending")
      const pending = yield* approvals.list(buyer.id, { status: "pending" }, { page: 1, limit: 10 })
      assert.deepStrictEqual(
        pending.items.map(({ agentId }) => agentId),
        [agent.id]
      )
      assert.strictEqual(resultOf(yield* buy(1), "Bought").purchase.status, "completed")
    })
  )

  it.effect("a category that is not allowed and a blocked seller are refused, also for free items", () =>
    Effect.gen(function* () {
      const blocked = yield* openAccount()
      const { buy } = yield* spender({ allowedCategories: ["data"], blockedSellers: [blocked.id] })
      resultOf(yield* buy(1), "Bought")
      assert.strictEqual(refusalOf(yield* buy(0, undefined, blocked), "SpendingLimitExceeded").limit, "seller")
      const other = yield* openAccount()
      assert.strictEqual(
        refusalOf(yield* buy(0, undefined, other, "security"), "SpendingLimitExceeded").limit,
        "category"
      )
    })
  )

  it.effect("a policy applies to the next purchase; without one the default applies", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buy, buyer } = yield* spender({})
      resultOf(yield* buy(50), "Bought")
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, monthlyLimit: usdt(50) })
      refusalOf(yield* buy(0.000001), "SpendingLimitExceeded")
      yield* approvals.setPolicy(buyer.id, defaultPolicy)
      resultOf(yield* buy(50), "Bought")
      assert.isTrue(Option.isSome(yield* approvals.policy(buyer.id)))
    })
  )
}
