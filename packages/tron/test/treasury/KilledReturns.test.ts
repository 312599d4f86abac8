import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { assetMarket, assetNow, mistakes, returnAll, returnedOn } from "../fixtures/foreignAssets.ts"
import { inMarket } from "../fixtures/market.ts"
import { connectionTo, timePasses } from "../fixtures/treasury.ts"

/** How many steps lie between two kills; `KILL_EVERY=1` kills at each step. */
const every = Number(process.env["KILL_EVERY"] ?? 83)

it.live("a return that is killed between any two steps and run again sends each asset once (CHAIN-32)", () =>
  Effect.gen(function* () {
    let at = 0
    for (; at < 500; at += every) {
      const hasDied = yield* Effect.gen(function* () {
        const market = yield* assetMarket(100)
        const { network, node, url, users } = market
        const assets = yield* mistakes(market, users[0]?.address ?? "")
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
          end: (txid, as, reason) => Effect.andThen(step, Effect.tap(store.end(txid, as, reason), step))
        })
        const fiber = yield* returnAll(connectionTo(url)).pipe(Effect.provide(stepped), Effect.exit, Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(fiber), Deferred.await(died))
        yield* Fiber.interrupt(fiber)
        node.fault = () => undefined

        yield* returnAll(connectionTo(url))
        assert.deepStrictEqual(yield* store.open, [])
        assert.deepStrictEqual(returnedOn(network), { trx: 24_600_000, trc10: 40n, trc20: 7n }, `killed at step ${at}`)
        for (const asset of assets) assert.strictEqual((yield* assetNow(asset)).state, "returned")
        return steps > at
      }).pipe(inMarket, Effect.scoped)
      if (!hasDied) break
    }
    assert.isTrue(at > 50, `${at} steps were found`)
  })
)
