import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import {
  depositor,
  finalise,
  inMarket,
  makeWorker,
  moneyOf,
  startMarket,
  withdraw,
  withdrawalOf
} from "../fixtures/market.ts"

/** How many steps lie between two kills; `KILL_EVERY=1` kills at each step, also in the long runs. */
const every = Number(process.env["KILL_EVERY"] ?? 50)

/**
 * A market whose worker is killed once, at step `at`. A step is the time before or after a call of the node, or before or after a
 * transaction with the store.
 */
const dying = Effect.fnUntraced(function* (at: number) {
  const market = yield* startMarket()
  const died = yield* Deferred.make<void>()
  let steps = 0
  const isEnd = () => {
    if (steps++ !== at) return false
    Deferred.doneUnsafe(died, Effect.void)
    return true
  }
  market.node.fault = () => (isEnd() ? { kind: "ignored" } : isEnd() ? { kind: "unanswered" } : undefined)
  const step = () => Effect.suspend(() => (isEnd() ? Effect.die("killed") : Effect.void))
  return {
    ...market,
    /** Whether there were enough steps for the kill. */
    hasDied: () => steps > at,
    /** Runs the work with a new worker, and kills it at the chosen step. */
    run: <A, E>(work: (worker: Effect.Success<ReturnType<typeof makeWorker>>) => Effect.Effect<A, E>) =>
      Effect.scoped(
        Effect.gen(function* () {
          const worker = yield* makeWorker([market.url], {}, step)
          const fiber = yield* Effect.forkChild(Effect.exit(work(worker)))
          yield* Effect.raceFirst(Fiber.await(fiber), steps > at ? Effect.never : Deferred.await(died))
          yield* Fiber.interrupt(fiber)
        })
      )
  }
})

it.live(
  "a worker that is killed between any two steps of a withdrawal pays it exactly once in the end (CHAIN-16)",
  () =>
    Effect.gen(function* () {
      let at = 0
      for (; at < 2000; at += Math.ceil(every / 5)) {
        const died = yield* Effect.gen(function* () {
          const { hasDied, network, run } = yield* dying(at)
          network.fund(hotWallet, 1_000_000_000n)
          const withdrawal = yield* withdraw(20)
          for (let i = 0; i < 9; i++) {
            yield* run(({ process }) => process)
            network.mine(8)
          }
          finalise(network)
          assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "completed", `killed at step ${at}`)
          assert.strictEqual(network.balance(bare(receiver)), 20_000_000n, `killed at step ${at}`)
          assert.deepStrictEqual(yield* moneyOf({ id: withdrawal.accountId }), {
            available: 0n,
            locked: 0n,
            pending: 0n
          })
          yield* assertBooks
          return hasDied()
        }).pipe(inMarket, Effect.scoped)
        if (!died) break
      }
      assert.isTrue(at > 30, `${at} steps were found`)
    })
)

it.live(
  "a worker that is killed between any two steps while its transaction is not included pays exactly once in the end",
  () =>
    Effect.gen(function* () {
      let at = 0
      for (; at < 500; at += every) {
        const died = yield* Effect.gen(function* () {
          const { hasDied, network, run } = yield* dying(at)
          network.fund(hotWallet, 1_000_000_000n)
          const dropped = new Set<string>()
          network.mishap = (id) => (dropped.size === 0 || dropped.has(id) ? (dropped.add(id), "drop") : undefined)
          const withdrawal = yield* withdraw(20)
          for (let i = 0; i < 11; i++) {
            yield* run(({ process }) => process)
            network.mine(12)
          }
          assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "completed", `killed at step ${at}`)
          assert.strictEqual(network.balance(bare(receiver)), 20_000_000n, `killed at step ${at}`)
          yield* assertBooks
          return hasDied()
        }).pipe(inMarket, Effect.scoped)
        if (!died) break
      }
      assert.isTrue(at > 50, `${at} steps were found`)
    })
)

it.live("a scanner that is killed between any two steps credits each deposit once (CHAIN-13)", () =>
  Effect.gen(function* () {
    let at = 0
    for (; at < 500; at += every) {
      const died = yield* Effect.gen(function* () {
        const { hasDied, network, run } = yield* dying(at)
        yield* run(({ catchUp }) => catchUp)
        yield* run(({ catchUp }) => catchUp)
        const user = yield* depositor((yield* makeWorker([])).chain)
        for (let block = 0; block < 6; block++) {
          for (let i = 0; i < 100; i++) network.deposit(user.address, 1_000_000n)
          network.mine()
        }
        finalise(network)
        for (let i = 0; i < 3; i++) yield* run(({ catchUp }) => catchUp)
        assert.strictEqual((yield* moneyOf(user)).available, 600_000_000n, `killed at step ${at}`)
        yield* assertBooks
        return hasDied()
      }).pipe(inMarket, Effect.scoped)
      if (!died) break
    }
    assert.isTrue(at > 50, `${at} steps were found`)
  })
)
