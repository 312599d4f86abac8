import { Chain } from "@agent-marketplace/core/chain/Chain"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { startNetwork, tronChain } from "../fixtures/tronMarket.ts"

const payout = { to: receiver, amount: Usdt.of(5_000_000n) }

it.live("activatesAddress is true until the destination has an account, which USDT does not make (WITHDRAWAL-12)", () =>
  Effect.gen(function* () {
    const { network, url } = yield* startNetwork()
    network.plenty = 0
    network.sun.set(bare(hotWallet), 1_000_000_000_000)
    network.fund(hotWallet, 1_000_000_000n)
    const costs = Effect.gen(function* () {
      const chain = yield* Chain
      const before = yield* chain.payoutCost(payout)
      network.fund(receiver, 1n)
      const holding = yield* chain.payoutCost(payout)
      network.sun.set(bare(receiver), 1)
      const active = yield* chain.payoutCost(payout)
      return [before, holding, active].map(({ activatesAddress }) => activatesAddress)
    })
    assert.deepStrictEqual(yield* Effect.provide(costs, tronChain([url])), [true, true, false])
  })
)

it.live("the cost covers a destination without USDT, and more if the simulation uses more energy (WITHDRAWAL-11)", () =>
  Effect.gen(function* () {
    const { network, url } = yield* startNetwork()
    network.fund(hotWallet, 1_000_000_000n)
    const costs = Effect.gen(function* () {
      const chain = yield* Chain
      const most = yield* chain.payoutCost(null)
      network.energy = 64_285
      const usual = yield* chain.payoutCost(payout)
      network.energy = 300_000
      return [most.coin, usual.coin, (yield* chain.payoutCost(payout)).coin]
    })
    const [most = 0n, usual, high = 0n] = yield* Effect.provide(costs, tronChain([url]))
    assert.strictEqual(usual, most)
    assert.isTrue(high > 2n * most, String(high))
  })
)
