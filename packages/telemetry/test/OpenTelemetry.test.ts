import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { openTelemetry } from "@agent-marketplace/telemetry/OpenTelemetry"
import { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Effect, Layer, Logger, Metric, Redacted } from "effect"
import { assert, describe, it } from "vitest"

const requests = Metric.counter("test_requests_total", { description: "Requests of the test.", incremental: true })

const work = Effect.gen(function* () {
  yield* Metric.update(requests, 3)
  yield* Effect.logInfo("a line of the log")
}).pipe(Effect.withSpan("a unit of work"))

/** Runs the effect in a process that exports to the collector, until its end. */
const run = (collector: Receiver, effect: Effect.Effect<void>) => {
  const { metrics, signals } = openTelemetry({
    endpoint: new URL(collector.url).origin,
    headers: { authorization: Redacted.make("Bearer of-the-test") },
    serviceName: "test",
    serviceVersion: "1.2.3"
  })
  const layer = metrics.pipe(Layer.provideMerge(ProcessMetrics.layer), Layer.provideMerge(signals))
  return Effect.runPromise(Effect.provide(effect, Layer.provide(layer, Logger.layer([]))))
}

const attribute = (key: string, value: string) => `{"key":"${key}","value":{"stringValue":"${value}"}}`

describe("openTelemetry (SYSTEM-21, SYSTEM-22)", () => {
  it("exports the rest of traces, metrics and logs at the end, with the resource and the headers", async () => {
    const collector = await startReceiver()
    await run(collector, work)
    for (const [path, text] of [
      ["/v1/traces", '"name":"a unit of work"'],
      ["/v1/metrics", '"name":"test_requests_total"'],
      ["/v1/metrics", '"name":"process_resident_memory_bytes"'],
      ["/v1/logs", '"stringValue":"a line of the log"']
    ] as const) {
      const found = collector.received.find((each) => each.path === path && each.body.includes(text))
      assert.isDefined(found, `${path} ${text}`)
      assert.strictEqual(found?.headers.authorization, "Bearer of-the-test")
      assert.include(found?.body, attribute("service.name", "test"))
      assert.include(found?.body, attribute("service.version", "1.2.3"))
      assert.match(found?.body ?? "", /"service\.instance\.id","value":\{"stringValue":"[\da-f-]{36}"/)
    }
    const log = collector.received.find(({ path }) => path === "/v1/logs")
    assert.match(log?.body ?? "", /"traceId":"[\da-f]{32}"/, "a line of the log carries its trace")
    await collector.close()
  })

  it("a collector that never answers delays neither the work nor the end of the process for long", async () => {
    const collector = await startReceiver(() => {})
    const started = performance.now()
    let worked = 0
    await run(
      collector,
      Effect.andThen(
        Effect.repeat(work, { times: 5000 }),
        Effect.sync(() => (worked = performance.now() - started))
      )
    )
    assert.isBelow(worked, 3000)
    assert.isBelow(performance.now() - started, 9000)
    assert.isAtMost(collector.received.length, 8, "exports in flight are bounded")
    await collector.close()
  })
})
