import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { gatheredReads } from "../src/GatheredReads.ts"

interface Row {
  readonly key: string
  readonly version: number
}

type Answer = Exit.Exit<ReadonlyArray<Row>, StoreUnavailable>

/** Reads whose results the test supplies, one after the other. */
const scripted = Effect.gen(function* () {
  const started: Array<{ readonly keys: ReadonlyArray<string>; readonly answer: (exit: Answer) => void }> = []
  const one = yield* gatheredReads<Row, StoreUnavailable>((keys) =>
    Effect.suspend(() => {
      const answered = Deferred.makeUnsafe<ReadonlyArray<Row>, StoreUnavailable>()
      started.push({ keys, answer: (exit) => Deferred.doneUnsafe(answered, exit) })
      return Deferred.await(answered)
    })
  )
  const turns = Effect.repeat(Effect.yieldNow, { times: 20 })
  const request = (...keys: ReadonlyArray<string>) =>
    Effect.forEach(keys, (key) => Effect.forkChild(one(key))).pipe(Effect.tap(() => turns))
  const settle = (read: number, exit: Answer) =>
    Effect.andThen(
      Effect.sync(() => started[read]?.answer(exit)),
      turns
    )
  const answer = (read: number, version: number) =>
    Effect.suspend(() => settle(read, Exit.succeed((started[read]?.keys ?? []).map((key) => ({ key, version })))))
  return { answer, request, started, settle }
})

const versions = (fibers: ReadonlyArray<Fiber.Fiber<Row | undefined, StoreUnavailable>>) =>
  Effect.forEach(fibers, (fiber) => Effect.map(Fiber.join(fiber), (row) => row?.version))

describe("gathered reads", () => {
  it.effect("run immediately for a single request, and combine requests that arrive meanwhile into one statement", () =>
    Effect.gen(function* () {
      const { answer, request, started } = yield* scripted
      const lone = yield* request("a")
      const late = [...(yield* request("b")), ...(yield* request("c", "d", "c"))]
      assert.deepStrictEqual(
        started.map(({ keys }) => keys),
        [["a"]]
      )
      yield* answer(0, 1)
      assert.deepStrictEqual(yield* versions(lone), [1])
      yield* answer(1, 2)
      assert.deepStrictEqual(started[1]?.keys, ["b", "c", "d"])
      assert.deepStrictEqual(yield* versions(late), [2, 2, 2, 2])
    }).pipe(Effect.scoped)
  )

  it.effect("run a second statement concurrently when half of the maximum number of keys wait", () =>
    Effect.gen(function* () {
      const { answer, request, started } = yield* scripted
      const numbered = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`)
      const first = yield* request("a")
      const waiting = yield* request(...numbered(15))
      assert.strictEqual(started.length, 1)
      const last = yield* request("key 15")
      assert.deepStrictEqual(started[1]?.keys, numbered(16))
      const few = yield* request("b")
      yield* answer(1, 2)
      assert.deepStrictEqual(yield* versions([...waiting, ...last]), Array<number>(16).fill(2))
      assert.strictEqual(started.length, 2)
      yield* answer(0, 1)
      assert.deepStrictEqual(yield* versions(first), [1])
      yield* answer(2, 3)
      assert.deepStrictEqual(yield* versions(few), [3])
    }).pipe(Effect.scoped)
  )

  it.effect("never return a row that was read before the request", () =>
    Effect.gen(function* () {
      const { answer, request } = yield* scripted
      const early = yield* request("a")
      const meanwhile = yield* request("a")
      yield* answer(0, 1)
      yield* answer(1, 2)
      assert.deepStrictEqual(yield* versions(early), [1])
      assert.deepStrictEqual(yield* versions(meanwhile), [2])
    }).pipe(Effect.scoped)
  )

  it.effect("return nothing for a key without a row", () =>
    Effect.gen(function* () {
      const { request, settle } = yield* scripted
      const [fiber] = yield* request("nobody")
      yield* settle(0, Exit.succeed([]))
      assert.isUndefined(fiber && (yield* Fiber.join(fiber)))
    }).pipe(Effect.scoped)
  )

  it.effect("report a failure to all waiting requests, and read again for later ones", () =>
    Effect.gen(function* () {
      const { answer, request, started, settle } = yield* scripted
      const waiting = [...(yield* request("a")), ...(yield* request("b")), ...(yield* request("c"))]
      yield* settle(0, Exit.fail(new StoreUnavailable({ cause: "unavailable" })))
      const exits = yield* Effect.forEach(waiting, (fiber) => Fiber.await(fiber))
      assert.isTrue(exits.every(Exit.isFailure))
      const after = yield* request("d")
      assert.deepStrictEqual(started.at(-1)?.keys, ["d"])
      yield* answer(started.length - 1, 3)
      assert.deepStrictEqual(yield* versions(after), [3])
    }).pipe(Effect.scoped)
  )
})
