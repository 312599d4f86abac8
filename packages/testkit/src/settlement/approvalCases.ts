import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { FailureReason } from "@agent-marketplace/core/purchases/Purchase"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { freshId } from "../fixtures/freshId.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

/** A purchase of 10 USDT that awaits approval, by an owner with 100 USDT. */
export const waiting = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const made = yield* market(usdt(100), { price: usdt(10) })
  yield* approvals.setPolicy(made.buyer.id, { ...defaultPolicy, autoApproveThreshold: usdt(9.99) })
  const command = Commands.buy(made.buyer, made.item)
  const { purchase } = resultOf(yield* settle(command), "Bought")
  const approval = Option.getOrThrow(yield* approvals.find(command.approvalId))
  return { ...made, approval, command, purchase }
})

const assertReturned = Effect.fnUntraced(function* (
  { buyer, item, purchase, seller }: Effect.Success<typeof waiting>,
  reason: FailureReason
) {
  const purchases = yield* PurchaseStore
  const wallet = yield* walletOf(buyer)
  assert.deepStrictEqual([wallet.available, wallet.locked, wallet.totalSpent], [usdt(100), usdt(0), usdt(0)])
  assert.strictEqual((yield* walletOf(seller)).available, usdt(0))
  assert.deepStrictEqual(yield* transactionsOf(buyer), ["deposit 100.00", "hold -10.00", "release 10.00"])
  const failed = Option.getOrThrow(yield* purchases.find(purchase.id))
  assert.deepStrictEqual([failed.status, failed.failureReason], ["failed", reason])
  assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
  const listed = yield* purchases.listByBuyer(buyer.id, undefined, { page: 1, limit: 20 })
  assert.deepStrictEqual(listed, { items: [], total: 0 }, "it has left the buyer's list")
  const events = (yield* subjectEvents(purchase.id)).map(({ accounts, type }) => [type, ...accounts])
  const ended = reason === "expired" ? "purchase.expired" : "purchase.rejected"
  assert.deepStrictEqual(events, [
    ["purchase.pending_approval", buyer.id],
    [ended, buyer.id]
  ])
  yield* assertBooks
})

export const approvalCases = (it: StoreIt): void => {
  it.effect("a price above the threshold waits: its price is held and no license is issued (BUY-11, BUY-12)", () =>
    Effect.gen(function* () {
      const purchases = yield* PurchaseStore
      const { approval, buyer, item, command, purchase, seller } = yield* waiting
      assert.deepStrictEqual([purchase.status, purchase.licenseKey], ["pending", null])
      const wallet = yield* walletOf(buyer)
      assert.deepStrictEqual([wallet.available, wallet.locked, wallet.totalSpent], [usdt(90), usdt(10), usdt(0)])
      assert.strictEqual((yield* walletOf(seller)).available, usdt(0))
      assert.include(approval, {
        purchaseId: command.purchaseId,
        accountId: buyer.id,
        agentId: null,
        status: "pending"
      })
      assert.strictEqual(approval.expiresAt - approval.requestedAt, 7 * Timestamp.day)
      assert.isFalse(yield* purchases.isLicensed(buyer.id, item.id))
      const refusal = refusalOf(yield* settle(Commands.buy(buyer, item)), "Conflict")
      assert.deepStrictEqual([refusal.state, refusal.purchaseId], ["pending_approval", purchase.id])
      const event = yield* onlyEvent(purchase.id)
      assert.strictEqual(event.type, "purchase.pending_approval")
    })
  )

  it.effect("a price at the threshold does not wait; without automatic approval every paid purchase waits", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buyer, item } = yield* market(usdt(100), { price: usdt(10) })
      const other = yield* market(usdt(0), { price: usdt(0.000001) })
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApproveThreshold: usdt(10) })
      assert.strictEqual(resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase.status, "completed")
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false })
      assert.strictEqual(resultOf(yield* settle(Commands.buy(buyer, other.item)), "Bought").purchase.status, "pending")
    })
  )

  it.effect(
    "approval completes the sale: the hold is released, the price is paid, the license is issued, at the time of the decision",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const purchases = yield* PurchaseStore
        const { approval, buyer, item, purchase, seller } = yield* waiting
        yield* clock.advance(3600)
        const decide = Commands.decide(approval, "approve")
        const decided = resultOf(yield* settle(decide), "Decided").approval
        assert.strictEqual(decided.status, "approved")
        const sold = Option.getOrThrow(yield* purchases.find(purchase.id))
        assert.deepStrictEqual([sold.status, sold.licenseKey], ["completed", decide.licenseKey])
        assert.strictEqual(sold.purchasedAt, decided.decidedAt)
        assert.isTrue(sold.purchasedAt - purchase.purchasedAt >= 3_600_000)
        assert.isTrue(yield* purchases.isLicensed(buyer.id, item.id))
        const wallet = yield* walletOf(buyer)
        assert.deepStrictEqual([wallet.available, wallet.locked, wallet.totalSpent], [usdt(90), usdt(0), usdt(10)])
        assert.strictEqual((yield* walletOf(seller)).available, usdt(9.5))
        assert.deepStrictEqual(yield* transactionsOf(buyer), [
          "deposit 100.00",
          "hold -10.00",
          "release 10.00",
          "purchase -10.00"
        ])
        const types = (yield* subjectEvents(purchase.id)).map(({ type }) => type)
        assert.deepStrictEqual(types, ["purchase.pending_approval", "purchase.completed"])
        refusalOf(yield* settle(Commands.buy(buyer, item)), "AlreadyPurchased")
        yield* assertBooks
      })
  )

  it.effect("rejection releases the hold, and the item may be bought again (APPROVAL-8, EVENT-3)", () =>
    Effect.gen(function* () {
      const made = yield* waiting
      const decided = resultOf(yield* settle(Commands.decide(made.approval, "reject")), "Decided").approval
      assert.strictEqual(decided.status, "rejected")
      yield* assertReturned(made, "rejected")
      resultOf(yield* settle(Commands.buy(made.buyer, made.item)), "Bought")
    })
  )

  it.effect("an undecided approval expires after exactly 7 days and releases the hold", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const made = yield* waiting
      yield* clock.advance(7 * 86_400 - 120)
      resultOf(yield* settle(Commands.expire(made.approval)), "Done")
      assert.strictEqual((yield* walletOf(made.buyer)).locked, usdt(10), "it is not time yet")
      yield* clock.advance(120)
      resultOf(yield* settle(Commands.expire(made.approval)), "Done")
      yield* assertReturned(made, "expired")
      resultOf(yield* settle(Commands.expire(made.approval)), "Done")
      yield* assertReturned(made, "expired")
    })
  )

  it.effect("a decision after 7 days is refused, and the hold is released in the same step", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const made = yield* waiting
      yield* clock.advance(7 * 86_400)
      const refusal = refusalOf(yield* settle(Commands.decide(made.approval, "approve")), "Conflict")
      assert.strictEqual(refusal.state, "expired")
      yield* assertReturned(made, "expired")
    })
  )

  it.effect("approval is refused, and the hold is released, if the item is no longer for sale (APPROVAL-6)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const made = yield* waiting
      yield* listings.modify(made.item.id, (listing) =>
        Result.succeed({ listing: { ...listing, status: "suspended" as const }, events: [] })
      )
      const refusal = refusalOf(yield* settle(Commands.decide(made.approval, "approve")), "Conflict")
      assert.strictEqual(refusal.state, "rejected")
      assert.isString(refusal.reason)
      yield* assertReturned(made, "not_for_sale")
    })
  )

  it.effect("approval is refused, and the hold is released, if the policy has become too strict (APPROVAL-6)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const made = yield* waiting
      yield* approvals.setPolicy(made.buyer.id, { ...defaultPolicy, dailyLimit: usdt(9) })
      refusalOf(yield* settle(Commands.decide(made.approval, "approve")), "Conflict")
      yield* assertReturned(made, "rejected")
    })
  )

  it.effect("approval succeeds even if the hold itself has used up the daily limit", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const made = yield* waiting
      yield* approvals.setPolicy(made.buyer.id, { ...defaultPolicy, dailyLimit: usdt(10) })
      resultOf(yield* settle(Commands.decide(made.approval, "approve")), "Decided")
    })
  )

  it.effect("an approval is decided once, only by its owner", () =>
    Effect.gen(function* () {
      const { approval, buyer } = yield* waiting
      const stranger = yield* openAccount()
      const foreign = { ...Commands.decide(approval, "approve"), accountId: stranger.id }
      assert.strictEqual(refusalOf(yield* settle(foreign), "NotFound").resource, "APPROVAL")
      refusalOf(yield* settle({ ...Commands.decide(approval, "approve"), approvalId: freshId("apr") }), "NotFound")
      const other = yield* waiting
      for (const command of [Commands.decide(approval, "reject"), Commands.expire(approval)]) {
        yield* settle({ ...command, purchaseId: other.purchase.id })
        assert.strictEqual((yield* walletOf(other.buyer)).locked, usdt(10), "an approval moves its own purchase only")
        assert.strictEqual((yield* walletOf(buyer)).locked, usdt(10))
      }
      resultOf(yield* settle(Commands.decide(approval, "approve")), "Decided")
      for (const decision of ["approve", "reject"] as const) {
        assert.strictEqual(refusalOf(yield* settle(Commands.decide(approval, decision)), "Conflict").state, "approved")
      }
      const wallet = yield* walletOf(buyer)
      assert.deepStrictEqual([wallet.available, wallet.locked], [usdt(90), usdt(0)])
    })
  )
}
