import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { gatheredReads } from "../src/GatheredReads.ts"

interface Row {
  readonly key: string
  readonly version: number
}

type Answer = Exit.Exit<ReadonlyArray<Row>, StoreUnavailable>

/** Reads that are answered by hand, one after the other. */
const scripted = Effect.gen(function* () {
  const begun: Array<{ readonly keys: ReadonlyArray<string>; readonly answer: (exit: Answer) => void }> = []
  const one = yield* gatheredReads<Row, StoreUnavailable>((keys) =>
    Effect.suspend(() => {
      const answered = Deferred.makeUnsafe<ReadonlyArray<Row>, StoreUnavailable>()
      begun.push({ keys, answer: (exit) => Deferred.doneUnsafe(answered, exit) })
      return Deferred.await(answered)
    })
  )
  const turns = Effect.repeat(Effect.yieldNow, { times: 20 })
  const ask = (...keys: ReadonlyArray<string>) =>
    Effect.forEach(keys, (key) => Effect.forkChild(one(key))).pipe(Effect.tap(() => turns))
  const settle = (read: number, exit: Answer) =>
    Effect.andThen(
      Effect.sync(() => begun[read]?.answer(exit)),
      turns
    )
  const answer = (read: number, version: number) =>
    Effect.suspend(() => settle(read, Exit.succeed((begun[read]?.keys ?? []).map((key) => ({ key, version })))))
  return { answer, ask, begun, settle }
})

const versions = (fibers: ReadonlyArray<Fiber.Fiber<Row | undefined, StoreUnavailable>>) =>
  Effect.forEach(fibers, (fiber) => Effect.map(Fiber.join(fiber), (row) => row?.version))

describe("gathered reads", () => {
  it.effect("ask at once for a lone reader, and for all that came meanwhile in one statement", () =>
    Effect.gen(function* () {
      const { answer, ask, begun } = yield* scripted
      const lone = yield* ask("a")
      const second = yield* ask("b")
      const late = yield* ask("c", "d", "c")
      assert.deepStrictEqual(
        begun.map(({ keys }) => keys),
        [["a"], ["b"]]
      )
      yield* answer(0, 1)
      assert.deepStrictEqual(yield* versions(lone), [1])
      yield* answer(1, 1)
      yield* answer(2, 2)
      assert.deepStrictEqual(begun[2]?.keys, ["c", "d"])
      yield* versions(second)
      assert.deepStrictEqual(yield* versions(late), [2, 2, 2])
    }).pipe(Effect.scoped)
  )

  it.effect("give nobody a row that was read before he asked", () =>
    Effect.gen(function* () {
      const { answer, ask } = yield* scripted
      const early = yield* ask("a")
      const meanwhile = yield* ask("a")
      yield* answer(0, 1)
      yield* answer(1, 2)
      assert.deepStrictEqual(yield* versions(early), [1])
      assert.deepStrictEqual(yield* versions(meanwhile), [2])
    }).pipe(Effect.scoped)
  )

  it.effect("answer a key without a row with nothing", () =>
    Effect.gen(function* () {
      const { ask, settle } = yield* scripted
      const [fiber] = yield* ask("nobody")
      yield* settle(0, Exit.succeed([]))
      assert.isUndefined(fiber && (yield* Fiber.join(fiber)))
    }).pipe(Effect.scoped)
  )

  it.effect("tell a failure to all that wait, and read again for who comes after", () =>
    Effect.gen(function* () {
      const { answer, ask, begun, settle } = yield* scripted
      const waiting = [...(yield* ask("a")), ...(yield* ask("b")), ...(yield* ask("c"))]
      yield* settle(0, Exit.fail(new StoreUnavailable({ cause: "away" })))
      yield* answer(1, 1)
      const exits = yield* Effect.forEach([waiting[0], waiting[2]], (fiber) =>
        fiber === undefined ? Effect.die("no fiber") : Fiber.await(fiber)
      )
      assert.isTrue(exits.every(Exit.isFailure))
      const after = yield* ask("d")
      assert.deepStrictEqual(begun.at(-1)?.keys, ["d"])
      yield* answer(begun.length - 1, 3)
      assert.deepStrictEqual(yield* versions(after), [3])
    }).pipe(Effect.scoped)
  )
})
