import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Settled } from "@agent-marketplace/core/settlement/Outcome"
import { Effect, Layer, Option, Result, Tracer } from "effect"
import { recordedSpans } from "@agent-marketplace/testkit/fixtures/recordedSpans"
import { assert, describe, it } from "vitest"

const command = {
  _tag: "RejectWaiting",
  accountId: "usr_1" as never,
  agentId: null,
  reason: "frozen"
} satisfies Command

/** Settles everything at once, each with the same result. */
const store = Layer.succeed(SettlementStore, {
  settle: (commands) => Effect.succeed(commands.map(() => Result.succeed(undefined as unknown as Settled))),
  underWayDone: Effect.void
})

describe("the trace of a settlement (SYSTEM-23)", () => {
  it("a batch is a span in the trace of its first recorded caller and links to the others", async () => {
    const { spans, tracer } = recordedSpans()
    const submits = Effect.flatMap(Settlement, ({ submit }) => submit(command))
    const unsampled = Tracer.externalSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false })
    const callers = [
      Effect.withSpan(submits, "unsampled", { parent: unsampled }),
      ...["one", "two", "three"].map((name) => Effect.withSpan(submits, name))
    ]
    await Effect.runPromise(
      Effect.all(callers, { concurrency: callers.length }).pipe(
        Effect.provide(Settlement.layer.pipe(Layer.provide(store))),
        Effect.provideService(Tracer.Tracer, tracer)
      )
    )
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [batch, ...more] = named("Settlement.settle")
    assert.deepStrictEqual(more, [])
    const [one, two, three, other] = ["one", "two", "three", "unsampled"].map((name) => named(name)[0]?.spanId)
    assert.strictEqual(batch === undefined ? undefined : Option.getOrThrow(batch.parent).spanId, one)
    assert.strictEqual(batch?.traceId, named("one")[0]?.traceId)
    assert.isTrue(batch?.sampled)
    assert.deepStrictEqual(
      batch?.links.map(({ span }) => span.spanId),
      [other, two, three]
    )
  })

  it("each command of a batch carries the trace context of its own caller; without a recorded span it is unchanged", async () => {
    const settled: Array<Command> = []
    const keeping = Layer.succeed(SettlementStore, {
      settle: (commands) => {
        settled.push(...commands)
        return Effect.succeed(commands.map(() => Result.succeed(undefined as unknown as Settled)))
      },
      underWayDone: Effect.void
    })
    const { spans, tracer } = recordedSpans()
    const submits = Effect.flatMap(Settlement, ({ submit }) => submit(command))
    const unsampled = Tracer.externalSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false })
    const foreign = Tracer.externalSpan({ traceId: "not hexadecimal", spanId: "2".repeat(16) })
    const callers = [
      Effect.withSpan(submits, "one"),
      submits,
      Effect.withSpan(submits, "unsampled", { parent: unsampled }),
      Effect.withSpan(submits, "foreign", { parent: foreign }),
      Effect.withSpan(submits, "two")
    ]
    await Effect.runPromise(
      Effect.gen(function* () {
        const recorded = Effect.all(callers, { concurrency: callers.length })
        yield* Effect.provideService(recorded, Tracer.Tracer, tracer)
        yield* Effect.withSpan(submits, "without an exporter")
        const { stop, submitAll } = yield* Settlement
        const rest = Effect.andThen(submitAll([command, command]), stop(command.accountId, null))
        yield* Effect.provideService(Effect.withSpan(rest, "three"), Tracer.Tracer, tracer)
      }).pipe(Effect.provide(Settlement.layer.pipe(Layer.provide(keeping))))
    )
    const contextOf = (name: string) => {
      const span = spans.find((each) => each.name === name)
      return `00-${span?.traceId}-${span?.spanId}-01`
    }
    assert.deepStrictEqual(
      settled.map(({ traceparent }) => traceparent),
      [contextOf("one"), undefined, undefined, undefined, contextOf("two"), undefined].concat(
        Array.from({ length: 3 }, () => contextOf("three"))
      )
    )
    assert.strictEqual(settled[1], command)
  })
})
