import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Settled } from "@agent-marketplace/core/settlement/Outcome"
import { Effect, Layer, Option, Result, Tracer } from "effect"
import { assert, describe, it } from "vitest"

const command: Command = { _tag: "RejectWaiting", accountId: "usr_1" as never, agentId: null, reason: "frozen" }

/** Settles everything at once, each with the same result. */
const store = Layer.succeed(SettlementStore, {
  settle: (commands) => Effect.succeed(commands.map(() => Result.succeed(undefined as unknown as Settled))),
  underWayDone: Effect.void
})

/** The tracer of an exporter: its spans are not those that Effect makes without one. */
const recording = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const own: Tracer.Span = {
        _tag: "Span",
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parent: span.parent,
        annotations: span.annotations,
        status: span.status,
        attributes: span.attributes,
        links: span.links,
        sampled: true,
        kind: span.kind,
        end: () => {},
        attribute: () => {},
        event: () => {},
        addLinks: () => {}
      }
      spans.push(own)
      return own
    }
  })
  return { spans, tracer }
}

describe("the trace of a settlement (SYSTEM-23)", () => {
  it("a batch is a span in the trace of its first caller and links to the others", async () => {
    const { spans, tracer } = recording()
    const buy = (name: string) =>
      Effect.withSpan(
        Effect.flatMap(Settlement, ({ submit }) => submit(command)),
        name
      )
    await Effect.runPromise(
      Effect.all([buy("one"), buy("two"), buy("three")], { concurrency: 3 }).pipe(
        Effect.provide(Settlement.layer.pipe(Layer.provide(store))),
        Effect.provideService(Tracer.Tracer, tracer)
      )
    )
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [batch, ...more] = named("Settlement.settle")
    assert.deepStrictEqual(more, [])
    const [one, two, three] = ["one", "two", "three"].map((name) => named(name)[0]?.spanId)
    assert.strictEqual(batch === undefined ? undefined : Option.getOrThrow(batch.parent).spanId, one)
    assert.strictEqual(batch?.traceId, named("one")[0]?.traceId)
    assert.deepStrictEqual(
      batch?.links.map(({ span }) => span.spanId),
      [two, three]
    )
  })
})
