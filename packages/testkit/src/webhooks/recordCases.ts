import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { attemptRule } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { answered, claimOf, deliveriesOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

/** A subscription with the given number of claimed deliveries. */
const claimedWorld = Effect.fnUntraced(function* (count: number) {
  const clock = yield* MarketClock
  const account = yield* openAccount()
  const webhook = yield* subscribed(account)
  yield* happen(account, count)
  yield* dispatchedTo(webhook, count)
  const claimed = yield* claimOf([webhook])
  assert.lengthOf(claimed, count)
  return { account, claimed, now: yield* clock.now, webhook }
})

export const recordCases = (it: StoreIt): void => {
  it.effect("attempts are logged unchanged, and the rule decides the state of delivery and receiver", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const { claimed, now, webhook } = yield* claimedWorld(2)
      const [one, two] = claimed
      assert.isDefined(one)
      assert.isDefined(two)
      const lost = {
        ...answered(two, 0, now),
        attempt: { at: now, statusCode: null, durationMs: 15_000, error: "timed out", responseBody: null }
      }
      const good = answered(one, 204, now)
      yield* store.record([good, lost], attemptRule)
      const [first, second] = yield* deliveriesOf(webhook)
      assert.deepStrictEqual(first?.attempts, [good.attempt])
      assert.deepStrictEqual([first?.status, first?.tries, first?.nextAttemptAt], ["delivered", 1, null])
      assert.deepStrictEqual(second?.attempts, [lost.attempt])
      assert.deepStrictEqual([second?.status, second?.tries], ["pending", 1])
      assert.isAtLeast(second?.nextAttemptAt ?? 0, now + 5000)
      const { health } = Option.getOrThrow(yield* store.find(webhook.id))
      assert.deepStrictEqual(health, { failures: 1, failingSince: now, pausedUntil: null })
      assert.lengthOf(yield* claimOf([webhook]), 0, "it is not due yet")
      assert.lengthOf(yield* claimOf([webhook], { now: now + Timestamp.minute }), 1)
    })
  )

  it.effect("the attempts of a batch are applied in order, also for one receiver", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const { claimed, now, webhook } = yield* claimedWorld(6)
      yield* store.record(
        claimed.map((each) => answered(each, 500, now)),
        attemptRule
      )
      const { health } = Option.getOrThrow(yield* store.find(webhook.id))
      assert.strictEqual(health.failures, 6)
      assert.isAbove(health.pausedUntil ?? 0, now)
    })
  )

  it.effect("concurrent workers that record for one receiver lose no attempt", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const { claimed, now, webhook } = yield* claimedWorld(20)
      yield* Effect.forEach(claimed, (each) => store.record([answered(each, 500, now)], attemptRule), {
        concurrency: "unbounded"
      })
      const { health } = Option.getOrThrow(yield* store.find(webhook.id))
      assert.strictEqual(health.failures, 20)
      for (const { attempts } of yield* deliveriesOf(webhook)) assert.lengthOf(attempts, 1)
    })
  )

  it.effect("a late response is logged and does not end another claim; only its success counts", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const { claimed, now, webhook } = yield* claimedWorld(2)
      yield* store.release(claimed.map(({ claim, delivery }) => ({ deliveryId: delivery.id, claim })))
      const again = yield* claimOf([webhook])
      const [one, two] = claimed
      assert.isDefined(one)
      assert.isDefined(two)
      yield* store.record([answered(one, 500, now), answered(two, 200, now)], attemptRule)
      const late = yield* deliveriesOf(webhook)
      assert.deepStrictEqual(
        late.map(({ attempts, status, tries }) => [attempts.length, status, tries]),
        [
          [1, "pending", 0],
          [1, "delivered", 1]
        ]
      )
      assert.lengthOf(yield* claimOf([webhook]), 0)
      yield* store.record(
        again.map((each) => answered(each, 503, now)),
        attemptRule
      )
      assert.deepStrictEqual(
        (yield* deliveriesOf(webhook)).map(({ attempts, status, tries }) => [attempts.length, status, tries]),
        [
          [2, "pending", 1],
          [2, "delivered", 1]
        ]
      )
    })
  )

  it.effect(
    "410 disables the subscription, and its other deliveries wait for a recovery (WEBHOOK-12, WEBHOOK-14)",
    () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const { claimed, now, webhook } = yield* claimedWorld(3)
        const [gone, failing] = claimed
        assert.isDefined(gone)
        assert.isDefined(failing)
        yield* store.record([answered(gone, 410, now)], attemptRule)
        yield* store.record([answered(failing, 500, now)], attemptRule)
        assert.strictEqual(Option.getOrThrow(yield* store.find(webhook.id)).status, "disabled")
        assert.deepStrictEqual(
          (yield* deliveriesOf(webhook)).map(({ nextAttemptAt, status }) => [status, nextAttemptAt]),
          [
            ["failed", null],
            ["pending", null],
            ["pending", null]
          ]
        )
      })
  )
}
