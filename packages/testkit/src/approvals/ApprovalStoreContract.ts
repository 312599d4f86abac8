import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import type { ApprovalFilter } from "@agent-marketplace/core/approvals/ApprovalStore"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { effectiveBudget } from "@agent-marketplace/core/approvals/Budgets"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result } from "effect"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

/** A buyer with the given number of purchases that await approval, oldest first. */
const waitingFor = Effect.fnUntraced(function* (count: number) {
  const approvals = yield* ApprovalStore
  const clock = yield* MarketClock
  const { buyer, seller } = yield* market(usdt(100))
  yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false })
  const made: Array<Approval> = []
  for (let n = 0; n < count; n++) {
    yield* clock.advance(1)
    const command = Commands.buy(buyer, yield* listingOnSale(seller, { price: usdt(1) }))
    resultOf(yield* settle(command), "Bought")
    made.push(Option.getOrThrow(yield* approvals.find(command.approvalId)))
  }
  return { buyer, made }
})

const approvalCases = (it: StoreIt): void => {
  it.effect("lists only the owner's approvals, newest first, in one state or in all (APPROVAL-1)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buyer, made } = yield* waitingFor(4)
      const [first, second, third, fourth] = made
      if (!first || !second || !third || !fourth) return assert.fail()
      const approved = resultOf(yield* settle(Commands.decide(first, "approve")), "Decided").approval
      const rejected = resultOf(yield* settle(Commands.decide(second, "reject")), "Decided").approval
      const list = (status: Approval["status"] | undefined, page = 1) =>
        approvals.list(buyer.id, { status }, { page, limit: 3 })
      assert.deepStrictEqual(yield* list(undefined), { items: [fourth, third, rejected], total: 4 })
      assert.deepStrictEqual(yield* list(undefined, 2), { items: [approved], total: 4 })
      assert.deepStrictEqual(yield* list("pending"), { items: [fourth, third], total: 2 })
      assert.deepStrictEqual(yield* list("approved"), { items: [approved], total: 1 })
      assert.deepStrictEqual(yield* list("rejected"), { items: [rejected], total: 1 })
      assert.deepStrictEqual(yield* list("expired"), { items: [], total: 0 })
      assert.deepStrictEqual(yield* approvals.find(freshId("apr")), Option.none())
      const other = yield* openAccount()
      assert.deepStrictEqual(yield* approvals.list(other.id, {}, { page: 1, limit: 3 }), { items: [], total: 0 })
    })
  )

  it.effect("undecided approvals are due after 7 days, earliest first", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buyer, made } = yield* waitingFor(3)
      const [first, second, third] = made
      if (!first || !second || !third) return assert.fail()
      const due = Effect.fnUntraced(function* (at: number) {
        const found = yield* approvals.due(at, 1000)
        return found.filter(({ accountId }) => accountId === buyer.id).map(({ id }) => id)
      })
      assert.deepStrictEqual(yield* due(first.expiresAt - 1), [])
      assert.deepStrictEqual(yield* due(first.expiresAt), [first.id])
      assert.deepStrictEqual(yield* due(third.expiresAt), [first.id, second.id, third.id])
      assert.lengthOf(yield* approvals.due(third.expiresAt, 1), 1)
      resultOf(yield* settle(Commands.decide(second, "reject")), "Decided")
      assert.deepStrictEqual(yield* due(third.expiresAt), [first.id, third.id])
    })
  )
}

const policyCases = (it: StoreIt): void => {
  it.effect("a policy of an account or agent is stored completely and replaced completely (POLICY-3, POLICY-4)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const account = yield* openAccount()
      const agent = yield* claimedAgent(account.id)
      const full: SpendingPolicy = {
        autoApprove: false,
        autoApproveThreshold: usdt(0.000001),
        perTransactionLimit: usdt(1),
        dailyLimit: usdt(2),
        weeklyLimit: usdt(3),
        monthlyLimit: usdt(1_000_000_000),
        allowedCategories: ["data", "ünïcode"],
        blockedSellers: []
      }
      for (const subject of [account.id, agent.id]) {
        assert.deepStrictEqual(yield* approvals.policy(subject), Option.none())
        yield* approvals.setPolicy(subject, full)
        assert.deepStrictEqual(yield* approvals.policy(subject), Option.some(full))
      }
      yield* approvals.setPolicy(account.id, defaultPolicy)
      assert.deepStrictEqual(yield* approvals.policy(account.id), Option.some(defaultPolicy))
      assert.deepStrictEqual(yield* approvals.policy(agent.id), Option.some(full))
    })
  )

  it.effect(
    "an agent's approvals are listed separately, and its pending purchases count as spent (APPROVAL-2, BUDGET-1)",
    () =>
      Effect.gen(function* () {
        const approvals = yield* ApprovalStore
        const clock = yield* MarketClock
        const { buyer, seller } = yield* market(usdt(100))
        const agent = yield* claimedAgent(buyer.id)
        yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false, monthlyLimit: usdt(50) })
        yield* approvals.setPolicy(agent.id, { ...defaultPolicy, dailyLimit: usdt(20), perTransactionLimit: usdt(15) })
        const own = Commands.buy(buyer, yield* listingOnSale(seller, { price: usdt(7) }))
        const byAgent = Commands.buy(buyer, yield* listingOnSale(seller, { price: usdt(12) }), { agentId: agent.id })
        resultOf(yield* settle(own), "Bought")
        resultOf(yield* settle(byAgent), "Bought")
        const listed = (filter: ApprovalFilter) =>
          Effect.map(approvals.list(buyer.id, filter, { page: 1, limit: 10 }), ({ items }) =>
            items.map(({ purchaseId }) => purchaseId)
          )
        assert.deepStrictEqual(yield* listed({ agentId: agent.id }), [byAgent.purchaseId])
        assert.deepStrictEqual(yield* listed({ agentId: agent.id, status: "approved" }), [])
        assert.lengthOf(yield* listed({}), 2)

        const budgetOf = (...subjects: ReadonlyArray<AccountId | AgentId>) =>
          Effect.flatMap(clock.now, (now) => Effect.map(approvals.budgets(subjects, now), effectiveBudget))
        const month = { limit: usdt(50), spent: usdt(19), remaining: usdt(31) }
        assert.deepStrictEqual(yield* budgetOf(buyer.id), {
          daily: null,
          weekly: null,
          monthly: month,
          perTransaction: null,
          autoApproveThreshold: usdt(0)
        })
        assert.deepStrictEqual(yield* budgetOf(buyer.id, agent.id), {
          daily: { limit: usdt(20), spent: usdt(12), remaining: usdt(8) },
          weekly: null,
          monthly: month,
          perTransaction: usdt(15),
          autoApproveThreshold: usdt(0)
        })
        assert.isNull((yield* budgetOf(seller.id)).autoApproveThreshold)
      })
  )

  it.effect("all of 20 concurrent changes of a policy are stored, and a refused one changes nothing (POLICY-4)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const account = yield* openAccount()
      const add = approvals.changePolicy(account.id, (policy) =>
        Result.succeed({ ...policy, dailyLimit: Usdt.of((policy.dailyLimit ?? 0n) + 1n) })
      )
      yield* Effect.all(
        Array.from({ length: 20 }, () => add),
        { concurrency: "unbounded" }
      )
      const refused = yield* Effect.flip(approvals.changePolicy(account.id, () => Result.fail("refused")))
      assert.strictEqual(refused, "refused")
      const left = Option.getOrThrow(yield* approvals.policy(account.id))
      assert.deepStrictEqual(left, { ...defaultPolicy, dailyLimit: Usdt.of(20n) })
    })
  )

  it.effect("of 20 concurrently stored policies exactly one remains", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const account = yield* openAccount()
      const policies = Array.from({ length: 20 }, (_, n) => ({
        ...defaultPolicy,
        dailyLimit: usdt(n + 1),
        weeklyLimit: usdt(n + 2)
      }))
      yield* Effect.forEach(policies, (policy) => approvals.setPolicy(account.id, policy), { concurrency: "unbounded" })
      const left = Option.getOrThrow(yield* approvals.policy(account.id))
      assert.deepInclude(policies, left)
    })
  )
}

/** The contract of `ApprovalStore`. */
export const approvalStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ApprovalStore`, stores, (it) => {
    approvalCases(it)
    policyCases(it)
  })
