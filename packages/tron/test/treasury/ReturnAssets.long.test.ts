import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { TokenBehaviour } from "@agent-marketplace/fixtures/tron/OtherAssets"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { reconcile } from "../../src/treasury/Reconciliation.ts"
import { surveyReturns } from "../../src/treasury/ReturnSurvey.ts"
import {
  assetMarket,
  assetNow,
  decide,
  mistakes,
  recheck,
  returnAll,
  returnedOn,
  returnTerms,
  stranger,
  token
} from "../fixtures/foreignAssets.ts"
import { hotWallet } from "../fixtures/keys.ts"
import { finalise, inMarket, moneyOf } from "../fixtures/market.ts"
import { keys, sweepAll, timePasses } from "../fixtures/treasury.ts"

/** 25 TRX less the most that the transfer can burn. */
const allButFee = 24_600_000

const everything = { trx: allButFee, trc10: 40n, trc20: 7n }

describe("returning other assets", () => {
  it.live("TRX and tokens go back to their sender once; the hot wallet pays the fees (CHAIN-32)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100)
      const { connection, network, users, worker } = market
      const [user] = users
      assert.isDefined(user)
      const assets = yield* mistakes(market, user.address)
      const dry = yield* surveyReturns(connection, returnTerms)
      assert.deepStrictEqual(
        dry.items.map(({ amount, asset, destination, obstacle }) => [asset.kind, amount, destination, obstacle]),
        [
          ["trx", BigInt(allButFee), stranger, null],
          ["trc20", 7n, stranger, null],
          ["trc10", 40n, stranger, null]
        ]
      )
      assert.deepStrictEqual(returnedOn(network), { trx: 0, trc10: 0n, trc20: 0n }, "a dry run sends nothing")
      yield* timePasses(network)
      const events = yield* returnAll(connection)
      assert.deepStrictEqual(returnedOn(network), everything)
      const ended = events.flatMap((each) => (each._tag === "Ended" ? [`${each.transfer.kind} ${each.as}`] : []))
      assert.deepStrictEqual(ended.sort(), ["funding done", "return done", "return done", "return done"])
      for (const asset of assets) assert.deepInclude(yield* assetNow(asset), { state: "returned", failure: null })
      assert.deepStrictEqual(yield* returnAll(connection), [], "a second run finds nothing to do")
      // The TRX that were sent for the fees are not recorded, and the ledger did not change.
      for (const each of events)
        if (each._tag === "Ended" && each.transfer.kind === "funding")
          assert.deepStrictEqual(yield* recheck(worker.chain, each.transfer.transaction.txid), [])
      assert.strictEqual((yield* moneyOf(user)).available, 100_000_000n)
      yield* worker.catchUp
      assert.deepStrictEqual((yield* reconcile(connection, { hotWallet, own: 0n })).differences, [])
      yield* assertBooks
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("two commands at the same time, and a sweep beside them, send each asset once (CHAIN-32)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100, 50)
      const { connection, network, users } = market
      for (const { address } of users) yield* mistakes(market, address)
      yield* timePasses(network)
      yield* Effect.all([returnAll(connection), returnAll(connection), sweepAll(connection)], {
        concurrency: "unbounded"
      })
      yield* returnAll(connection)
      yield* sweepAll(connection)
      const { trc10, trc20, trx } = returnedOn(network)
      assert.deepStrictEqual([trc10, trc20], [80n, 14n])
      assert.isTrue(trx > 0 && trx <= 2 * allButFee, `${trx} sun`)
      assert.strictEqual(network.balance(bare(hotWallet)), 150_000_000n)
      assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("a transaction that no block takes is replaced only after its proven end, and pays once (CHAIN-32)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100)
      const { connection, network, users } = market
      const assets = yield* mistakes(market, users[0]?.address ?? "")
      const dropped = new Set<string>()
      network.mishap = (id) => {
        if (dropped.size < 2) dropped.add(id)
        return dropped.has(id) ? "drop" : undefined
      }
      yield* timePasses(network)
      const events = yield* returnAll(connection)
      const dead = events.filter((each) => each._tag === "Ended" && each.as === "dead")
      assert.lengthOf(dead, 2)
      assert.deepStrictEqual(returnedOn(network), everything)
      for (const asset of assets) assert.strictEqual((yield* assetNow(asset)).state, "returned")
    }).pipe(inMarket, Effect.scoped)
  )

  const liars: Readonly<Record<string, readonly [TokenBehaviour, failure: string]>> = {
    "moves nothing and reports nothing": [{ moves: false, reports: false }, "reported no transfer"],
    "uses more energy than its simulation": [{ simulated: 20_000, energy: 5_000_000 }, "OUT_OF_ENERGY"],
    "claims a balance that it does not pay": [{ claims: 10n ** 30n, energy: 20_000 }, "REVERT"]
  }
  for (const [name, [behaviour, failure]] of Object.entries(liars)) {
    it.live(`a token that ${name} has failed, within the limit of the fee, and takes no other money (CHAIN-32)`, () =>
      Effect.gen(function* () {
        const market = yield* assetMarket(100)
        const { connection, network, users, worker } = market
        const [user] = users
        assert.isDefined(user)
        network.assets.contracts.set(bare(token), behaviour)
        // The contract reports a transfer of more than anybody has.
        const txid = network.outside([network.log(stranger, user.address, 10n ** 20n, bare(token))])
        finalise(network)
        yield* worker.catchUp
        const [asset] = yield* recheck(worker.chain, txid)
        assert.isDefined(asset)
        yield* decide(asset)
        if (behaviour.claims === undefined) network.assets.move([bare(token), bare(user.address), 5n])
        const before = network.trx(bare(hotWallet)) ?? 0
        yield* timePasses(network)
        yield* returnAll(connection)
        const now = yield* assetNow(asset)
        assert.strictEqual(now.state, "failed")
        assert.include(now.failure ?? "", failure)
        assert.strictEqual(now.transaction?.amount, behaviour.claims === undefined ? 5n : asset.amount)
        assert.isBelow(before - (network.trx(bare(hotWallet)) ?? 0), returnTerms.mostFee)
        assert.strictEqual(network.balance(bare(user.address)), 100_000_000n)
        assert.deepStrictEqual(yield* returnAll(connection), [], "it is not tried again without a decision")
        yield* decide(asset)
        assert.strictEqual((yield* assetNow(asset)).state, "returning")
      }).pipe(inMarket, Effect.scoped)
    )
  }

  it.live(
    "an asset that cannot be returned is skipped with the reason: a fee above the limit, too little TRX, nothing left, no key",
    () =>
      Effect.gen(function* () {
        const market = yield* assetMarket(100, 50)
        const { connection, network, users } = market
        const [one, two] = users
        const assets = [
          ...(yield* mistakes(market, one?.address ?? "")),
          ...(yield* mistakes(market, two?.address ?? ""))
        ]
        network.assets.contracts.set(bare(token), { energy: 5_000_000 })
        network.assets.move(["1002000", bare(two?.address ?? ""), -40n])
        network.sun.set(bare(one?.address ?? ""), 300_000)
        network.sun.set(bare(hotWallet), 0)
        yield* timePasses(network)
        const events = yield* returnAll(connection)
        const reasons = new Map(
          events.flatMap((each) => (each._tag === "Skipped" ? [[each.place.asset.id, each.reason]] : []))
        )
        const expected = ["do not cover the fee", "TRX to spare", "more than the limit of 30 TRX"]
        assets.slice(0, 3).forEach(({ id }, i) => assert.include(reasons.get(id) ?? "", expected[i] ?? ""))
        assert.include(reasons.get(assets[4]?.id ?? freshId("fas")) ?? "", "does not hold it")
        const other = { ...keys, hotWallet: undefined }
        const addressAt = () => Effect.succeed(TronEncoding.nobody("another key"))
        const foreign = yield* returnAll(connection, { terms: { ...returnTerms, addressAt }, keys: other })
        assert.isTrue(foreign.every((each) => each._tag === "Skipped" && each.reason.includes("another key issued it")))
        for (const asset of assets.slice(0, 3)) assert.strictEqual((yield* assetNow(asset)).state, "returning")
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("nothing goes to a destination that the operator was not shown (CHAIN-32)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100)
      const { connection, network, users } = market
      const [trx, ...others] = yield* mistakes(market, users[0]?.address ?? "")
      assert.isDefined(trx)
      const shown = new Map([[trx.id as string, "another address"], ...others.map(({ id }) => [id, stranger] as const)])
      yield* timePasses(network)
      const events = yield* returnAll(connection, { terms: { ...returnTerms, shown } })
      assert.deepStrictEqual(
        events.flatMap((each) => (each._tag === "Skipped" ? [each.place.asset.id] : [])),
        [trx.id]
      )
      assert.deepStrictEqual(returnedOn(network), { ...everything, trx: 0 })
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("the market's own token is never returned, whatever is recorded (CHAIN-32)", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* assetMarket(100)
      const [user] = users
      assert.isDefined(user)
      const id = freshId("fas")
      yield* (yield* ForeignAssetStore).record(
        yield* worker.chain.network,
        [
          {
            id,
            txid: "ab".repeat(32),
            logIndex: 0,
            kind: "trc20",
            asset: usdtContract,
            amount: 100_000_000n,
            accountId: user.id,
            address: user.address,
            sender: stranger,
            block: 1,
            at: 1
          }
        ],
        actionDraft("foreign_asset.recheck", "test")
      )
      yield* decide(yield* assetNow({ id }))
      yield* timePasses(network)
      const events = yield* returnAll(connection)
      assert.deepStrictEqual(
        events.map((each) => (each._tag === "Skipped" ? each.reason : each._tag)),
        ["it is the market's own token"]
      )
      assert.strictEqual(network.balance(bare(user.address)), 100_000_000n)
    }).pipe(inMarket, Effect.scoped)
  )
})
