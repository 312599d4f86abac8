import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { ConditionStore } from "@agent-marketplace/core/health/ConditionStore"
import { HotWalletWatch } from "@agent-marketplace/core/wallets/HotWalletWatch"
import type { TreasuryLimits } from "@agent-marketplace/core/wallets/TreasuryStore"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { inMarket, makeWorker, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { startNetwork, tronChain } from "../fixtures/tronMarket.ts"

const action: ActionDraft = {
  id: freshId("act"),
  at: 1_700_000_000_000,
  actor: "grace",
  action: "treasury.limits",
  subject: "hot",
  reason: null,
  requestId: "1"
}

/** A market whose hot wallet has 1,000 USDT and plenty of TRX, and the open conditions after a check. */
const watched = Effect.gen(function* () {
  const started = yield* startNetwork()
  started.network.fund(hotWallet, 1_000_000_000n)
  yield* (yield* TreasuryStore).claim({ hot: hotWallet })
  const services = HotWalletWatch.layer.pipe(
    Layer.provideMerge(Conditions.layer),
    Layer.provide(tronChain([started.url]))
  )
  const context = yield* Layer.build(Layer.fresh(services))
  const { check } = Context.get(context, HotWalletWatch)
  const store = yield* ConditionStore
  const found = Effect.andThen(
    check,
    Effect.map(store.open, (open) => open.map(({ kind }) => kind))
  )
  const set = (limits: TreasuryLimits) => Effect.flatMap(TreasuryStore, ({ setLimits }) => setLimits(limits, action))
  return { ...started, check, found, set, store }
})

describe("the hot wallet's conditions (SYSTEM-9, TREASURY-5)", () => {
  it.live("none without limits, and none at the limits themselves", () =>
    Effect.gen(function* () {
      const { found, set } = yield* watched
      assert.deepStrictEqual(yield* found, [])
      yield* set({ hotCeiling: usdt(1000), topUpBelow: usdt(1000) })
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("hot_wallet_low below the top-up level, until it is topped up; hot_wallet_full above the ceiling", () =>
    Effect.gen(function* () {
      const { found, network, set, store } = yield* watched
      yield* set({ topUpBelow: usdt(1000.000001), hotCeiling: usdt(1500) })
      assert.deepStrictEqual(yield* found, ["hot_wallet_low"])
      const [{ detail = "" } = { detail: "" }] = yield* store.open
      assert.include(detail, `${hotWallet} holds less than its top-up level of 1000.000001 USDT`)
      network.fund(hotWallet, 1n)
      assert.deepStrictEqual(yield* found, [])
      network.fund(hotWallet, 500_000_000n)
      assert.deepStrictEqual(yield* found, ["hot_wallet_full"])
      yield* set({ hotCeiling: null })
      assert.deepStrictEqual(yield* found, [])
      const { items } = yield* store.list({ open: false }, { page: 1, limit: 10 })
      assert.deepStrictEqual(items.map(({ kind }) => kind).sort(), ["hot_wallet_full", "hot_wallet_low"])
    }).pipe(inMarket)
  )

  it.live("hot_wallet_low while the open withdrawals need more than it holds, also if they are many", () =>
    Effect.gen(function* () {
      const { found, network } = yield* watched
      yield* Effect.forEach(Array.from({ length: 201 }), () => withdraw(5))
      assert.deepStrictEqual(yield* found, ["hot_wallet_low"])
      network.fund(hotWallet, 5_000_000n)
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("energy_low exactly while no payment can start for lack of energy and TRX", () =>
    Effect.gen(function* () {
      const { found, network, url } = yield* watched
      const worker = yield* makeWorker([url])
      yield* worker.catchUp
      const withdrawal = yield* withdraw(20)
      const state = Effect.map(Effect.andThen(worker.process, withdrawalOf(withdrawal)), (now) => now.state)
      const fee = 135_000 * 100 + 400_000
      network.sun.set(bare(hotWallet), fee - 1)
      assert.deepStrictEqual(yield* found, ["energy_low"])
      assert.strictEqual(yield* state, "queued")
      // Staked energy pays all but the bandwidth.
      network.resources.set(bare(hotWallet), { EnergyLimit: 200_000, EnergyUsed: 65_001 })
      network.sun.set(bare(hotWallet), 400_000)
      assert.deepStrictEqual(yield* found, ["energy_low"], "one unit of energy is missing")
      network.resources.set(bare(hotWallet), { EnergyLimit: 200_000, EnergyUsed: 65_000 })
      assert.deepStrictEqual(yield* found, [])
      network.mine()
      yield* worker.catchUp
      assert.strictEqual(yield* state, "broadcasting")
    }).pipe(inMarket)
  )

  it.live("an unavailable chain ends no condition", () =>
    Effect.gen(function* () {
      const { check, found, node, set, store } = yield* watched
      yield* set({ topUpBelow: usdt(2000) })
      assert.deepStrictEqual(yield* found, ["hot_wallet_low"])
      node.fault = () => ({ kind: "away" })
      assert.strictEqual((yield* Effect.flip(check))._tag, "ChainUnavailable")
      assert.lengthOf(yield* store.open, 1)
    }).pipe(inMarket)
  )
})
