import { burnOf, dailyCosts, worthOf } from "@agent-marketplace/core/wallets/payoutCosts"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { startNetwork, startNode, tronChain } from "../fixtures/tronMarket.ts"

/** A hot wallet with USDT and 100 TRX, and its resources as the adapter reports them. */
const wallet = Effect.gen(function* () {
  const started = yield* startNetwork()
  const { network } = started
  network.fund(hotWallet, 1_000_000_000n)
  network.sun.set(bare(hotWallet), 100_000_000)
  const chain = Context.get(yield* Layer.build(tronChain([started.url])), Chain)
  return { ...started, resources: chain.resources(hotWallet) }
})

describe("the energy and bandwidth of the hot wallet (TREASURY-6)", () => {
  it.live("without anything staked, everything is burnt except for the free bandwidth of one payment", () =>
    Effect.gen(function* () {
      const { resources } = yield* wallet
      const found = yield* resources
      assert.strictEqual(found.coins, 100_000_000n)
      assert.deepInclude(found.energy, { limit: 0, used: 0, staked: 0n, delegated: 0n, unitsPerCoin: 9 })
      assert.deepInclude(found.bandwidth, { limit: 600, used: 0, staked: 0n, delegated: 0n, unitsPerCoin: 1.6 })
      assert.strictEqual(burnOf(found, found.usual), 6_428_500n)
      assert.strictEqual(burnOf(found, found.most), 13_500_000n)
      assert.strictEqual(worthOf(13_500_001n, usdt(0.3)), usdt(4.050001))
      const day = dailyCosts(found, 10)
      assert.deepStrictEqual(day, {
        payouts: 10,
        energy: 1_350_000,
        bandwidth: 4000,
        burnt: 1_350_000n * 100n + 9n * 400n * 1000n,
        stakeForEnergy: 150_000_000_000n,
        stakeForBandwidth: 2_125_000_000n
      })
    }).pipe(Effect.scoped)
  )

  it.live("staked and delegated resources are shown, and pay a part of the fee", () =>
    Effect.gen(function* () {
      const { network, resources } = yield* wallet
      network.resources.set(bare(hotWallet), {
        EnergyLimit: 300_000,
        EnergyUsed: 200_000,
        NetLimit: 1000,
        NetUsed: 900,
        freeNetUsed: 600
      })
      network.stakes.set(bare(hotWallet), {
        frozenV2: [{ amount: 5_000_000 }, { type: "ENERGY", amount: 20_000_000_000 }, { type: "TRON_POWER" }],
        acquired_delegated_frozenV2_balance_for_bandwidth: 6_000_000,
        account_resource: {
          acquired_delegated_frozenV2_balance_for_energy: 13_000_000_000,
          acquired_delegated_frozen_balance_for_energy: 1_000_000
        }
      })
      const found = yield* resources
      assert.deepInclude(found.energy, { limit: 300_000, used: 200_000, staked: 20_000_000_000n })
      assert.strictEqual(found.energy.delegated, 13_001_000_000n)
      assert.deepInclude(found.bandwidth, { limit: 1600, used: 1500, staked: 5_000_000n, delegated: 6_000_000n })
      // 100,000 units of energy are left, and too little bandwidth.
      assert.strictEqual(burnOf(found, found.usual), 400_000n)
      assert.strictEqual(burnOf(found, found.most), 35_000n * 100n + 400_000n)
      assert.strictEqual(found.required, 35_000n * 100n + 400_000n)
      const { burnt, stakeForBandwidth, stakeForEnergy } = dailyCosts(found, 4)
      assert.deepStrictEqual([burnt, stakeForEnergy, stakeForBandwidth], [240_000n * 100n, 26_667_000_000n, 0n])
      assert.deepInclude(dailyCosts(found, 0), { burnt: 0n, stakeForEnergy: 0n, stakeForBandwidth: 0n })
    }).pipe(Effect.scoped)
  )

  it.live("a node that does not report energy leaves the rate unknown, and everything is burnt", () =>
    Effect.gen(function* () {
      const { node, resources } = yield* wallet
      node.fault = ({ method }) => (method === "getaccountresource" ? { kind: "status", status: 404 } : undefined)
      const found = yield* resources
      assert.deepInclude(found.energy, { limit: 0, unitsPerCoin: null })
      assert.isNull(dailyCosts(found, 1).stakeForEnergy)
      assert.strictEqual(burnOf(found, found.most), 13_900_000n)
    }).pipe(Effect.scoped)
  )

  it.live("an empty wallet has an assumed usual cost, and the next node answers for one that fails", () =>
    Effect.gen(function* () {
      const { network, node, url } = yield* wallet
      network.fund(hotWallet, -1_000_000_000n)
      node.fault = () => ({ kind: "away" })
      const other = yield* startNode(network)
      const chain = Context.get(yield* Layer.build(tronChain([url, other.url])), Chain)
      assert.strictEqual((yield* chain.resources(hotWallet)).usual.energy, 65_000)
      assert.strictEqual(yield* chain.balanceOf(hotWallet), usdt(0))
    }).pipe(Effect.scoped)
  )
})
