import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { periodAt } from "@agent-marketplace/core/purchases/Timeline"
import type { DeliveryStatus } from "@agent-marketplace/core/webhooks/Delivery"
import { deliveryIdOf } from "@agent-marketplace/core/webhooks/Delivery"
import { attemptRule } from "@agent-marketplace/core/webhooks/DeliveryRules"
import type { DeliveryCount, DeliveryTimelineFilter } from "@agent-marketplace/core/webhooks/DeliveryTimeline"
import type { DeliveryId } from "@agent-marketplace/core/ids/Ids"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { DeliveryFilter } from "@agent-marketplace/core/webhooks/WebhookStore"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { answered, claimOf, deliveriesOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

export const logCases = (it: StoreIt): void => {
  it.effect("the log lists the newest event first, page by page, and finds a delivery with its subscription", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 5)
      const all = yield* dispatchedTo(webhook, 5)
      const newest = all.toReversed()
      const pageAfter = (after: DeliveryId | null) =>
        store.listDeliveries(webhook.id, { limit: 2, after: after ?? undefined })
      const one = yield* pageAfter(null)
      assert.deepStrictEqual(one, { items: newest.slice(0, 2), next: newest[1]?.id ?? null })
      const two = yield* pageAfter(one.next)
      assert.deepStrictEqual(two, { items: newest.slice(2, 4), next: newest[3]?.id ?? null })
      assert.deepStrictEqual(yield* pageAfter(two.next), { items: newest.slice(4), next: null })
      assert.deepStrictEqual(yield* pageAfter("dlv_nothing" as DeliveryId), { items: [], next: null })
      const [first] = all
      assert.isDefined(first)
      assert.deepStrictEqual(yield* store.findDelivery(first.id), Option.some({ delivery: first, webhook }))
      assert.isTrue(Option.isNone(yield* store.findDelivery(`${first.id}0` as typeof first.id)))
    })
  )

  it.effect("the log is filtered by status and by event (DELIVERY-10)", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 3)
      yield* dispatchedTo(webhook, 3)
      const [claimed] = yield* claimOf([webhook])
      assert.isDefined(claimed)
      yield* store.record([answered(claimed, 200, claimed.delivery.eventAt)], attemptRule)
      const found = (filter: Partial<DeliveryFilter>) =>
        Effect.map(store.listDeliveries(webhook.id, { limit: 10, ...filter }), ({ items }) => items.map(({ id }) => id))
      const all = yield* found({})
      assert.deepStrictEqual(yield* found({ status: "delivered" }), [claimed.delivery.id])
      assert.deepStrictEqual(
        yield* found({ status: "pending" }),
        all.filter((id) => id !== claimed.delivery.id)
      )
      assert.deepStrictEqual(yield* found({ status: "failed" }), [])
      assert.deepStrictEqual(yield* found({ event: "deposit.confirmed" }), all)
      assert.deepStrictEqual(yield* found({ event: "soul.created" }), [])
    })
  )

  it.effect("deliveries are counted by the day of their event and by status (DELIVERY-15)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const agent = freshId("agt")
      const webhook = yield* subscribed(account)
      const ofAgent = yield* subscribed(account, { agentId: agent })
      const from = yield* clock.now
      const add = Effect.fnUntraced(function* (to: Pick<Webhook, "id">, status: DeliveryStatus) {
        const eventAt = yield* clock.now
        const id = deliveryIdOf(`evt_${freshText()}`, to.id)
        const event = { event: "webhook.test", eventAt, payload: "{}", tries: 1, nextAttemptAt: null } as const
        yield* store.add({ ...event, id, webhookId: to.id, status }, 60)
        return eventAt
      })
      yield* add(webhook, "delivered")
      yield* add(webhook, "delivered")
      const first = periodAt(yield* add(webhook, "failed"), "day")
      yield* clock.advance(Timestamp.day / Timestamp.second)
      yield* add(ofAgent, "pending")
      const last = yield* add(webhook, "pending")
      yield* add(yield* subscribed(yield* openAccount()), "delivered")
      const second = periodAt(last, "day")
      const counted = (filter: Partial<DeliveryTimelineFilter>) =>
        store.countDeliveries(account.id, { agent: null, webhook: null, from, to: last + 1, ...filter })
      const ofFirstDay: ReadonlyArray<DeliveryCount> = [
        { status: "delivered", period: first, count: 2 },
        { status: "failed", period: first, count: 1 }
      ]
      const one: DeliveryCount = { status: "pending", period: second, count: 1 }
      assert.deepStrictEqual(yield* counted({}), [...ofFirstDay, { ...one, count: 2 }])
      assert.deepStrictEqual(yield* counted({ webhook: webhook.id }), [...ofFirstDay, one])
      assert.deepStrictEqual(yield* counted({ agent }), [one])
      assert.deepStrictEqual(yield* counted({ agent, webhook: webhook.id }), [])
      assert.deepStrictEqual(yield* counted({ webhook: webhook.id, to: last }), ofFirstDay, "`to` is not included")
      assert.deepStrictEqual(yield* counted({ webhook: webhook.id, from: last }), [one], "`from` is included")
    })
  )

  it.effect("a replay restarts the schedule in every state of the delivery and keeps its log (DELIVERY-12)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account)
      yield* dispatchedTo(webhook, 1)
      const [claimed] = yield* claimOf([webhook])
      assert.isDefined(claimed)
      const now = yield* clock.now
      yield* store.record([answered(claimed, 200, now)], attemptRule)
      assert.isTrue(yield* store.replay(claimed.delivery.id, now))
      const [replayed] = yield* deliveriesOf(webhook)
      assert.deepStrictEqual([replayed?.status, replayed?.tries, replayed?.nextAttemptAt], ["pending", 0, now])
      assert.lengthOf(replayed?.attempts ?? [], 1)
      const [again] = yield* claimOf([webhook])
      assert.strictEqual(again?.delivery.id, claimed.delivery.id)
      assert.strictEqual(again?.delivery.payload, claimed.delivery.payload)
    })
  )

  it.effect("a recovery sends all undelivered events since the given time (WEBHOOK-14)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      for (let n = 0; n < 4; n++) {
        yield* happen(account)
        yield* clock.advance(1)
      }
      yield* dispatchedTo(webhook, 4)
      const claimed = yield* claimOf([webhook])
      const now = yield* clock.now
      yield* store.record(
        claimed.map((each, n) => answered(each, n === 2 ? 200 : 500, now)),
        (state, made) => {
          const after = attemptRule(state, made)
          return after.delivery.status === "delivered"
            ? after
            : { ...after, delivery: { ...after.delivery, status: "failed", nextAttemptAt: null } }
        }
      )
      const since = claimed[1]?.delivery.eventAt ?? 0
      assert.strictEqual(yield* store.recover(webhook.id, since, now), 2)
      assert.deepStrictEqual(
        (yield* deliveriesOf(webhook)).map(({ nextAttemptAt, status, tries }) => [status, tries, nextAttemptAt]),
        [
          ["failed", 1, null],
          ["pending", 0, now],
          ["delivered", 1, null],
          ["pending", 0, now]
        ]
      )
    })
  )

  it.effect("pruning removes ended, old and unclaimed deliveries in batches", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 4)
      yield* dispatchedTo(webhook, 4)
      const claimed = yield* claimOf([webhook], { perWebhook: 3 })
      const now = yield* clock.now
      yield* store.record(
        claimed.map((each) => answered(each, 200, now)),
        attemptRule
      )
      // Deliveries of other cases may also be pruned.
      const later = now + 60_000
      assert.strictEqual(yield* store.prune(later, 2), 2)
      while ((yield* store.prune(later, 2)) === 2);
      const left = yield* deliveriesOf(webhook)
      assert.deepStrictEqual(
        left.map(({ status }) => status),
        ["pending"],
        "deliveries that wait for an attempt remain"
      )
      assert.strictEqual(yield* store.prune(later, 2), 0)
    })
  )

  it.effect("the backlog counts due deliveries of active subscriptions and the age of the oldest", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      const disabled = yield* subscribed(account, { status: "disabled" })
      const before = yield* store.backlog(Number.MAX_SAFE_INTEGER / 2 ** 10)
      yield* happen(account, 3)
      const deliveries = yield* dispatchedTo(webhook, 3)
      yield* dispatchedTo(disabled, 3)
      const oldest = deliveries[0]?.eventAt ?? 0
      const after = yield* store.backlog(Number.MAX_SAFE_INTEGER / 2 ** 10)
      assert.strictEqual(after.due, before.due + 3)
      assert.strictEqual(after.oldestDueAt, Math.min(before.oldestDueAt ?? oldest, oldest))
      assert.deepStrictEqual(yield* store.backlog(0), { due: 0, oldestDueAt: null })
    })
  )
}
