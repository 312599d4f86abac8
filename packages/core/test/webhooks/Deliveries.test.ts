import { answer, ScriptedReceivers } from "@agent-marketplace/fixtures/webhooks/ScriptedReceivers"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { RetrySchedule } from "../../src/webhooks/RetrySchedule.ts"
import { WebhookStore } from "../../src/webhooks/WebhookStore.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { happen, logOf, pass, runDue, signUp, subscribe, webhookMarket } from "./fixtures/webhookMarket.ts"

const hour = 3_600_000
const day = 24 * hour

/** A caller with one subscription, and receivers that respond with this status. */
const failing = Effect.fnUntraced(function* (statusCode: number, retryAfter: string | null = null) {
  const receivers = yield* ScriptedReceivers
  receivers.answerWith(() => Effect.succeed(answer(statusCode, retryAfter)))
  const caller = yield* signUp
  return { caller, receivers, webhook: yield* subscribe(caller) }
})

describe("deliveries on the market's time (DELIVERY-7, DELIVERY-6)", () => {
  it.effect(
    "are attempted immediately and after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, each delay after the previous attempt, and then fail (DELIVERY-5, DELIVERY-7)",
    () =>
      Effect.gen(function* () {
        const { caller, receivers, webhook } = yield* failing(500)
        yield* happen(caller)
        yield* runDue
        for (const [tries, planned] of RetrySchedule.delays.entries()) {
          assert.lengthOf(receivers.requests, tries + 1)
          // The attempt takes 3 ms.
          yield* pass(planned + 2)
          yield* runDue
          assert.lengthOf(receivers.requests, tries + 1, `no earlier than after ${planned} ms`)
          yield* pass(planned * 0.1 + 2)
          yield* runDue
        }
        assert.lengthOf(receivers.requests, 8)
        const [delivery] = yield* logOf(caller, webhook)
        assert.strictEqual(delivery?.status, "failed")
        assert.isNull(delivery?.nextAttemptAt)
        assert.lengthOf(delivery?.attempts ?? [], 8)
        for (const { error, responseBody, statusCode } of delivery?.attempts ?? []) {
          assert.deepStrictEqual([statusCode, error, responseBody], [500, "HTTP 500", "said 500"])
        }
        yield* pass(3 * day)
        yield* runDue
        assert.lengthOf(receivers.requests, 8)
        assert.lengthOf(new Set(receivers.requests.map(({ headers }) => headers["webhook-id"])), 1)
        assert.lengthOf(new Set(receivers.requests.map(({ body }) => body)), 1)
        assert.lengthOf(new Set(receivers.requests.map(({ headers }) => headers["x-service-timestamp"])), 8)
      }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a replay by the owner is sent immediately, however long the receiver has failed", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, receivers, webhook } = yield* failing(500)
      yield* happen(caller, 6)
      yield* runDue
      const [first] = yield* logOf(caller, webhook)
      assert.lengthOf(receivers.requests, 6, "the circuit is open")
      receivers.answerWith(() => Effect.succeed(answer(200)))
      if (first === undefined) return yield* Effect.die("no delivery")
      yield* webhooks.replay(caller, first.id)
      yield* runDue
      assert.include(
        (yield* logOf(caller, webhook)).map(({ id, status }) => `${id} ${status}`),
        `${first.id} delivered`
      )
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a recovery is sent immediately, even if the receiver has failed until then", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, receivers, webhook } = yield* failing(500)
      yield* happen(caller, 6)
      yield* runDue
      receivers.answerWith(() => Effect.succeed(answer(200)))
      assert.strictEqual(yield* webhooks.recover(caller, webhook.id, 0), 6)
      yield* runDue
      assert.deepStrictEqual(
        (yield* logOf(caller, webhook)).map(({ status }) => status),
        Array.from({ length: 6 }, () => "delivered")
      )
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect(
    "5 days of failures without a success disable the subscription; later events are kept and can be recovered (WEBHOOK-13, WEBHOOK-14)",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { caller, receivers, webhook } = yield* failing(503)
        const status = Effect.map(webhooks.get(caller, webhook.id), (now) => now.status)
        for (let halfDays = 0; halfDays < 10; halfDays++) {
          yield* happen(caller)
          yield* runDue
          assert.strictEqual(yield* status, "active", `after ${halfDays / 2} days`)
          yield* pass(12 * hour)
        }
        yield* runDue
        assert.strictEqual(yield* status, "disabled")
        const requested = receivers.requests.length
        yield* happen(caller)
        yield* pass(2 * day)
        yield* runDue
        assert.lengthOf(receivers.requests, requested, "nothing is sent while it is disabled")
        const refused = yield* Effect.flip(webhooks.recover(caller, webhook.id, 0))
        assert.strictEqual(refused._tag, "Conflict")

        receivers.answerWith(() => Effect.succeed(answer(200)))
        yield* webhooks.update(caller, webhook.id, { status: "active" })
        yield* runDue
        assert.lengthOf(receivers.requests, requested, "it is sent when it is requested")
        assert.strictEqual(yield* webhooks.recover(caller, webhook.id, 0), 11)
        yield* runDue
        const log = yield* logOf(caller, webhook)
        assert.deepStrictEqual(
          log.map(({ status }) => status),
          Array.from({ length: 11 }, () => "delivered")
        )
        assert.lengthOf(receivers.requests, requested + 11)
      }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a success restarts the 5 days", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, receivers, webhook } = yield* failing(500)
      for (let days = 0; days < 9; days++) {
        receivers.answerWith(() => Effect.succeed(answer(days === 4 ? 204 : 500)))
        yield* happen(caller)
        yield* runDue
        yield* pass(day)
      }
      assert.strictEqual((yield* webhooks.get(caller, webhook.id)).status, "active")
      receivers.answerWith(() => Effect.succeed(answer(500)))
      yield* pass(day)
      yield* runDue
      assert.strictEqual((yield* webhooks.get(caller, webhook.id)).status, "disabled")
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("410 disables the subscription immediately (WEBHOOK-12)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, webhook } = yield* failing(410)
      yield* happen(caller)
      yield* runDue
      assert.strictEqual((yield* webhooks.get(caller, webhook.id)).status, "disabled")
      const [delivery] = yield* logOf(caller, webhook)
      assert.deepStrictEqual([delivery?.status, delivery?.nextAttemptAt], ["failed", null])
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("Retry-After is honoured, and every 2xx is delivered while no 3xx is (DELIVERY-6, DELIVERY-8)", () =>
    Effect.gen(function* () {
      const { caller, receivers, webhook } = yield* failing(429, "3600")
      yield* happen(caller)
      yield* runDue
      yield* pass(hour - 1)
      yield* runDue
      assert.lengthOf(receivers.requests, 1)
      receivers.answerWith(() => Effect.succeed(answer(302)))
      yield* pass(10)
      yield* runDue
      receivers.answerWith(() => Effect.succeed(answer(299)))
      yield* pass(hour)
      yield* runDue
      const [delivery] = yield* logOf(caller, webhook)
      assert.strictEqual(delivery?.status, "delivered")
      assert.deepStrictEqual(
        delivery?.attempts.map(({ error }) => error),
        ["HTTP 429", "HTTP 302: redirects are not followed", null]
      )
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a rotated secret also signs for 24 hours (WEBHOOK-7)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, receivers, webhook } = yield* failing(200)
      yield* webhooks.rotateSecret(caller, webhook.id)
      yield* happen(caller)
      yield* pass(day - 1)
      yield* runDue
      assert.property(receivers.requests[0]?.headers, "x-service-signature-previous")
      assert.match(receivers.requests[0]?.headers["webhook-signature"] ?? "", /^v1,\S+ v1,\S+$/)
      yield* happen(caller)
      yield* pass(1)
      yield* runDue
      assert.notProperty(receivers.requests[1]?.headers, "x-service-signature-previous")
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect(
    "a secret that no key can decrypt any more is reported in the delivery log, and a rotation fixes it immediately",
    () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const webhooks = yield* Webhooks
        const { caller, receivers, webhook } = yield* failing(200)
        const lost = { ...webhook, secret: "v1.sealed-with-a-key-that-is-gone" }
        yield* store.update(webhook.id, webhook.accountId, () => Result.succeed(lost))
        const tested = yield* webhooks.test(caller, webhook.id)
        assert.include(tested.attempts[0]?.error, "cannot be decrypted")
        assert.lengthOf(receivers.requests, 0)
        yield* webhooks.rotateSecret(caller, webhook.id)
        const again = yield* webhooks.test(caller, webhook.id)
        assert.strictEqual(again.status, "delivered")
      }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a test is sent immediately and returns its attempt; a failed one is retried like any other delivery", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { caller, receivers, webhook } = yield* failing(500)
      const tested = yield* webhooks.test(caller, webhook.id)
      assert.deepStrictEqual([tested.event, tested.status, tested.attempts.length], ["webhook.test", "pending", 1])
      const { data, event } = JSON.parse(String(receivers.requests[0]?.body ?? "")) as Record<string, unknown>
      assert.deepStrictEqual([event, data], ["webhook.test", { webhookId: webhook.id }])
      receivers.answerWith(() => Effect.succeed(answer(200)))
      yield* pass(6000)
      yield* runDue
      const [delivery] = yield* logOf(caller, webhook)
      assert.deepStrictEqual([delivery?.id, delivery?.status], [tested.id, "delivered"])
      assert.strictEqual(receivers.requests[1]?.headers["webhook-id"], tested.id)
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("the log is kept for 30 days (DELIVERY-11)", () =>
    Effect.gen(function* () {
      const { caller, webhook } = yield* failing(200)
      yield* happen(caller)
      yield* runDue
      yield* pass(30 * day)
      yield* runDue
      assert.lengthOf(yield* logOf(caller, webhook), 1)
      yield* pass(hour)
      yield* runDue
      assert.lengthOf(yield* logOf(caller, webhook), 0)
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a secret provided by the caller is stored encrypted and never returned", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const caller = yield* signUp
      const provided = Redacted.make("a secret of my own")
      const { secret, webhook } = yield* webhooks.create(caller, {
        url: "https://receiver.example.com",
        events: ["*", "*"],
        secret: provided
      })
      assert.isNull(secret)
      assert.notInclude(JSON.stringify(webhook), "a secret of my own")
      assert.deepStrictEqual(webhook.events, ["*"])
    }).pipe(Effect.provide(webhookMarket))
  )
})
