import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { inMarket } from "../fixtures/market.ts"
import { connectionTo, depositors, sweepAll, timePasses } from "../fixtures/treasury.ts"

/** How many steps lie between two kills; `KILL_EVERY=1` kills at each step. */
const every = Number(process.env["KILL_EVERY"] ?? 9)

it.live("a sweep that is killed between any two steps and run again moves and funds each address once (CHAIN-19)", () =>
  Effect.gen(function* () {
    let at = 0
    for (; at < 500; at += every) {
      const hasDied = yield* Effect.gen(function* () {
        const { network, node, url, users } = yield* depositors(100, 50)
        yield* timePasses(network)
        const died = yield* Deferred.make<void>()
        let steps = 0
        const isEnd = () => {
          if (steps++ !== at) return false
          Deferred.doneUnsafe(died, Effect.void)
          return true
        }
        node.fault = () => (isEnd() ? { kind: "ignored" } : isEnd() ? { kind: "unanswered" } : undefined)
        const store = yield* SweepStore
        const step = Effect.suspend(() => (isEnd() ? Effect.die("killed") : Effect.void))
        const stepped = Layer.succeed(SweepStore, {
          ...store,
          start: (transfer) => Effect.andThen(step, Effect.tap(store.start(transfer), step)),
          end: (txid, as) => Effect.andThen(step, Effect.tap(store.end(txid, as), step))
        })
        const fiber = yield* sweepAll(connectionTo(url)).pipe(Effect.provide(stepped), Effect.exit, Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(fiber), Deferred.await(died))
        yield* Fiber.interrupt(fiber)
        node.fault = () => undefined

        yield* sweepAll(connectionTo(url))
        assert.deepStrictEqual(yield* store.open, [])
        assert.strictEqual(network.balance(bare(hotWallet)), 150_000_000n, `killed at step ${at}`)
        for (const { address } of users) {
          const moved = network.blocks.flatMap(({ sunMoved }) => sunMoved).filter(([of]) => of === bare(address))
          assert.lengthOf(moved, 2, `killed at step ${at}: TRX were received once and burned once`)
        }
        return steps > at
      }).pipe(inMarket, Effect.scoped)
      if (!hasDied) break
    }
    assert.isTrue(at > 50, `${at} steps were found`)
  })
)
