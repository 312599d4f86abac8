import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { Revocation, RevocationDraft } from "@agent-marketplace/core/advisories/Revocation"
import type { RefundTarget, WorkPage } from "@agent-marketplace/core/advisories/RevocationStore"
import { RevocationStore } from "@agent-marketplace/core/advisories/RevocationStore"
import { Revocations } from "@agent-marketplace/core/advisories/Revocations"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import type { AccountId, ItemId, RevocationId } from "@agent-marketplace/core/ids/Ids"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { Refund } from "@agent-marketplace/core/settlement/Command"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { assert } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { waiting } from "../settlement/approvalCases.ts"

const revoked = Effect.fnUntraced(function* (
  item: { readonly id: ItemId; readonly creatorId: AccountId },
  fields: Partial<RevocationDraft> = {}
) {
  const store = yield* RevocationStore
  const clock = yield* MarketClock
  const id: RevocationId = freshId("rvk")
  const action = actionDraft("item.revoke", item.id)
  yield* store.add(
    {
      id,
      itemId: item.id,
      sellerId: item.creatorId,
      versions: ["1.0.0"],
      reason: "It reads credentials.",
      operator: { name: action.actor, requestId: action.requestId },
      at: yield* clock.now,
      refundDays: 30,
      rejectsWaiting: true,
      ...fields
    },
    { ...action, before: null, after: null }
  )
  return yield* found(id)
})

const found = (id: RevocationId) =>
  Effect.flatMap(RevocationStore, (store) => Effect.map(store.find(id), Option.getOrThrow))

/** The revocation at the start of the step; everything up to now is in its bounds. */
const at = Effect.fnUntraced(function* (revocation: Revocation, step: Revocation["step"]) {
  const store = yield* RevocationStore
  const clock = yield* MarketClock
  yield* store.move(revocation.id, { step, position: null, until: yield* clock.now })
  return yield* found(revocation.id)
})

/** Every item of a step, read in pages of `limit`. */
const all = <A>(
  read: (revocation: Revocation, limit: number) => StoreEffect<WorkPage<A>>,
  revocation: Revocation,
  limit: number
): StoreEffect<ReadonlyArray<A>> =>
  Effect.flatMap(read(revocation, limit), ({ items, next }) =>
    next === null
      ? Effect.succeed(items)
      : Effect.map(all(read, { ...revocation, position: next }, limit), (more) => [...items, ...more])
  )

const refund = ({ id, itemId }: Revocation, target: RefundTarget): Refund => ({
  _tag: "Refund",
  ...target,
  itemId,
  by: "admin",
  reason: "revoked",
  coverLimit: null,
  revocationId: id
})

export const revocationStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: RevocationStore`, stores, (it) => {
    it.effect("the purchases of the item within its bounds are listed, in pages of any size (REVOKE-2, REVOKE-5)", () =>
      Effect.gen(function* () {
        const store = yield* RevocationStore
        const clock = yield* MarketClock
        const { buyer, item, seller } = yield* market(usdt(1000), { price: usdt(10) })
        const other = yield* listingOnSale(seller)
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        yield* clock.advance(40 * 86_400)
        const bought: Array<string> = []
        for (let i = 0; i < 5; i++) {
          const next = yield* openAccount()
          yield* fund(next, usdt(100))
          const { purchase } = resultOf(yield* settle(Commands.buy(next, item)), "Bought")
          bought.push(purchase.id)
          resultOf(yield* settle(Commands.buy(next, other)), "Bought")
        }
        const revocation = yield* at(yield* revoked(item), "purchases")
        yield* clock.advance(1)
        const late = yield* openAccount()
        yield* fund(late, usdt(100))
        resultOf(yield* settle(Commands.buy(late, item)), "Bought")
        for (const limit of [1, 2, 3, 100]) {
          const targets = yield* all(store.purchases, revocation, limit)
          assert.deepStrictEqual(
            targets.map(({ purchaseId }) => purchaseId),
            bought
          )
          for (const target of targets) {
            assert.deepInclude(target, { renewalId: null, sellerId: seller.id, net: usdt(9.5) })
          }
        }
        const none = yield* at(yield* revoked(item, { refundDays: null }), "purchases")
        assert.deepStrictEqual(yield* all(store.purchases, none, 10), [])
      })
    )

    it.effect(
      "a refund is counted in its transaction and once, and the platform lends what is missing (REVOKE-3, REVOKE-5)",
      () =>
        Effect.gen(function* () {
          const store = yield* RevocationStore
          const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
          resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
          resultOf(yield* settle(Commands.withdraw(seller, usdt(7), usdt(1))), "Withdrawal")
          const revocation = yield* at(yield* revoked(item), "purchases")
          const [target, ...more] = yield* all(store.purchases, revocation, 10)
          assert.lengthOf(more, 0)
          if (target === undefined) return assert.fail("there is nothing to refund")
          const outcomes = yield* settleAtOnce([refund(revocation, target), refund(revocation, target)])
          assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
          refusalOf(yield* settle(refund(revocation, target)), "Conflict")
          const progress = { refunded: 1, amount: usdt(10), covered: usdt(8), rejected: 0 }
          assert.deepInclude(yield* found(revocation.id), progress)
          assert.deepStrictEqual(yield* all(store.purchases, revocation, 10), [])
          assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
          assert.strictEqual((yield* walletOf(seller)).debt, usdt(8))
          yield* assertBooks
        })
    )

    it.effect("a sale that was in progress when the item was revoked is refunded too (REVOKE-8)", () =>
      Effect.gen(function* () {
        const { buyer, item } = yield* market(usdt(100), { price: usdt(10) })
        const { id } = yield* revoked(item)
        const store = yield* SettlementStore
        // The sale is stored while the work waits for the transactions that were open at its start.
        const slow = Layer.succeed(SettlementStore, {
          ...store,
          underWayDone: Effect.andThen(store.settle([Commands.buy(buyer, item)]), store.underWayDone)
        })
        const work = Effect.flatMap(Revocations, (revocations) => revocations.work)
        const isDone = Effect.map(found(id), ({ step }) => step === "done")
        yield* Effect.repeat(Effect.andThen(work, isDone), { until: (done) => done }).pipe(
          Effect.provide(
            Revocations.layer.pipe(
              Layer.provide(Settlement.layer),
              Layer.provide(slow),
              Layer.provide(SecureRandom.layerWebCrypto)
            )
          )
        )
        assert.deepInclude(yield* found(id), { refunded: 1, amount: usdt(10) })
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(100))
      })
    )

    it.effect("renewals are refunded too, also if more than 180 days pass until then (REVOKE-2, REVOKE-4)", () =>
      Effect.gen(function* () {
        const store = yield* RevocationStore
        const clock = yield* MarketClock
        const purchases = yield* PurchaseStore
        const { buyer, item } = yield* market(usdt(100), { price: usdt(10), pricingModel: "subscription" })
        const command = Commands.buy(buyer, item)
        resultOf(yield* settle(command), "Bought")
        const subscription = () => Effect.map(purchases.findSubscription(command.subscriptionId), Option.getOrThrow)
        for (let i = 0; i < 2; i++) {
          yield* clock.advance(30 * 86_400)
          resultOf(yield* settle(Commands.renew(yield* subscription())), "Done")
        }
        const revocation = yield* at(yield* revoked(item, { refundDays: 20 }), "renewals")
        assert.deepStrictEqual(yield* all(store.purchases, revocation, 10), [])
        const targets = yield* all(store.renewals, revocation, 1)
        assert.lengthOf(targets, 1)
        yield* clock.advance(181 * 86_400)
        for (const target of targets) resultOf(yield* settle(refund(revocation, target)), "Refunded")
        assert.strictEqual((yield* subscription()).status, "cancelled")
        assert.deepInclude(yield* found(revocation.id), { refunded: 1, amount: usdt(10) })
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(80))
        assert.deepStrictEqual(yield* all(store.renewals, revocation, 10), [])
        yield* assertBooks
      })
    )

    it.effect("approvals that wait for the item end once, and their money is returned (REVOKE-6)", () =>
      Effect.gen(function* () {
        const store = yield* RevocationStore
        const approvals = yield* ApprovalStore
        const { approval, buyer, item, purchase } = yield* waiting
        const revocation = yield* at(yield* revoked(item), "approvals")
        const [found1, ...more] = yield* all(store.waiting, revocation, 10)
        assert.deepStrictEqual(found1, { approvalId: approval.id, accountId: buyer.id, purchaseId: purchase.id })
        assert.lengthOf(more, 0)
        const command = {
          _tag: "EndApproval" as const,
          approvalId: approval.id,
          accountId: buyer.id,
          purchaseId: purchase.id,
          revocationId: revocation.id
        }
        for (const outcome of yield* settleAtOnce([command, command])) resultOf(outcome, "Done")
        assert.deepInclude(yield* found(revocation.id), { rejected: 1, refunded: 0 })
        const ended = Option.getOrThrow(yield* approvals.find(approval.id))
        assert.strictEqual(ended.status, "rejected")
        const failed = Option.getOrThrow(yield* (yield* PurchaseStore).find(purchase.id))
        assert.deepInclude(failed, { status: "failed", failureReason: "not_for_sale" })
        assert.strictEqual((yield* walletOf(buyer)).locked, usdt(0))
        assert.deepStrictEqual(yield* all(store.waiting, revocation, 10), [])
        yield* assertBooks
      })
    )

    it.effect(
      "revocations are listed, worked on in their order, and end once, with one entry in the log (REVOKE-7)",
      () =>
        Effect.gen(function* () {
          const store = yield* RevocationStore
          const actions = yield* ActionStore
          const clock = yield* MarketClock
          const finish = Effect.fnUntraced(function* (id: RevocationId) {
            const done = { ...actionDraft("item.revoke.done", id), before: null, after: { refunded: 0 } }
            yield* store.move(id, {
              step: "done",
              position: null,
              until: 1,
              finishedAt: yield* clock.now,
              action: done
            })
          })
          for (;;) {
            const running = yield* store.running
            if (Option.isNone(running)) break
            yield* finish(running.value.id)
          }
          const { item } = yield* market(usdt(0))
          const first = yield* revoked(item, { versions: ["1.0.0", "2.0.0"], refundDays: 7 })
          const second = yield* revoked(item, { refundDays: null, rejectsWaiting: false, versions: [] })
          assert.deepInclude(first, { step: "start", until: null, position: null, finishedAt: null, refunded: 0 })
          assert.deepStrictEqual([first.versions, second.versions], [["1.0.0", "2.0.0"], []])
          const list = yield* store.list({ itemId: item.id }, { page: 1, limit: 10 })
          assert.deepStrictEqual(list, { items: [second, first], total: 2 })
          assert.deepStrictEqual((yield* store.list({}, { page: 1, limit: 1 })).items, [second])
          assert.deepStrictEqual(yield* store.running, Option.some(first))
          const until = first.at + Timestamp.minute
          yield* store.move(first.id, { step: "purchases", position: "5", until })
          yield* store.move(first.id, { step: "purchases", position: "7", until: until + 1 })
          assert.deepInclude(yield* found(first.id), { step: "purchases", position: "7", until })
          yield* finish(first.id)
          yield* finish(first.id)
          yield* store.move(first.id, { step: "renewals", position: null })
          assert.strictEqual((yield* found(first.id)).step, "done")
          assert.strictEqual((yield* actions.list({ subject: first.id }, { page: 1, limit: 10 })).total, 1)
          assert.deepStrictEqual(yield* store.running, Option.some(second))
          yield* finish(second.id)
          assert.deepStrictEqual(yield* store.running, Option.none())
        })
    )
  })
