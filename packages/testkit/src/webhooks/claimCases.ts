import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Delivery } from "@agent-marketplace/core/webhooks/Delivery"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { claimOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

export const claimCases = (it: StoreIt): void => {
  it.effect("a claim returns the longest due deliveries first, and no other worker gets them meanwhile", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 3)
      const deliveries = yield* dispatchedTo(webhook, 3)
      const claimed = yield* claimOf([webhook])
      assert.deepStrictEqual(
        claimed.map(({ delivery }) => delivery),
        deliveries.map(({ attempts: _, ...delivery }): Delivery => delivery)
      )
      for (const each of claimed) assert.deepStrictEqual(each.webhook, webhook)
      assert.lengthOf(new Set(claimed.map(({ claim }) => claim)), 3)
      assert.lengthOf(yield* claimOf([webhook]), 0)
    })
  )

  it.effect("8 concurrent workers share the deliveries, each claimed by exactly one", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account, 40)
      yield* dispatchedTo(webhook, 40)
      const seen: Array<string> = []
      const worker = Effect.gen(function* () {
        for (const { delivery } of yield* claimOf([webhook], { limit: 7 })) seen.push(delivery.id)
      })
      yield* eventually(
        "all of them are claimed",
        Effect.as(
          Effect.forEach(Array.from({ length: 8 }), () => worker, { concurrency: "unbounded" }),
          true
        ).pipe(Effect.map(() => seen.length >= 40))
      )
      assert.lengthOf(seen, 40)
      assert.lengthOf(new Set(seen), 40)
    })
  )

  it.effect(
    "a killed worker's deliveries can be claimed when the lease ends in real time; released ones immediately",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const store = yield* WebhookStore
        const account = yield* openAccount()
        const webhook = yield* subscribed(account)
        yield* happen(account)
        yield* dispatchedTo(webhook, 1)
        const [first] = yield* claimOf([webhook], { leaseSeconds: 2 })
        assert.isDefined(first)
        yield* clock.advance(3600)
        assert.lengthOf(yield* claimOf([webhook]), 0, "the market's time does not affect leases")
        let again = first
        yield* eventually(
          "the lease ends",
          Effect.map(claimOf([webhook]), ([next]) => {
            again = next ?? again
            return next !== undefined
          })
        )
        assert.notStrictEqual(again.claim, first.claim)
        yield* store.release([{ deliveryId: first.delivery.id, claim: first.claim }])
        assert.lengthOf(yield* claimOf([webhook]), 0, "an expired claim cannot be released")
        yield* store.release([{ deliveryId: again.delivery.id, claim: again.claim }])
        assert.lengthOf(yield* claimOf([webhook]), 1)
      })
  )

  it.effect(
    "claims respect the limits of subscription and host, and a backlog does not delay others (DELIVERY-13)",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const busy = yield* subscribed(account)
        const shared = freshText()
        const twins = [
          yield* subscribed(account, { url: `https://${shared}.example.com/a` }),
          yield* subscribed(account, { url: `https://${shared}.example.com/b` })
        ]
        yield* happen(account, 8)
        for (const webhook of [busy, ...twins]) yield* dispatchedTo(webhook, 8)
        const claimed = yield* claimOf([busy, ...twins], { perWebhook: 4, perHost: 5 })
        const count = (of: ReadonlyArray<{ readonly id: string }>) =>
          claimed.filter(({ webhook }) => of.some(({ id }) => id === webhook.id)).length
        assert.strictEqual(count([busy]), 4)
        assert.strictEqual(count(twins), 5)
        assert.lengthOf(yield* claimOf([busy, ...twins], { perWebhook: 4, perHost: 5 }), 0)
        assert.lengthOf(yield* claimOf([busy], { perWebhook: 6, perHost: 100 }), 2)
      })
  )

  it.effect("a failing receiver gets one attempt at a time, and none while it is paused", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const until = (yield* clock.now) + 600_000
      const health = { failures: ReceiverHealth.tripsAt, failingSince: 1, pausedUntil: until }
      const webhook = yield* subscribed(account, { health })
      yield* happen(account, 3)
      yield* dispatchedTo(webhook, 3)
      assert.lengthOf(yield* claimOf([webhook], { now: until - 1 }), 0)
      assert.lengthOf(yield* claimOf([webhook], { now: until }), 1)
      assert.lengthOf(yield* claimOf([webhook], { now: until }), 0)
      yield* store.update(webhook.id, account.id, (now) => Result.succeed({ ...now, health: ReceiverHealth.healthy }))
      assert.lengthOf(yield* claimOf([webhook]), 2)
    })
  )

  it.effect("a manually inserted delivery is claimed by its creator from the start", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      yield* happen(account)
      const [sample] = yield* dispatchedTo(webhook, 1)
      assert.isDefined(sample)
      const { attempts: _, ...first } = sample
      const delivery: Delivery = { ...first, id: `${first.id}x` as Delivery["id"], event: "webhook.test" }
      const added = yield* store.add(delivery, 60)
      assert.isTrue(Option.isSome(added))
      const { claim, ...rest } = Option.getOrThrow(added)
      assert.deepStrictEqual(rest, { delivery, webhook })
      assert.deepStrictEqual(
        (yield* claimOf([webhook])).map((each) => each.delivery.id),
        [first.id]
      )
      yield* store.release([{ deliveryId: delivery.id, claim }])
      assert.lengthOf(yield* claimOf([webhook]), 1)
    })
  )
}
