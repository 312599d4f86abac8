import { fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { deliveryIdOf } from "@agent-marketplace/core/webhooks/Delivery"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { deliveriesOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

export const dispatchCases = (it: StoreIt): void => {
  it.effect("a delivery carries what fanOut makes of the event, due when it happened", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      const command = Commands.deposit(account, usdt(3), yield* clock.now)
      yield* settle(command)
      const [delivery, ...more] = yield* dispatchedTo(webhook, 1)
      assert.lengthOf(more, 0)
      assert.isDefined(delivery)
      const events = yield* subjectEvents(`${command.deposit.txid}:${command.deposit.logIndex}`)
      assert.lengthOf(events, 1)
      const [event] = events
      assert.isDefined(event)
      const [made] = fanOut(event, [webhook])
      assert.deepStrictEqual(delivery, { ...(made ?? assert.fail("no delivery")), attempts: [] })
      assert.strictEqual(delivery.id, deliveryIdOf(event.id, webhook.id))
      assert.strictEqual(delivery.nextAttemptAt, event.at)
    })
  )

  it.effect("a subscription gets what its account is told of, of the kinds it asked for, from its beginning on", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const stranger = yield* openAccount()
      yield* happen(account)
      const all = yield* subscribed(account)
      const deaf = yield* subscribed(account, { events: ["soul.created"] })
      const strange = yield* subscribed(stranger)
      yield* happen(account, 2)
      yield* happen(stranger)
      yield* dispatchedTo(strange, 1)
      const got = yield* dispatchedTo(all, 2)
      assert.deepStrictEqual(
        got.map(({ payload }) => (JSON.parse(payload) as { data: { amount: string } }).data.amount),
        ["1.00", "2.00"]
      )
      assert.lengthOf(yield* deliveriesOf(deaf), 0)
      assert.lengthOf(yield* deliveriesOf(strange), 1)
    })
  )

  it.effect("8 dispatchers make one delivery per event and subscription while 96 writers commit (EVENT-14)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const other = yield* openAccount()
      const webhooks = [yield* subscribed(account), yield* subscribed(account), yield* subscribed(other)]
      const now = yield* clock.now
      const writing = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 96 }),
          (_, n) => settle(Commands.deposit(n % 2 === 0 ? account : other, usdt(1 + n), now)),
          { concurrency: 16 }
        )
      )
      const dispatching = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 8 }), () => Effect.forever(store.dispatch(5, fanOut)), {
          concurrency: "unbounded"
        })
      )
      yield* Fiber.join(writing)
      for (const webhook of webhooks) yield* dispatchedTo(webhook, 48)
      yield* Fiber.interrupt(dispatching)
      for (const webhook of webhooks) {
        const got = yield* deliveriesOf(webhook)
        assert.lengthOf(got, 48)
        assert.lengthOf(new Set(got.map(({ payload }) => payload)), 48)
      }
    })
  )

  it.effect("soon after something became due everybody who listens is told", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const account = yield* openAccount()
      const webhook = yield* subscribed(account)
      let ticks = 0
      const listening = yield* Effect.forkChild(Stream.runForEach(store.due, () => Effect.sync(() => ticks++)))
      yield* eventually(
        "a first tick",
        Effect.sync(() => ticks > 0)
      )
      yield* happen(account)
      const before = ticks
      yield* dispatchedTo(webhook, 1)
      yield* eventually(
        "a tick",
        Effect.sync(() => ticks > before)
      )
      yield* Fiber.interrupt(listening)
    })
  )
}
