import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { PostgresMarketClock } from "../../src/clock/PostgresMarketClock.ts"
import { Notifications } from "../../src/Notifications.ts"
import { stubDatabase } from "../stubDatabase.ts"

type Answer = Effect.Effect<{ readonly millis: number; readonly moved: number }, StoreUnavailable>

/** A clock on a database whose answers the test decides; `readings` counts them. */
const clockOn = Effect.fnUntraced(function* (database: { answer: Answer }) {
  const count = { readings: 0 }
  const stubs = Layer.merge(
    stubDatabase(() =>
      Effect.suspend(() => {
        count.readings += 1
        return Effect.map(database.answer, (row) => [row])
      })
    ),
    Layer.mock(Notifications)({ id: 1, live: Effect.succeed(true), stream: () => Stream.never, hint: () => {} })
  )
  const context = yield* Layer.build(Layer.provide(PostgresMarketClock.layer, stubs))
  return { clock: Context.get(context, MarketClock), count }
})

const answers = (millis: number): Answer => Effect.succeed({ millis, moved: 0 })

/** Advances the system's clock only, as a suspension of the machine does. */
const suspendFor = (millis: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = Date.now
      return vi.spyOn(Date, "now").mockImplementation(() => original() + millis)
    }),
    (spy) => Effect.sync(() => spy.mockRestore())
  )

describe("the readings of the market's time (DATABASE-6)", () => {
  it.effect("after a suspension, the time is read once more before it is returned", () =>
    Effect.gen(function* () {
      const database = { answer: answers(1_000_000) }
      const { clock, count } = yield* clockOn(database)
      assert.isBelow(yield* clock.now, 2_000_000)
      assert.strictEqual(count.readings, 1)
      yield* suspendFor(300)
      database.answer = answers(2_000_000)
      assert.isAtLeast(yield* clock.now, 2_000_000)
      yield* clock.now
      assert.strictEqual(count.readings, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("while the database does not answer, all callers share one attempt, which fails after 4 seconds", () =>
    Effect.gen(function* () {
      const database = { answer: answers(1_000_000) }
      const { clock, count } = yield* clockOn(database)
      yield* suspendFor(300)
      database.answer = Effect.never
      const callers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(Effect.exit(clock.now), { startImmediately: true })
      )
      yield* TestClock.adjust("4 seconds")
      const exits = yield* Fiber.joinAll(callers)
      for (const exit of exits) assert.isTrue(Exit.isFailure(exit))
      assert.isAtMost(count.readings, 3, "the first reading, the shared attempt, and the next one in the background")
    }).pipe(Effect.scoped)
  )
})
