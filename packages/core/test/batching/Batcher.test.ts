import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result, Scope } from "effect"
import { makeBatcher } from "../../src/batching/Batcher.ts"

const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

/** A batcher whose runs end when the test decides. Each item's result is ten times the item. */
const scripted = Effect.fnUntraced(function* (failWaiting: boolean) {
  const runs: Array<{ readonly items: ReadonlyArray<number>; readonly end: Deferred.Deferred<void, string> }> = []
  const batcher = yield* makeBatcher<number, number, string>({
    size: 3,
    inFlight: 1,
    failWaiting,
    run: (items) =>
      Effect.suspend(() => {
        const end = Deferred.makeUnsafe<void, string>()
        runs.push({ items, end })
        return Effect.as(
          Deferred.await(end),
          items.map((item) => (item < 0 ? Result.fail(`no ${item}`) : Result.succeed(item * 10)))
        )
      })
  })
  const end = (run: number, exit: Exit.Exit<void, string>) =>
    Effect.andThen(
      Effect.sync(() => runs[run] && Deferred.doneUnsafe(runs[run].end, exit)),
      turns
    )
  const submit = (...items: ReadonlyArray<number>) =>
    Effect.tap(
      Effect.forEach(items, (item) => Effect.forkDetach(Effect.exit(batcher.submit(item)))),
      turns
    )
  return { batcher, end, runs, submit }
})

describe("a batcher", () => {
  it.effect("runs items that are submitted together immediately, and collects later ones up to the batch size", () =>
    Effect.gen(function* () {
      const { end, runs, submit } = yield* scripted(false)
      const first = yield* submit(1, 2)
      const later = yield* submit(3, -4, 5, 6)
      yield* end(0, Exit.void)
      yield* end(1, Exit.void)
      yield* end(2, Exit.void)
      assert.deepStrictEqual(
        runs.map(({ items }) => items),
        [[1, 2], [3, -4, 5], [6]]
      )
      const exits = yield* Effect.forEach([...first, ...later], Fiber.join)
      assert.deepStrictEqual(exits, [
        Exit.succeed(10),
        Exit.succeed(20),
        Exit.succeed(30),
        Exit.fail("no -4"),
        Exit.succeed(50),
        Exit.succeed(60)
      ])
    }).pipe(Effect.scoped)
  )

  for (const failWaiting of [true, false]) {
    it.effect(`a failed run fails its own items${failWaiting ? " and the waiting ones" : " only"}`, () =>
      Effect.gen(function* () {
        const { end, runs, submit } = yield* scripted(failWaiting)
        const [one] = yield* submit(1)
        const [two] = yield* submit(2)
        yield* end(0, Exit.fail("away"))
        yield* end(1, Exit.void)
        assert.lengthOf(runs, failWaiting ? 1 : 2)
        const joined = (fiber: typeof one) => (fiber === undefined ? Effect.die("no fiber") : Fiber.join(fiber))
        assert.deepStrictEqual(yield* joined(one), Exit.fail("away"))
        assert.deepStrictEqual(yield* joined(two), failWaiting ? Exit.fail("away") : Exit.succeed(20))
      }).pipe(Effect.scoped)
    )
  }

  it.effect("runs the items of interrupted callers, and its scope closes only after that", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { end, runs, submit } = yield* Scope.provide(scripted(false), scope)
      yield* submit(1)
      const [interrupted] = yield* submit(2)
      if (interrupted !== undefined) yield* Fiber.interrupt(interrupted)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* turns
      assert.isUndefined(closing.pollUnsafe())
      yield* end(0, Exit.void)
      assert.isUndefined(closing.pollUnsafe())
      yield* end(1, Exit.void)
      assert.deepStrictEqual(runs[1]?.items, [2])
      yield* Fiber.join(closing)
    })
  )
})
