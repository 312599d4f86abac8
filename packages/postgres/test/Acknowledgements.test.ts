import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, PubSub, Stream } from "effect"
import { TestClock } from "effect/testing"
import { makeAcknowledgements } from "../src/Acknowledgements.ts"
import { leaves } from "../src/Listeners.ts"
import type { Notice } from "../src/Notifications.ts"
import { Notifications } from "../src/Notifications.ts"
import { stubDatabase } from "./stubDatabase.ts"

type Listeners = (typeof Notifications.Service)["listeners"]

/** An announcement that waits for these listeners. */
const announcementTo = Effect.fnUntraced(function* (listeners: Listeners) {
  const notices = yield* PubSub.unbounded<Notice>()
  const stubs = Layer.merge(
    Layer.mock(Notifications)({ id: 1, listeners, stream: () => Stream.fromPubSub(notices), hint: () => {} }),
    stubDatabase(() => Effect.succeed([]))
  )
  const { announcing } = yield* Effect.provide(makeAcknowledgements, stubs)
  const made = { token: "" }
  const fiber = yield* Effect.forkChild(
    announcing(({ acknowledgedByAll, token }) => {
      made.token = token
      return acknowledgedByAll
    }),
    { startImmediately: true }
  )
  // Lets other fibers read the listeners and handle messages.
  const settled = Effect.repeat(Effect.yieldNow, { times: 20 })
  yield* settled
  return {
    token: made.token,
    hear: (payload: string) => Effect.andThen(PubSub.publish(notices, { _tag: "Announced", payload }), settled),
    waits: Effect.sync(() => fiber.pollUnsafe() === undefined),
    fiber
  }
})

const unavailable = new StoreUnavailable({ cause: "a test" })

describe("Acknowledgements (KEY-6, DATABASE-6)", () => {
  for (const [name, listeners] of [
    ["are unknown", Effect.as(Effect.void, undefined)],
    ["cannot be read", Effect.fail(unavailable)],
    ["are never returned", Effect.never],
    ["include one that does not answer", Effect.succeed(new Set([1, 2]))]
  ] as const)
    it.effect(`an announcement waits for 2 seconds if the listeners ${name}`, () =>
      Effect.gen(function* () {
        const { fiber, hear, token, waits } = yield* announcementTo(listeners)
        yield* hear(`${token} 1`)
        yield* TestClock.adjust("1999 millis")
        assert.isTrue(yield* waits)
        yield* TestClock.adjust("1 millis")
        yield* Fiber.join(fiber)
      }).pipe(Effect.scoped)
    )

  it.effect("an announcement ends once every listener has acknowledged it, in any order", () =>
    Effect.gen(function* () {
      const { fiber, hear, token, waits } = yield* announcementTo(Effect.succeed(new Set([1, 2])))
      yield* hear(`${token} 2`)
      yield* hear("another 1")
      assert.isTrue(yield* waits)
      yield* hear(`${token} 1`)
      yield* Fiber.join(fiber)
    }).pipe(Effect.scoped)
  )

  it.effect("a process that leaves counts as having acknowledged", () =>
    Effect.gen(function* () {
      const { fiber, hear, token, waits } = yield* announcementTo(Effect.succeed(new Set([1, 2])))
      yield* hear(`${token} 1`)
      yield* hear(`${leaves} 3`)
      assert.isTrue(yield* waits, "another process left")
      yield* hear(`${leaves} 2`)
      yield* Fiber.join(fiber)
    }).pipe(Effect.scoped)
  )
})
