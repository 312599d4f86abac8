import { freshText } from "@agent-marketplace/testkit/fixtures/freshId"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Queue, Result } from "effect"
import { NotFound, StoreUnavailable } from "../../src/errors/MarketError.ts"
import type { Command } from "../../src/settlement/Command.ts"
import type { Outcome } from "../../src/settlement/Outcome.ts"
import { batchSize, Settlement } from "../../src/settlement/Settlement.ts"
import { SettlementStore } from "../../src/settlement/SettlementStore.ts"

/** A command that a test can distinguish from others by its block. */
const command = (block: number): Command => ({
  _tag: "AdvanceCursor",
  network: freshText(),
  position: { block, id: null, agreed: block }
})

const blockOf = (one: Command): number => (one._tag === "AdvanceCursor" ? one.position.block : -1)

const done: Outcome = Result.succeed({ result: { _tag: "Done" }, replayed: false })

interface Batch {
  readonly blocks: ReadonlyArray<number>
  readonly commit: (result: Effect.Effect<ReadonlyArray<Outcome>, StoreUnavailable>) => Effect.Effect<unknown>
}

/** A store whose batches wait for the test to commit them. */
const held = Effect.gen(function* () {
  const batches = yield* Queue.unbounded<Batch>()
  const store = Layer.succeed(SettlementStore, {
    underWayDone: Effect.void,
    settle: (commands) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<ReadonlyArray<Outcome>, StoreUnavailable>()
        yield* Queue.offer(batches, {
          blocks: commands.map(blockOf),
          commit: (effect) => Deferred.completeWith(result, effect)
        })
        return yield* Deferred.await(result)
      })
  })
  return { batches, layer: Settlement.layer.pipe(Layer.provide(store)) }
})

const commit = (batch: Batch) => batch.commit(Effect.succeed(batch.blocks.map(() => done)))

describe("Settlement", () => {
  it.effect("a single command is submitted immediately", () =>
    Effect.gen(function* () {
      const { batches, layer } = yield* held
      yield* Effect.gen(function* () {
        const settlement = yield* Settlement
        const caller = yield* Effect.forkChild(settlement.submit(command(1)))
        const batch = yield* Queue.take(batches)
        assert.deepStrictEqual(batch.blocks, [1])
        yield* commit(batch)
        assert.deepStrictEqual(yield* Fiber.join(caller), { result: { _tag: "Done" }, replayed: false })
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("commands that arrive while batches commit are settled together, in order, at most 64 in a batch", () =>
    Effect.gen(function* () {
      const { batches, layer } = yield* held
      yield* Effect.gen(function* () {
        const settlement = yield* Settlement
        const first = yield* Effect.forkChild(settlement.submit(command(-1)))
        const one = yield* Queue.take(batches)
        const second = yield* Effect.forkChild(settlement.submit(command(-2)))
        const two = yield* Queue.take(batches)
        const numbers = Array.from({ length: batchSize + 10 }, (_, n) => n)
        const callers = yield* Effect.forEach(numbers, (n) => Effect.forkChild(settlement.submit(command(n))))
        yield* Effect.yieldNow
        assert.strictEqual(yield* Queue.size(batches), 0, "at most two batches are in flight")
        yield* commit(one)
        yield* commit(two)
        const [three, four] = [yield* Queue.take(batches), yield* Queue.take(batches)]
        assert.deepStrictEqual([...three.blocks, ...four.blocks], numbers)
        assert.isAtMost(Math.max(three.blocks.length, four.blocks.length), batchSize)
        yield* commit(four)
        yield* commit(three)
        yield* Effect.forEach([first, second, ...callers], Fiber.join)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("each caller gets the outcome of its own command", () =>
    Effect.gen(function* () {
      const { batches, layer } = yield* held
      yield* Effect.gen(function* () {
        const settlement = yield* Settlement
        const callers = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (n) =>
          Effect.forkChild(Effect.result(settlement.submit(command(n))))
        )
        const store = yield* Effect.forkChild(
          Effect.forever(
            Effect.flatMap(Queue.take(batches), ({ blocks, commit }) =>
              commit(
                Effect.succeed(
                  blocks.map((n): Outcome => (n % 2 === 0 ? done : Result.fail(new NotFound({ resource: "SOUL" }))))
                )
              )
            )
          )
        )
        const results = yield* Effect.forEach(callers, Fiber.join)
        assert.deepStrictEqual(results.map(Result.isSuccess), [true, false, true, false, true, false])
        yield* Fiber.interrupt(store)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("a submitted command is settled even if its caller is interrupted", () =>
    Effect.gen(function* () {
      const { batches, layer } = yield* held
      yield* Effect.gen(function* () {
        const settlement = yield* Settlement
        const gone = yield* Effect.forkChild(settlement.submit(command(1)))
        const batch = yield* Queue.take(batches)
        yield* Fiber.interrupt(gone)
        yield* commit(batch)
        const next = yield* Effect.forkChild(settlement.submit(command(2)))
        yield* commit(yield* Queue.take(batches))
        yield* Fiber.join(next)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("a failure or defect of the store is reported to every caller of the batch, and to no other", () =>
    Effect.gen(function* () {
      const { batches, layer } = yield* held
      yield* Effect.gen(function* () {
        const settlement = yield* Settlement
        for (const fault of [Effect.fail(new StoreUnavailable({})), Effect.die("broken")]) {
          const caller = yield* Effect.forkChild(Effect.exit(settlement.submit(command(1))))
          const batch = yield* Queue.take(batches)
          yield* batch.commit(fault)
          assert.isTrue(Exit.isFailure(yield* Fiber.join(caller)))
        }
        const short = yield* Effect.forkChild(Effect.exit(settlement.submit(command(1))))
        yield* (yield* Queue.take(batches)).commit(Effect.succeed([]))
        assert.isTrue(Exit.isFailure(yield* Fiber.join(short)), "a command without an outcome is a bug")
        const next = yield* Effect.forkChild(settlement.submit(command(2)))
        yield* commit(yield* Queue.take(batches))
        yield* Fiber.join(next)
      }).pipe(Effect.provide(layer))
    })
  )
})
