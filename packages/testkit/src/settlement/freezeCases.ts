import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { Commands } from "../fixtures/Commands.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { waiting } from "./approvalCases.ts"

const freeze = Effect.fnUntraced(function* (
  subject: { readonly id: AccountId | AgentId },
  reason: string | null = null
) {
  const clock = yield* MarketClock
  const identity = yield* IdentityStore
  const since = yield* clock.now
  assert.isTrue(yield* identity.setFrozen(subject.id, { since, reason }))
  return { since, reason }
})

const unfreeze = Effect.fnUntraced(function* (subject: { readonly id: AccountId | AgentId }) {
  const identity = yield* IdentityStore
  assert.isTrue(yield* identity.setFrozen(subject.id, null))
})

/** The changes of a freeze once it is stored. */
const stop = Effect.fnUntraced(function* (account: { readonly id: AccountId }, agent: AgentId | null = null) {
  const store = yield* SettlementStore
  yield* store.settle([Commands.rejectWaiting(account, agent)])
  yield* store.underWayDone
})

export const freezeCases = (it: StoreIt): void => {
  it.effect("a frozen account cannot buy, approve or withdraw until it is unfrozen (OPERATOR-8)", () =>
    Effect.gen(function* () {
      const { approval, buyer, item, seller } = yield* waiting
      const other = yield* listingOnSale(seller)
      const { since } = yield* freeze(buyer, "stolen")
      for (const command of [
        Commands.buy(buyer, other),
        Commands.decide(approval, "approve"),
        Commands.withdraw(buyer, usdt(5), usdt(1))
      ]) {
        const refusal = refusalOf(yield* settle(command), "AccountFrozen")
        assert.deepStrictEqual([refusal.since, refusal.reason], [since, "stolen"])
      }
      assert.deepStrictEqual((yield* walletOf(buyer)).available, usdt(90))
      yield* unfreeze(buyer)
      resultOf(yield* settle(Commands.decide(approval, "approve")), "Decided")
      refusalOf(yield* settle(Commands.buy(buyer, item)), "AlreadyPurchased")
      resultOf(yield* settle(Commands.buy(buyer, other)), "Bought")
      yield* assertBooks
    })
  )

  it.effect("a frozen account can still reject approvals (ACCOUNT-12)", () =>
    Effect.gen(function* () {
      const { approval, buyer } = yield* waiting
      yield* freeze(buyer)
      resultOf(yield* settle(Commands.decide(approval, "reject")), "Decided")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
    })
  )

  it.effect("a frozen agent buys nothing; its owner and the owner's other agents are not affected", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100))
      const agent = yield* claimedAgent(buyer.id)
      const other = yield* claimedAgent(buyer.id)
      yield* freeze(agent, "loops")
      const refusal = refusalOf(yield* settle(Commands.buy(buyer, item, { agentId: agent.id })), "AgentFrozen")
      assert.strictEqual(refusal.reason, "loops")
      resultOf(yield* settle(Commands.buy(buyer, item, { agentId: other.id })), "Bought")
      resultOf(yield* settle(Commands.buy(buyer, yield* listingOnSale(seller))), "Bought")
    })
  )

  it.effect("a frozen seller's items are not for sale, and the seller cannot refund; the operator can", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const other = yield* listingOnSale(seller)
      const held = yield* waiting
      yield* freeze(seller)
      yield* freeze(held.seller)
      assert.strictEqual(refusalOf(yield* settle(Commands.buy(buyer, other)), "NotFound").resource, "LISTING")
      assert.strictEqual(
        refusalOf(yield* settle(Commands.decide(held.approval, "approve")), "Conflict").state,
        "rejected"
      )
      refusalOf(yield* settle(Commands.refund(purchase)), "AccountFrozen")
      resultOf(yield* settle(Commands.refund(purchase, "admin")), "Refunded")
      yield* assertBooks
    })
  )

  it.effect(
    "a withdrawal of a frozen account is neither sent nor cancelled; one that was already sent is completed",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        yield* fund(account, usdt(100))
        const first = resultOf(yield* settle(Commands.withdraw(account, usdt(10), usdt(1))), "Withdrawal").withdrawal
        const second = resultOf(yield* settle(Commands.withdraw(account, usdt(10), usdt(1))), "Withdrawal").withdrawal
        const transaction = (id: string) => ({ txid: `${id}-tx`, raw: "00", expiresAt: 1 })
        const broadcast = (id: string) => ({ to: "broadcasting" as const, transaction: transaction(id) })
        resultOf(yield* settle(Commands.move(first, broadcast(first.id))), "Withdrawal")
        yield* freeze(account)
        refusalOf(yield* settle(Commands.move(second, broadcast(second.id))), "AccountFrozen")
        refusalOf(yield* settle(Commands.move(second, { to: "cancelled" })), "AccountFrozen")
        resultOf(yield* settle(Commands.move(first, { to: "completed", txid: `${first.id}-tx` })), "Withdrawal")
        yield* unfreeze(account)
        resultOf(yield* settle(Commands.move(second, broadcast(second.id))), "Withdrawal")
        yield* assertBooks
      })
  )

  it.effect("pending purchases of a frozen agent are rejected, and the owner's own purchases still wait", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const purchases = yield* PurchaseStore
      const { buyer, item, seller } = yield* market(usdt(100))
      const agent = yield* claimedAgent(buyer.id)
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false })
      const ofAgent = Commands.buy(buyer, item, { agentId: agent.id })
      const own = Commands.buy(buyer, yield* listingOnSale(seller))
      for (const command of [ofAgent, own]) resultOf(yield* settle(command), "Bought")
      yield* freeze(agent)
      yield* stop(buyer, agent.id)
      const wallet = yield* walletOf(buyer)
      assert.deepStrictEqual([wallet.available, wallet.locked], [usdt(90), usdt(10)])
      const status = (id: typeof own.purchaseId) =>
        Effect.map(purchases.find(id), (found) => Option.getOrThrow(found).status)
      assert.notStrictEqual(yield* status(ofAgent.purchaseId), "pending")
      assert.strictEqual(yield* status(own.purchaseId), "pending")
      yield* freeze(buyer)
      yield* stop(buyer)
      assert.notStrictEqual(yield* status(own.purchaseId), "pending")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
      yield* assertBooks
    })
  )

  it.effect("after the freeze has returned, a frozen account makes no purchase and none of its items is sold", () =>
    Effect.gen(function* () {
      const { buyer, seller } = yield* market(usdt(1000))
      const strangers = yield* Effect.forEach(Array.from({ length: 20 }), () => openAccount())
      yield* Effect.forEach(strangers, (one) => fund(one, usdt(20)), { concurrency: 4 })
      const items = yield* Effect.forEach(Array.from({ length: 40 }), () => listingOnSale(seller, { price: usdt(1) }))
      const other = yield* openAccount()
      const others = yield* Effect.forEach(Array.from({ length: 40 }), () => listingOnSale(other, { price: usdt(1) }))
      const commands = [
        ...others.map((item) => Commands.buy(buyer, item)),
        ...items.map((item, i) => Commands.buy(strangers[i % 20] ?? buyer, item))
      ]
      const bought = settleAtOnce(commands)
      const frozen = Effect.gen(function* () {
        yield* freeze(buyer)
        yield* freeze(seller)
        yield* stop(buyer)
        yield* stop(seller)
        return [yield* walletOf(buyer), yield* walletOf(seller)]
      })
      const [, before] = yield* Effect.all([bought, frozen], { concurrency: "unbounded" })
      const after = [yield* walletOf(buyer), yield* walletOf(seller)]
      assert.deepStrictEqual(
        after.map(({ totalEarned, totalSpent }) => [totalEarned, totalSpent]),
        before.map(({ totalEarned, totalSpent }) => [totalEarned, totalSpent])
      )
      yield* assertBooks
    })
  )
}
