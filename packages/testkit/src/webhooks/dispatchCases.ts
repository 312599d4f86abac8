import { Traceparent } from "@agent-marketplace/core/events/Traceparent"
import type { ClaimedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import { attemptRule, fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { deliveryIdOf } from "@agent-marketplace/core/webhooks/Delivery"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Option, Result, Stream } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { fund, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { publishedSoul, soulEvent } from "../fixtures/publishedSoul.ts"
import { answered, claimOf, deliveriesOf, dispatchedTo, happen, subscribed } from "./webhookFixtures.ts"

export const dispatchCases = (it: StoreIt): void => {
  it.effect("a delivery contains the result of fanOut and is due at the time of the event", () =>
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

  it.effect("a subscription gets the requested events of its account that occur after its creation", () =>
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

  it.effect("an event for all accounts reaches every subscribed account once (EVENT-4)", () =>
    Effect.gen(function* () {
      const author = yield* openAccount()
      const reader = yield* openAccount()
      const webhooks = [
        yield* subscribed(author, { events: ["soul.created"] }),
        yield* subscribed(reader, { events: ["soul.created"] }),
        yield* subscribed(reader)
      ]
      const deaf = yield* subscribed(reader, { events: ["soul.updated"] })
      const soul = yield* publishedSoul(author, {}, { audience: "everyone" })
      for (const webhook of webhooks) {
        const got = (yield* dispatchedTo(webhook, 1)).filter(({ payload }) => payload.includes(soul.id))
        assert.deepStrictEqual(
          got.map(({ event }) => event),
          ["soul.created"]
        )
      }
      assert.lengthOf(yield* deliveriesOf(deaf), 0)
    })
  )

  it.effect("an event for the users of a soul reaches its author, license holders and downloaders (EVENT-5)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const { buyer, seller } = yield* market(usdt(100))
      const [reader, refunded, stranger] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
      const soul = yield* publishedSoul(seller, { price: usdt(5) })
      yield* fund(refunded, usdt(10))
      resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
      const { purchase } = resultOf(yield* settle(Commands.buy(refunded, soul)), "Bought")
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      yield* souls.download(soul, reader.id, (current) => soulEvent("soul.downloaded", current))
      const listening = { events: ["soul.updated" as const] }
      const got = [
        yield* subscribed(seller, listening),
        yield* subscribed(buyer, listening),
        yield* subscribed(reader, listening)
      ]
      const not = [yield* subscribed(refunded, listening), yield* subscribed(stranger, listening)]
      yield* souls.modify(soul.slug, (before) =>
        Result.succeed({
          soul: { ...before, version: 2, content: "# SOUL\n\nNew." },
          events: [{ ...soulEvent("soul.updated", before), audience: "users" as const }]
        })
      )
      for (const webhook of got) assert.lengthOf(yield* dispatchedTo(webhook, 1), 1)
      for (const webhook of not) assert.lengthOf(yield* deliveriesOf(webhook), 0)
    })
  )

  it.effect("an agent's subscription gets the agent's events, the account's gets all (WEBHOOK-5)", () =>
    Effect.gen(function* () {
      const { buyer, item } = yield* market(usdt(100))
      const second = yield* listingOnSale(yield* openAccount(), { price: usdt(1) })
      const agent = yield* claimedAgent(buyer.id)
      const listening = { events: ["purchase.completed" as const] }
      const own = yield* subscribed(buyer, listening)
      const agents = yield* subscribed(buyer, { ...listening, agentId: agent.id })
      const others = yield* subscribed(buyer, { ...listening, agentId: freshId("agt") })
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, second, { agentId: agent.id })), "Bought")
      assert.lengthOf(yield* dispatchedTo(own, 2), 2)
      const [delivery, ...more] = yield* deliveriesOf(agents)
      assert.lengthOf(more, 0)
      assert.include(delivery?.payload, purchase.id)
      assert.lengthOf(yield* deliveriesOf(others), 0)
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

  it.effect("soon after a delivery becomes due every listener is notified", () =>
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

  it.effect(
    "a delivery keeps the trace context of its event, through attempts, replays and recoveries (SYSTEM-23)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const store = yield* WebhookStore
        const account = yield* openAccount()
        const webhook = yield* subscribed(account)
        const contexts = ["1", "2", undefined].map((digit) =>
          digit === undefined ? undefined : `00-${digit.repeat(32)}-00f067aa0ba902b7-01`
        )
        for (const traceparent of contexts)
          yield* settle(Traceparent.on(Commands.deposit(account, usdt(1), yield* clock.now), traceparent))
        yield* dispatchedTo(webhook, 3)
        const keeps = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedDelivery>) {
          assert.deepStrictEqual(claimed.map(({ delivery }) => delivery.traceparent).toSorted(), contexts.toSorted())
          const listed = new Map((yield* deliveriesOf(webhook)).map(({ id, traceparent }) => [id, traceparent]))
          for (const { delivery } of claimed) assert.strictEqual(listed.get(delivery.id), delivery.traceparent)
        })
        const claimed = yield* claimOf([webhook])
        yield* keeps(claimed)
        const now = yield* clock.now
        yield* store.record(
          claimed.map((each) => answered(each, 500, now)),
          attemptRule
        )
        assert.strictEqual(yield* store.recover(webhook.id, 0, now), 3)
        yield* keeps(yield* claimOf([webhook]))
        for (const { delivery } of claimed) assert.isTrue(yield* store.replay(delivery.id, now))
        const tested = claimed.find(({ delivery }) => delivery.traceparent !== undefined)?.delivery
        assert.isDefined(tested)
        const id = deliveryIdOf("evt_0000000000tested", webhook.id)
        const added = Option.getOrThrow(yield* store.add({ ...tested, id }, 60))
        assert.strictEqual(added.delivery.traceparent, tested.traceparent)
        assert.strictEqual(Option.getOrThrow(yield* store.findDelivery(id)).delivery.traceparent, tested.traceparent)
      })
  )
}
