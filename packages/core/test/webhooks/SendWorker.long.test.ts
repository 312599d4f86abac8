import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { answer, ScriptedReceivers } from "@agent-marketplace/fixtures/webhooks/ScriptedReceivers"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { MarketClock } from "../../src/clock/MarketClock.ts"
import { StoreUnavailable } from "../../src/errors/MarketError.ts"
import type { Caller } from "../../src/identity/Caller.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { DeliverySend } from "../../src/webhooks/DeliverySend.ts"
import { SendLimits } from "../../src/webhooks/SendLimits.ts"
import { sendWorker } from "../../src/webhooks/SendWorker.ts"
import { WebhookDispatcher } from "../../src/webhooks/WebhookDispatcher.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { WebhookStore } from "../../src/webhooks/WebhookStore.ts"
import { happen, logOf, runDue, signUp, subscribe, webhookMarket } from "./fixtures/webhookMarket.ts"

const dead = "https://dead.example.com/hook"
const well = "https://well.example.com/hook"

const delivered = Effect.fnUntraced(function* (caller: Caller, webhook: { readonly id: string }) {
  return (yield* logOf(caller, webhook)).filter(({ status }) => status === "delivered").length
})

/** Fans out all events. */
const dispatch = Effect.gen(function* () {
  const dispatcher = yield* WebhookDispatcher
  while (yield* dispatcher.dispatch);
})

/** A caller whose receiver fails, and one whose receiver is healthy. */
const twoReceivers = Effect.gen(function* () {
  const receivers = yield* ScriptedReceivers
  const sender = yield* WebhookSender
  const limits = yield* SendLimits
  const caller = yield* signUp
  const victim = yield* signUp
  yield* subscribe(victim, dead)
  const webhook = yield* subscribe(caller, well)
  return { caller, limits, receivers, sender, victim, webhook }
})

describe("the send worker", () => {
  it.effect("an event is delivered without waiting for a clock tick", () =>
    Effect.gen(function* () {
      const receivers = yield* ScriptedReceivers
      const caller = yield* signUp
      yield* subscribe(caller)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Jobs.background, scope)
      // The jobs are idle when the second event happens.
      for (let n = 1; n <= 2; n++) {
        const arrived = Deferred.makeUnsafe<void>()
        receivers.answerWith(() => Effect.as(Deferred.succeed(arrived, undefined), answer(200)))
        yield* happen(caller)
        yield* Deferred.await(arrived)
      }
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(webhookMarket))
  )

  it.live(
    "an unresponsive receiver with a long backlog delays no other and uses only its share of the worker (DELIVERY-13)",
    () =>
      Effect.gen(function* () {
        const { caller, limits, receivers, sender, victim, webhook } = yield* twoReceivers
        let hanging = 0
        receivers.answerWith(({ url }) =>
          url === dead
            ? Effect.andThen(
                Effect.sync(() => hanging++),
                Effect.never
              )
            : Effect.succeed(answer(200))
        )
        yield* happen(victim, 1000)
        yield* dispatch
        const worker = yield* Effect.forkChild(sender.run)
        yield* eventually(
          "the hanging one has its share",
          Effect.sync(() => hanging === limits.sendsPerWebhook)
        )
        yield* happen(caller, 50)
        yield* dispatch
        yield* eventually(
          "the healthy one has everything",
          Effect.map(delivered(caller, webhook), (n) => n === 50)
        )
        assert.strictEqual(hanging, limits.sendsPerWebhook)
        yield* Fiber.interrupt(worker)
      }).pipe(Effect.provide(webhookMarket))
  )

  it.live("a failing receiver is paused after its first failures, and the claims on its queue are released", () =>
    Effect.gen(function* () {
      const { caller, limits, receivers, sender, victim, webhook } = yield* twoReceivers
      let failures = 0
      receivers.answerWith(({ url }) => {
        if (url === dead) failures++
        return Effect.succeed(answer(url === dead ? 500 : 200))
      })
      yield* happen(victim, 1000)
      yield* dispatch
      const worker = yield* Effect.forkChild(sender.run)
      yield* eventually(
        "the circuit is open",
        Effect.sync(() => failures >= 5)
      )
      for (let n = 1; n <= 20; n++) {
        yield* happen(caller)
        yield* dispatch
        yield* eventually(
          "the healthy one has it",
          Effect.map(delivered(caller, webhook), (count) => count === n)
        )
      }
      assert.isAtMost(failures, 3 * limits.sendsPerWebhook)
      yield* Fiber.interrupt(worker)
    }).pipe(Effect.provide(webhookMarket))
  )

  it.live("four workers send 400 events once each; a stopped worker releases its unsent claims", () =>
    Effect.gen(function* () {
      const receivers = yield* ScriptedReceivers
      const sender = yield* WebhookSender
      const caller = yield* signUp
      yield* subscribe(caller, well)
      const ids: Array<string | undefined> = []
      receivers.answerWith(({ headers }) =>
        Effect.delay(
          Effect.sync(() => {
            ids.push(headers["webhook-id"])
            return answer(200)
          }),
          "2 millis"
        )
      )
      yield* happen(caller, 400)
      yield* dispatch
      const workers = yield* Effect.forEach(Array.from({ length: 4 }), () => Effect.forkChild(sender.run))
      yield* eventually(
        "some were sent",
        Effect.sync(() => ids.length > 50)
      )
      yield* Fiber.interrupt(workers[0] ?? (yield* Effect.die("no worker")))
      yield* eventually(
        "all were sent",
        Effect.sync(() => new Set(ids).size === 400)
      )
      assert.lengthOf(ids, 400)
      yield* Effect.forEach(workers, Fiber.interrupt, { concurrency: "unbounded" })
      yield* runDue
      assert.lengthOf(ids, 400)
    }).pipe(Effect.provide(webhookMarket))
  )

  it.live("gives a delivery back if the market's time is not known, and sends it later", () =>
    Effect.gen(function* () {
      const { caller, limits, receivers, webhook } = yield* twoReceivers
      receivers.answerWith(() => Effect.succeed(answer(200)))
      const [clock, real, store] = [yield* MarketClock, yield* DeliverySend, yield* WebhookStore]
      let attempts = 0
      const sending: DeliverySend["Service"] = {
        attempt: (claimed) =>
          attempts++ < 1 ? Effect.fail(new StoreUnavailable({ cause: "no time" })) : real.attempt(claimed)
      }
      const claim = Effect.fnUntraced(function* (limit: number) {
        const bounds = { limit, perWebhook: limits.heldPerWebhook, perHost: limits.heldPerHost, leaseSeconds: 3600 }
        return yield* store.claim({ now: yield* clock.now, ...bounds })
      })
      const worker = yield* Effect.forkChild(sendWorker({ claim, limits, sending, store }))
      yield* happen(caller)
      yield* dispatch
      yield* eventually(
        "it is delivered before its claim expires",
        Effect.map(delivered(caller, webhook), (n) => n === 1)
      )
      assert.isAbove(attempts, 1)
      yield* Fiber.interrupt(worker)
    }).pipe(Effect.provide(webhookMarket))
  )
})
