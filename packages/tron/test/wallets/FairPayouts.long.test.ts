import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { payoutBackoff } from "@agent-marketplace/core/wallets/payoutBackoff"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { resultOf } from "@agent-marketplace/testkit/fixtures/settle"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { inMarket, makeWorker, startMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { funded, request, rich, untilPaid } from "../fixtures/payouts.ts"

describe("payouts of many accounts", () => {
  it.live(
    "200 withdrawals that the token refuses delay no others, and are tried at growing intervals (WITHDRAWAL-22)",
    () =>
      Effect.gen(function* () {
        const market = yield* rich
        const clock = yield* MarketClock
        const denied = TronEncoding.nobody("denied")
        market.network.frozen.add(bare(denied))
        const flood: Array<Withdrawal> = []
        for (let i = 0; i < 20; i++) {
          const account = yield* funded
          for (let j = 0; j < 10; j++) flood.push(resultOf(yield* request(account, denied), "Withdrawal").withdrawal)
        }
        const honest = yield* withdraw(20)
        // A new worker remembers nothing: what was refused before is stored.
        yield* market.worker.process
        const worker = yield* makeWorker([market.url])
        yield* untilPaid({ ...market, worker }, [honest])
        const simulations = () => market.node.calls.get("triggerconstantcontract") ?? 0
        const before = simulations()
        for (let i = 0; i < 5; i++) yield* worker.process
        assert.strictEqual(simulations(), before, "none is tried again within half a minute")
        yield* clock.advance(31)
        yield* worker.process
        assert.isAbove(simulations(), before)
        const states = yield* Effect.forEach(flood, (each) => Effect.map(withdrawalOf(each), ({ state }) => state))
        assert.deepStrictEqual([...new Set(states)], ["queued"])
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live("the waits after refusals grow to an hour, are stored, and are counted (WITHDRAWAL-22)", () =>
    Effect.gen(function* () {
      const market = yield* rich
      const clock = yield* MarketClock
      const wallets = yield* WalletStore
      market.network.frozen.add(bare(receiver))
      const refused = yield* withdraw(20)
      const waits: Array<number> = []
      for (let i = 0; i < 9; i++) {
        const worker = yield* makeWorker([market.url])
        yield* worker.process
        const wait = payoutBackoff(i + 1) / 1000
        const dueAfter = Effect.fnUntraced(function* (seconds: number) {
          return yield* wallets.payableWithdrawals((yield* clock.now) + seconds * 1000, 10)
        })
        assert.deepStrictEqual(yield* dueAfter(wait - 5), [])
        assert.deepStrictEqual(yield* dueAfter(wait), [{ withdrawal: refused, refusals: i + 1, unscreened: false }])
        waits.push(wait)
        yield* clock.advance(wait)
      }
      assert.deepStrictEqual(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
      market.network.frozen.clear()
      yield* untilPaid(market, [refused])
    }).pipe(inMarket)
  )

  it.live("while the token pays nobody, nothing is refused: all are paid when it does again (CHAIN-17)", () =>
    Effect.gen(function* () {
      const market = yield* rich
      market.network.paused = true
      const waiting = yield* Effect.forEach([1, 2, 3], () => withdraw(20))
      for (let i = 0; i < 3; i++) yield* market.worker.process
      market.network.paused = false
      yield* untilPaid(market, waiting)
    }).pipe(inMarket)
  )

  it.live("a window full of withdrawals that the hot wallet cannot cover leaves turns for smaller ones", () =>
    Effect.gen(function* () {
      const market = yield* startMarket({ solidLag: 4 })
      market.network.fund(hotWallet, 30_000_000n)
      for (let i = 0; i < 200; i++) yield* withdraw(1000)
      const small = yield* withdraw(20)
      yield* untilPaid(market, [small])
    }).pipe(inMarket)
  )
})
