import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeSharedReads } from "../src/SharedReads.ts"

/** A read that is answered by hand, and how often it was begun. */
const scripted = Effect.gen(function* () {
  const shared = yield* makeSharedReads<number, StoreUnavailable>()
  const begun: Array<Deferred.Deferred<number, StoreUnavailable>> = []
  const read = Effect.suspend(() => {
    const answered = Deferred.makeUnsafe<number, StoreUnavailable>()
    begun.push(answered)
    return Deferred.await(answered)
  })
  const turns = Effect.repeat(Effect.yieldNow, { times: 20 })
  const ask = (key: string) => Effect.forkChild(shared(key, read)).pipe(Effect.tap(() => turns))
  const answer = (n: number, exit: Exit.Exit<number, StoreUnavailable>) =>
    Effect.andThen(
      Effect.sync(() => begun[n] && Deferred.doneUnsafe(begun[n], exit)),
      turns
    )
  return { answer, ask, begun }
})

describe("shared reads", () => {
  it.effect("run the same read once at a time, and answer all that waited with the next one", () =>
    Effect.gen(function* () {
      const { answer, ask, begun } = yield* scripted
      const first = yield* ask("same")
      const waiting = yield* Effect.forEach([1, 2, 3], () => ask("same"))
      assert.strictEqual(begun.length, 1)
      yield* answer(0, Exit.succeed(1))
      assert.strictEqual(yield* Fiber.join(first), 1)
      assert.strictEqual(begun.length, 2)
      yield* answer(1, Exit.succeed(2))
      assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), [2, 2, 2])
      yield* ask("same")
      assert.strictEqual(begun.length, 3)
    })
  )

  it.effect("let different reads run beside each other", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* scripted
      yield* ask("one")
      yield* ask("other")
      assert.strictEqual(begun.length, 2)
    })
  )

  it.effect("go on for the others when one of those who wait has gone", () =>
    Effect.gen(function* () {
      const { answer, ask } = yield* scripted
      const first = yield* ask("same")
      const [gone, stays] = [yield* ask("same"), yield* ask("same")]
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(gone)
      yield* answer(0, Exit.succeed(1))
      yield* answer(1, Exit.succeed(2))
      assert.strictEqual(yield* Fiber.join(stays), 2)
    })
  )

  it.effect("tell a failure to all that wait, and read again for who comes after", () =>
    Effect.gen(function* () {
      const { answer, ask, begun } = yield* scripted
      const waiting = [yield* ask("same"), yield* ask("same")]
      yield* answer(0, Exit.fail(new StoreUnavailable({ cause: "away" })))
      const exits = yield* Effect.forEach(waiting, Fiber.await)
      assert.isTrue(exits.every(Exit.isFailure))
      yield* ask("same")
      assert.strictEqual(begun.length, 2)
    })
  )
})
