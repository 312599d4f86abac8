import { answer, ScriptedReceivers } from "@agent-marketplace/fixtures/webhooks/ScriptedReceivers"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { recordedSpans } from "@agent-marketplace/testkit/fixtures/recordedSpans"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import * as fc from "fast-check"
import { MarketClock } from "../../src/clock/MarketClock.ts"
import { Traceparent } from "../../src/events/Traceparent.ts"
import type { Caller } from "../../src/identity/Caller.ts"
import { Settlement } from "../../src/settlement/Settlement.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { logOf, pass, runDue, signUp, subscribe, webhookMarket } from "./fixtures/webhookMarket.ts"

const deposit = Effect.fnUntraced(function* ({ accountId }: Caller) {
  const clock = yield* MarketClock
  const { submit } = yield* Settlement
  if (accountId === null) return yield* Effect.die("no account")
  return yield* submit(Commands.deposit({ id: accountId }, usdt(1), yield* clock.now))
})

const attemptsOf = (spans: ReadonlyArray<Tracer.Span>) => spans.filter(({ name }) => name === "DeliverySend.attempt")

const parentOf = ({ parent }: Tracer.Span) => Option.map(parent, ({ spanId, traceId }) => `${traceId} ${spanId}`)

describe("the traces of attempts (SYSTEM-23)", () => {
  it.effect("every attempt continues the trace of its event's request: retries, recoveries and replays too", () =>
    Effect.gen(function* () {
      const receivers = yield* ScriptedReceivers
      const webhooks = yield* Webhooks
      const caller = yield* signUp
      const webhook = yield* subscribe(caller)
      receivers.answerWith(() => Effect.succeed(answer(500)))
      const requests = recordedSpans()
      const traced = (name: string) =>
        Effect.provideService(Effect.withSpan(deposit(caller), name), Tracer.Tracer, requests.tracer)
      yield* Effect.all([traced("one"), deposit(caller), traced("two")], { concurrency: 3 })
      // Another process sends, hours later.
      yield* pass(3 * 3_600_000)
      const worker = recordedSpans()
      const working = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(effect, Tracer.Tracer, worker.tracer)
      yield* working(runDue)
      yield* pass(10_000)
      receivers.answerWith(() => Effect.succeed(answer(200)))
      yield* working(runDue)
      receivers.answerWith(() => Effect.succeed(answer(500)))
      for (const { id } of yield* logOf(caller, webhook)) yield* working(webhooks.replay(caller, id))
      yield* working(runDue)
      receivers.answerWith(() => Effect.succeed(answer(200)))
      yield* working(Effect.withSpan(webhooks.recover(caller, webhook.id, 0), "recovery"))
      yield* working(runDue)
      const attempts = attemptsOf(worker.spans)
      assert.lengthOf(attempts, 12)
      for (const name of ["one", "two"]) {
        const request = requests.spans.find((span) => span.name === name) ?? assert.fail("no span")
        const own = attempts.filter(({ traceId }) => traceId === request.traceId)
        assert.lengthOf(own, 4)
        for (const span of own)
          assert.deepStrictEqual(parentOf(span), Option.some(`${request.traceId} ${request.spanId}`))
      }
      const others = attempts.filter(({ traceId }) => requests.spans.every((span) => span.traceId !== traceId))
      assert.lengthOf(others, 4, "without a recorded request the attempts are in no request's trace")
      assert.isEmpty(
        receivers.requests.flatMap(({ headers }) => Object.keys(headers).filter((name) => /^trace|^b3$/.test(name)))
      )
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("the attempts of a test event are in the trace of the request for it", () =>
    Effect.gen(function* () {
      const receivers = yield* ScriptedReceivers
      const webhooks = yield* Webhooks
      const caller = yield* signUp
      const webhook = yield* subscribe(caller)
      receivers.answerWith(() => Effect.succeed(answer(500)))
      const { spans, tracer } = recordedSpans()
      const request = Effect.withSpan(webhooks.test(caller, webhook.id), "request")
      yield* Effect.provideService(request, Tracer.Tracer, tracer)
      yield* pass(10_000)
      yield* Effect.provideService(runDue, Tracer.Tracer, tracer)
      const trace = spans.find(({ name }) => name === "request")?.traceId
      assert.deepStrictEqual(
        attemptsOf(spans).map(({ traceId }) => traceId),
        [trace, trace]
      )
    }).pipe(Effect.provide(webhookMarket))
  )

  it("a trace context is read as it was written; any other text is ignored", () => {
    const hex = (length: number) =>
      fc
        .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
        .map((each) => each.join(""))
    fc.assert(
      fc.property(hex(32), hex(16), fc.string(), (traceId, spanId, text) => {
        const span = Traceparent.spanOf(`00-${traceId}-${spanId}-01`)
        assert.deepStrictEqual([span?.traceId, span?.spanId, span?.sampled], [traceId, spanId, true])
        assert.isUndefined(Traceparent.spanOf(text))
        assert.isUndefined(Traceparent.spanOf(`00-${traceId}-${spanId}-00`))
      })
    )
  })
})
