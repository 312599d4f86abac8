import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeSharedReads } from "../src/SharedReads.ts"

/** A read whose result the test supplies, and how often it was started. */
const scripted = Effect.gen(function* () {
  const shared = yield* makeSharedReads<number, StoreUnavailable>()
  const started: Array<Deferred.Deferred<number, StoreUnavailable>> = []
  const read = Effect.suspend(() => {
    const answered = Deferred.makeUnsafe<number, StoreUnavailable>()
    started.push(answered)
    return Deferred.await(answered)
  })
  const turns = Effect.repeat(Effect.yieldNow, { times: 20 })
  const request = (key: string) => Effect.forkChild(shared(key, read)).pipe(Effect.tap(() => turns))
  const answer = (n: number, exit: Exit.Exit<number, StoreUnavailable>) =>
    Effect.andThen(
      Effect.sync(() => started[n] && Deferred.doneUnsafe(started[n], exit)),
      turns
    )
  return { answer, request, started }
})

describe("shared reads", () => {
  it.effect("run the same read once at a time, and give all waiting requests the result of the next run", () =>
    Effect.gen(function* () {
      const { answer, request, started } = yield* scripted
      const first = yield* request("same")
      const waiting = yield* Effect.forEach([1, 2, 3], () => request("same"))
      assert.strictEqual(started.length, 1)
      yield* answer(0, Exit.succeed(1))
      assert.strictEqual(yield* Fiber.join(first), 1)
      assert.strictEqual(started.length, 2)
      yield* answer(1, Exit.succeed(2))
      assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), [2, 2, 2])
      yield* request("same")
      assert.strictEqual(started.length, 3)
    })
  )

  it.effect("run different reads concurrently", () =>
    Effect.gen(function* () {
      const { request, started } = yield* scripted
      yield* request("one")
      yield* request("other")
      assert.strictEqual(started.length, 2)
    })
  )

  it.effect("continue for the other requests when one is interrupted", () =>
    Effect.gen(function* () {
      const { answer, request } = yield* scripted
      const first = yield* request("same")
      const [gone, stays] = [yield* request("same"), yield* request("same")]
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(gone)
      yield* answer(0, Exit.succeed(1))
      yield* answer(1, Exit.succeed(2))
      assert.strictEqual(yield* Fiber.join(stays), 2)
    })
  )

  it.effect("report a failure to all waiting requests, and read again for later ones", () =>
    Effect.gen(function* () {
      const { answer, request, started } = yield* scripted
      const waiting = [yield* request("same"), yield* request("same")]
      yield* answer(0, Exit.fail(new StoreUnavailable({ cause: "unavailable" })))
      const exits = yield* Effect.forEach(waiting, Fiber.await)
      assert.isTrue(exits.every(Exit.isFailure))
      yield* request("same")
      assert.strictEqual(started.length, 2)
    })
  )
})
