import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { AgentId } from "@agent-marketplace/core/ids/Ids"
import { freshId } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { answered, claimOf, deliveriesOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

export const subscriptionCases = (it: StoreIt): void => {
  it.effect("a subscription is read unchanged; lists are newest first and only contain the account's own", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const first = yield* subscribed(account, { events: ["purchase.completed", "soul.created"], createdAt: 1000 })
      const second = yield* subscribed(account, {
        createdAt: 2000,
        previous: { secret: "v1.old", until: 5000 },
        health: { failures: 7, failingSince: 1500, pausedUntil: 1900 }
      })
      yield* subscribed(yield* openAccount())
      assert.deepStrictEqual(yield* store.find(first.id), Option.some(first))
      assert.deepStrictEqual(yield* store.find(second.id), Option.some(second))
      assert.deepStrictEqual(yield* store.list(account.id, null, { page: 1, limit: 1 }), { items: [second], total: 2 })
      assert.deepStrictEqual(yield* store.list(account.id, null, { page: 2, limit: 1 }), { items: [first], total: 2 })
    })
  )

  it.effect("an agent's list contains the subscriptions of its key, the account's list all (WEBHOOK-5)", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const own = yield* subscribed(account, { createdAt: 1000 })
      const agents = yield* subscribed(account, { createdAt: 2000, agentId: freshId("agt") })
      yield* subscribed(account, { createdAt: 500, agentId: freshId("agt") })
      const listOf = (agent: AgentId | null) =>
        Effect.map(store.list(account.id, agent, { page: 1, limit: 2 }), ({ items, total }) => [items, total])
      assert.deepStrictEqual(yield* listOf(agents.agentId), [[agents], 1])
      assert.deepStrictEqual(yield* listOf(null), [[agents, own], 3])
      assert.deepStrictEqual(yield* store.find(agents.id), Option.some(agents))
    })
  )

  it.effect("only its owner changes or removes a subscription, and a refused change has no effect", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const other = yield* openAccount()
      const webhook = yield* subscribed(account)
      const moved = { ...webhook, url: "https://moved.example.com/", events: ["soul.created" as const] }
      assert.isTrue(Option.isNone(yield* store.update(webhook.id, other.id, () => Result.succeed(moved))))
      assert.isFalse(yield* store.remove(webhook.id, other.id))
      const refused = yield* Effect.result(store.update(webhook.id, account.id, () => Result.fail("no" as const)))
      assert.deepStrictEqual(refused, Result.fail("no"))
      assert.deepStrictEqual(yield* store.find(webhook.id), Option.some(webhook))
      const updated = yield* store.update(webhook.id, account.id, () => Result.succeed(moved))
      assert.deepStrictEqual(updated, Option.some(moved))
      assert.deepStrictEqual(yield* store.find(webhook.id), Option.some(moved))
      assert.isTrue(yield* store.remove(webhook.id, account.id))
      assert.isFalse(yield* store.remove(webhook.id, account.id))
      assert.isTrue(Option.isNone(yield* store.find(webhook.id)))
    })
  )

  it.effect("20 concurrent changes of one subscription are applied one after the other", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      const fail = store.update(webhook.id, account.id, (now) =>
        Result.succeed({ ...now, health: { ...now.health, failures: now.health.failures + 1 } })
      )
      yield* Effect.forEach(Array.from({ length: 20 }), () => fail, { concurrency: "unbounded" })
      const after = yield* store.find(webhook.id)
      assert.strictEqual(Option.getOrThrow(after).health.failures, 20)
    })
  )

  it.effect("events that occur or become due while a subscription is disabled wait for a recovery (WEBHOOK-14)", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      const to = (status: "active" | "disabled") =>
        store.update(webhook.id, account.id, (now) => Result.succeed({ ...now, status }))
      yield* happen(account)
      yield* dispatchedTo(webhook, 1)
      yield* to("disabled")
      yield* happen(account)
      const held = yield* dispatchedTo(webhook, 2)
      assert.deepStrictEqual(
        held.map(({ nextAttemptAt, status }) => [status, nextAttemptAt]),
        [
          ["pending", null],
          ["pending", null]
        ]
      )
      assert.lengthOf(yield* claimOf([webhook]), 0)
      assert.strictEqual(
        yield* store.recover(webhook.id, 0, held[1]?.eventAt ?? 0),
        0,
        "a disabled subscription does not recover"
      )
      yield* to("active")
      assert.lengthOf(yield* claimOf([webhook]), 0)
      assert.strictEqual(yield* store.recover(webhook.id, 0, held[1]?.eventAt ?? 0), 2)
      assert.lengthOf(yield* claimOf([webhook]), 2)
    })
  )

  it.effect("removing a subscription removes its pending deliveries", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 2)
      const [delivery] = yield* dispatchedTo(webhook, 2)
      const [claimed] = yield* claimOf([webhook], { perWebhook: 1 })
      assert.isDefined(delivery)
      assert.isDefined(claimed)
      assert.isTrue(yield* store.remove(webhook.id, account.id))
      yield* store.record([answered(claimed, 500, delivery.eventAt)], (state) => state)
      yield* store.release([{ deliveryId: claimed.delivery.id, claim: claimed.claim }])
      assert.isTrue(Option.isNone(yield* store.findDelivery(delivery.id)))
      assert.isFalse(yield* store.replay(delivery.id, delivery.eventAt))
      assert.isTrue(Option.isNone(yield* store.add(delivery, 30)))
      assert.lengthOf(yield* claimOf([webhook]), 0)
      assert.lengthOf(yield* deliveriesOf(webhook), 0)
    })
  )
}
