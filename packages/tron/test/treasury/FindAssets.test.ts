import { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assetMarket, assetNow, decide, findIn, returnAll, returnedOn, stranger } from "../fixtures/foreignAssets.ts"
import { finalise, inMarket } from "../fixtures/market.ts"
import { connectionTo, sweepAll, timePasses } from "../fixtures/treasury.ts"
import { startNode } from "../fixtures/tronMarket.ts"

const recorded = Effect.flatMap(ForeignAssetStore, ({ list }) => list({}, { page: 1, limit: 100 }))

describe("looking for TRX and TRC-10 tokens", () => {
  it.live("finds what was sent to deposit addresses, once, without the market's own TRX (CHAIN-33)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100, 50)
      const { connection, network, users } = market
      const [one, two] = users.map(({ address }) => address)
      assert.isDefined(one)
      assert.isDefined(two)
      assert.deepInclude(yield* findIn(market), { addresses: 0, blocks: 0, assets: [], asked: 0 })
      yield* Effect.scoped(Effect.andThen(timePasses(network), sweepAll(connection)))
      const sent = [
        network.outsideCoin(stranger, one, 25_000_000),
        network.outsideCoin(stranger, one, 1_000_000),
        network.outsideCoin(stranger, two, 40, "1002000")
      ]
      network.outsideCoin(stranger, TronEncoding.nobody("elsewhere"), 25_000_000)
      network.outsideCoin(stranger, one, 399_999)
      finalise(network)
      for (let i = 0; i < 2; i++) {
        const { addresses, asked, assets, blocks } = yield* findIn(market)
        assert.deepStrictEqual(assets.map(({ txid }) => txid).sort(), [...sent].sort())
        assert.isTrue(addresses === 2 && asked === blocks && blocks <= network.solid.number)
      }
      assert.strictEqual((yield* recorded).total, 3)
      const trx = (yield* recorded).items.find(({ amount }) => amount === 25_000_000n)
      assert.isDefined(trx)
      yield* decide(trx)
      yield* timePasses(network)
      yield* returnAll(connection)
      assert.strictEqual((yield* assetNow(trx)).state, "returned")
      assert.isAbove(returnedOn(network).trx, 24_000_000)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("thousands of advertisements at an address are 20 records and hide no TRX (CHAIN-33)", () =>
    Effect.gen(function* () {
      const market = yield* assetMarket(100)
      const { network, node, users } = market
      const [user] = users
      assert.isDefined(user)
      const trx = network.outsideCoin(stranger, user.address, 25_000_000)
      network.mine()
      for (let i = 0; i < 3000; i++) network.outsideCoin(stranger, user.address, 1, "1002001")
      finalise(network)
      node.calls.clear()
      const { assets } = yield* findIn(market)
      assert.lengthOf(assets, 20)
      assert.isTrue(assets.some(({ txid }) => txid === trx))
      assert.strictEqual(node.calls.get("gettransactionbyid"), 20)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("reads only the newest blocks that it is given, and believes no single node (CHAIN-33)", () =>
    Effect.gen(function* () {
      const { network, node, url, users } = yield* assetMarket(100)
      const [user] = users
      assert.isDefined(user)
      network.outsideCoin(stranger, user.address, 25_000_000)
      finalise(network)
      network.mine(30)
      const honest = yield* startNode(network)
      const other = yield* startNode(network)
      const market = { node, connection: connectionTo(url, honest.url, other.url) }
      assert.deepInclude(yield* findIn(market, 10), { addresses: 1, blocks: 10, assets: [] })
      // The first node reports another amount, in the block and in the transaction.
      node.reword = ({ method }, answer) =>
        method === "getblockbynum" || method === "gettransactionbyid"
          ? JSON.parse(JSON.stringify(answer).replaceAll(`"amount":25000000`, `"amount":99000000`))
          : answer
      const { assets } = yield* findIn(market)
      assert.deepStrictEqual(
        assets.map(({ amount, sender }) => [amount, sender]),
        [[25_000_000n, stranger]]
      )
      assert.strictEqual(network.trx(bare(user.address)), 25_000_000)
    }).pipe(inMarket, Effect.scoped)
  )
})
