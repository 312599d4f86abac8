import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { MoneyWatch } from "@agent-marketplace/core/wallets/MoneyWatch"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { depositor, inMarket, makeWorker, withdraw } from "../fixtures/market.ts"
import { startNetwork, tronChain } from "../fixtures/tronMarket.ts"

const watchLayer = (url: string, withdrawalFee: Usdt) =>
  MoneyWatch.layer.pipe(
    Layer.provide([tronChain([url]), Layer.succeed(MarketConfig, { ...config, withdrawalFee, coinRate: usdt(0.3) })])
  )

/** The warnings of a watch that uses this node. */
const watchOf = (url: string, withdrawalFee = usdt(100)) =>
  Effect.map(Layer.build(Layer.fresh(watchLayer(url, withdrawalFee))), (context) => {
    const { check, warnings } = Context.get(context, MoneyWatch)
    return Effect.andThen(check, warnings)
  })

const config: MarketConfig["Service"] = {
  platformFeeBps: 500,
  withdrawalFee: usdt(1),
  withdrawalMinimum: usdt(5),
  withdrawalReviewAbove: null,
  coinRate: null,
  proceedsHoldDays: 0,
  refundCoverLimit: usdt(1000),
  listingReview: "auto",
  soulContent: "open",
  baseUrl: "https://market.example.com",
  secret: Redacted.make("a secret of thirty-two characters")
}

/** A market whose hot wallet has 1,000 USDT and plenty of TRX, and its watch. */
const watched = Effect.gen(function* () {
  const clock = yield* MarketClock
  const started = yield* startNetwork({ startAt: yield* clock.now })
  started.network.fund(hotWallet, 1_000_000_000n)
  const worker = yield* makeWorker([started.url])
  yield* worker.catchUp
  return { ...started, clock, worker, found: yield* watchOf(started.url) }
})

describe("warnings for the operator (SYSTEM-2, CHAIN-18)", () => {
  it.live("none while deposits and withdrawals work", () =>
    Effect.gen(function* () {
      const { found, network, worker } = yield* watched
      yield* withdraw(20)
      yield* worker.process
      network.mine(30)
      yield* worker.catchUp
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("a fixed fee that is below what the network may take (WITHDRAWAL-11)", () =>
    Effect.gen(function* () {
      const { found, url } = yield* watched
      assert.deepStrictEqual(yield* found, [])
      assert.deepStrictEqual(yield* yield* watchOf(url, usdt(0.5)), ["withdrawal_fee_low"])
    }).pipe(inMarket)
  )

  it.live("addresses were issued while no node answered: the start block must be configured", () =>
    Effect.gen(function* () {
      const { network, url } = yield* startNetwork()
      network.fund(hotWallet, 1_000_000_000n)
      const found = yield* watchOf(url)
      assert.deepStrictEqual(yield* found, [])
      yield* depositor((yield* makeWorker([url])).chain)
      assert.deepStrictEqual(yield* found, ["deposits_behind"])
      yield* (yield* makeWorker([url], { startBlock: 1 })).catchUp
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("the hot wallet holds less than the waiting withdrawals need, until it is topped up", () =>
    Effect.gen(function* () {
      const { found, network } = yield* watched
      yield* withdraw(600)
      yield* withdraw(600)
      assert.deepStrictEqual(yield* found, ["hot_wallet_low"])
      network.fund(hotWallet, 200_000_000n)
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("the hot wallet's TRX cover fewer than ten withdrawals, or fewer than those that wait", () =>
    Effect.gen(function* () {
      const { found, network } = yield* watched
      network.sun.set(bare(hotWallet), 9 * 13_900_000)
      assert.deepStrictEqual(yield* found, ["hot_wallet_fees_low"])
      network.sun.set(bare(hotWallet), 11 * 13_900_000)
      assert.deepStrictEqual(yield* found, [])
      yield* Effect.forEach(Array.from({ length: 12 }), () => withdraw(5))
      assert.deepStrictEqual(yield* found, ["hot_wallet_fees_low"])
    }).pipe(inMarket)
  )

  it.live(
    "a withdrawal has waited for more than half an hour, or its transaction has expired with an unknown result",
    () =>
      Effect.gen(function* () {
        const { clock, found, worker } = yield* watched
        yield* withdraw(20)
        yield* clock.advance(29 * 60)
        assert.deepStrictEqual(yield* found, [])
        yield* clock.advance(2 * 60)
        assert.deepStrictEqual(yield* found, ["withdrawals_stuck"])
        yield* worker.process
        yield* clock.advance(-20 * 60)
        assert.deepStrictEqual(yield* found, [], "it is in progress")
        yield* clock.advance(40 * 60)
        assert.deepStrictEqual(yield* found, ["withdrawals_stuck"])
      }).pipe(inMarket)
  )

  it.live("a hundred final blocks are not scanned", () =>
    Effect.gen(function* () {
      const { found, network, worker } = yield* watched
      yield* depositor(worker.chain)
      network.mine(101)
      assert.deepStrictEqual(yield* found, ["deposits_behind"])
      yield* worker.catchUp
      assert.deepStrictEqual(yield* found, [])
    }).pipe(inMarket)
  )

  it.live("no node has answered four checks in a row", () =>
    Effect.gen(function* () {
      const { found, node } = yield* watched
      node.fault = () => ({ kind: "away" })
      let checks = 1
      while ((yield* found).length === 0) checks++
      // The check at the start may be one of the four.
      assert.isTrue(checks === 3 || checks === 4, `${checks} checks`)
      node.fault = () => undefined
      yield* eventually(
        "the warning ends",
        Effect.map(found, (warnings) => warnings.length === 0)
      )
    }).pipe(inMarket)
  )

  it.live("no block has become final during twenty checks in a row", () =>
    Effect.gen(function* () {
      const { found, network, worker } = yield* watched
      // The market's own checks, one every 15 seconds, count too.
      for (let checks = 0; checks < 15; checks++) assert.deepStrictEqual(yield* found, [])
      for (let checks = 15; checks < 20; checks++) yield* found
      assert.deepStrictEqual(yield* found, ["chain_unreachable"])
      network.mine(1)
      yield* worker.catchUp
      yield* eventually(
        "the warning ends",
        Effect.map(found, (warnings) => warnings.length === 0)
      )
    }).pipe(inMarket)
  )

  it.live("all nodes belong to another network, or are far below the scan position", () =>
    Effect.gen(function* () {
      const { network, node, url, worker } = yield* watched
      network.mine(200)
      yield* worker.catchUp
      const elsewhere = yield* startNetwork({ name: "another" })
      elsewhere.network.fund(hotWallet, 1_000_000_000n)
      node.behind = () => 150
      for (const where of [elsewhere.url, url]) {
        const found = yield* watchOf(where)
        for (let i = 0; i < 3; i++) yield* found
        assert.deepStrictEqual(yield* found, ["chain_unreachable"])
      }
      node.behind = () => 50
      assert.deepStrictEqual(yield* yield* watchOf(url), [], "a node that is some minutes behind catches up")
    }).pipe(inMarket)
  )
})
