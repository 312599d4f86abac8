import { Chain } from "@agent-marketplace/core/chain/Chain"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { foreignRecorder } from "@agent-marketplace/core/wallets/foreignRecorder"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { recheck } from "../fixtures/foreignAssets.ts"
import { hotWallet } from "../fixtures/keys.ts"
import { depositor, finalise, inMarket, makeWorker, moneyOf, startMarket } from "../fixtures/market.ts"
import { startNode } from "../fixtures/tronMarket.ts"

const stranger = TronEncoding.nobody("stranger")

const token = TronEncoding.nobody("another token")

const none = { available: 0n, locked: 0n, pending: 0n }

const recorded = Effect.flatMap(ForeignAssetStore, ({ list }) => list({}, { page: 1, limit: 100 }))

/** A market whose blocks are all scanned, with an account that has a deposit address. */
const started = Effect.gen(function* () {
  const market = yield* startMarket()
  yield* market.worker.catchUp
  return { ...market, user: yield* depositor(market.worker.chain), other: yield* depositor(market.worker.chain) }
})

const scanned = Effect.fnUntraced(function* ({ network, worker }: Effect.Success<typeof started>) {
  finalise(network)
  yield* worker.catchUp
  return yield* recorded
})

const shown = ({ address, amount, asset, kind, sender, state, txid }: ForeignAsset) => ({
  address,
  amount,
  asset,
  kind,
  sender,
  state,
  txid
})

const foreign = (network: TronNetwork, from: string, to: string, amount: bigint) =>
  network.outsideToken(bare(token), from, to, amount)

describe("other assets at deposit addresses", () => {
  it.live("another token is recorded by the scan, credited never, and costs no request (CHAIN-29)", () =>
    Effect.gen(function* () {
      const market = yield* started
      const { network, node, user } = market
      const txid = foreign(network, stranger, user.address, 2n ** 200n)
      const { number: before } = network.head
      node.calls.clear()
      const { items, total } = yield* scanned(market)
      assert.strictEqual(total, 1)
      assert.deepStrictEqual(items.map(shown), [
        {
          address: user.address,
          amount: 2n ** 200n,
          asset: token,
          kind: "trc20",
          sender: stranger,
          txid,
          state: "received"
        }
      ])
      assert.deepInclude(items[0], { accountId: user.id, block: before + 1, logIndex: 0, unverifiedSymbol: null })
      assert.deepStrictEqual(yield* moneyOf(user), none)
      for (const method of ["gettransactionbyid", "gettransactioninfobyid", "getaccount", "triggerconstantcontract"])
        assert.isUndefined(node.calls.get(method), method)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live("the same transfer sent twice is two records; a block that is scanned again adds none (CHAIN-29)", () =>
    Effect.gen(function* () {
      const market = yield* started
      const { network, url, user } = market
      const log = network.log(stranger, user.address, 5n, bare(token))
      const both = network.outside([log, network.log(stranger, stranger, 1n, bare(token)), log])
      const single = foreign(network, stranger, user.address, 5n)
      const once = yield* scanned(market)
      const places = (items: ReadonlyArray<ForeignAsset>) => items.map((each) => `${each.txid} ${each.logIndex}`).sort()
      assert.deepStrictEqual(places(once.items), [`${both} 0`, `${both} 2`, `${single} 0`].sort())
      const again = yield* makeWorker([url])
      const transfers = yield* again.chain.transfers(1, network.solid.number)
      const recorder = yield* Effect.provideService(foreignRecorder, Chain, again.chain)
      yield* recorder.scanned(yield* again.chain.network, transfers)
      assert.deepStrictEqual(places((yield* recorded).items), places(once.items))
    }).pipe(inMarket)
  )

  it.live(
    "the market's token, an amount of zero, a reverted call, an NFT and what the market sent itself are not recorded (CHAIN-29)",
    () =>
      Effect.gen(function* () {
        const market = yield* started
        const { network, other, user } = market
        const cold = TronEncoding.nobody("cold wallet")
        yield* (yield* TreasuryStore).setWallet("cold", { from: null, to: cold }, actionDraft("treasury.set", "cold"))
        network.deposit(user.address, 3_000_000n)
        foreign(network, stranger, user.address, 0n)
        network.outside([network.log(stranger, user.address, 5n, bare(token))], "REVERT")
        const nft = network.log(stranger, user.address, 5n, bare(token))
        network.outside([{ ...nft, topics: [...nft.topics, "1".padStart(64, "0")] }])
        for (const from of [hotWallet, cold, other.address]) foreign(network, from, user.address, 5n)
        foreign(network, user.address, stranger, 5n)
        assert.strictEqual((yield* scanned(market)).total, 0)
        assert.strictEqual((yield* moneyOf(user)).available, 3_000_000n)
        const own = [hotWallet, cold, other.address].map((from) => network.outsideCoin(from, user.address, 9_000_000))
        yield* scanned(market)
        for (const txid of own) assert.deepStrictEqual(yield* recheck(market.worker.chain, txid), [])
      }).pipe(inMarket)
  )

  it.live("10,000 worthless transfers are 20 records, and deposits beside them are credited (CHAIN-30)", () =>
    Effect.gen(function* () {
      const market = yield* started
      const { network, other, user } = market
      for (let block = 0; block < 10; block++) {
        for (let i = 0; i < 1000; i++) foreign(network, stranger, user.address, BigInt(i + 1))
        network.deposit(user.address, 1_000_000n)
        network.mine()
      }
      foreign(network, stranger, other.address, 7n)
      const { items, total } = yield* scanned(market)
      assert.strictEqual(total, 21)
      assert.strictEqual(items.filter(({ address }) => address === other.address).length, 1)
      assert.strictEqual(yield* (yield* ForeignAssetStore).leftOut, 9980)
      assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
    }).pipe(inMarket)
  )

  it.live("TRX and a TRC-10 token are recorded from their final transaction, once (CHAIN-29, CHAIN-31)", () =>
    Effect.gen(function* () {
      const market = yield* started
      const { network, user, worker } = market
      const trx = network.outsideCoin(stranger, user.address, 25_000_000)
      const trc10 = network.outsideCoin(stranger, user.address, 40, "1002000")
      const elsewhere = network.outsideCoin(stranger, TronEncoding.nobody("elsewhere"), 25_000_000)
      network.mine()
      assert.deepStrictEqual(yield* recheck(worker.chain, trx), [], "the block is not final")
      yield* scanned(market)
      const common = { address: user.address, sender: stranger, state: "received" } as const
      for (let i = 0; i < 2; i++) {
        assert.deepStrictEqual((yield* recheck(worker.chain, trx)).map(shown), [
          { ...common, txid: trx, kind: "trx", asset: "TRX", amount: 25_000_000n }
        ])
        assert.deepStrictEqual((yield* recheck(worker.chain, trc10)).map(shown), [
          { ...common, txid: trc10, kind: "trc10", asset: "1002000", amount: 40n }
        ])
      }
      assert.deepStrictEqual(yield* recheck(worker.chain, elsewhere), [])
      assert.deepStrictEqual(yield* recheck(worker.chain, "ab".repeat(32)), [])
      assert.strictEqual((yield* recorded).total, 2)
      assert.deepStrictEqual(yield* moneyOf(user), none)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live("one of three nodes cannot invent an asset, neither in a block nor in a transaction (CHAIN-29)", () =>
    Effect.gen(function* () {
      const { network, url, user } = yield* started
      const [honest, liar] = [yield* startNode(network), yield* startNode(network)]
      const urls = [liar.url, url, honest.url]
      const txid = network.outsideCoin(stranger, user.address, 25_000_000)
      const call = network.outside([network.log(stranger, stranger, 5n, bare(token))])
      finalise(network)
      liar.node.reword = ({ method }, answer) => {
        const text = JSON.stringify(answer)
        if (method === "gettransactionbyid") return JSON.parse(text.replace("25000000", "99000000"))
        return JSON.parse(
          text.replace(network.log(stranger, stranger, 5n).topics[2] ?? "", `${"0".repeat(24)}${bare(user.address)}`)
        )
      }
      const worker = yield* makeWorker(urls)
      assert.deepStrictEqual(
        (yield* recheck(worker.chain, txid)).map(({ amount }) => amount),
        [25_000_000n]
      )
      assert.deepStrictEqual(yield* recheck(worker.chain, call), [])
      assert.strictEqual((yield* Effect.exit(worker.catchUp))._tag, "Failure", "the nodes disagree")
      assert.strictEqual((yield* recorded).total, 1)
    }).pipe(inMarket)
  )

  it.live("a token's name is bounded, and a node that fails means no name (CHAIN-30)", () =>
    Effect.gen(function* () {
      const { network, node, worker } = yield* started
      const named = (kind: ForeignAsset["kind"], asset: string) =>
        worker.chain.foreign?.symbol({ kind, asset }) ?? Effect.succeed(null)
      network.assets.contracts.set(bare(token), { symbol: "  \u001b[31mUSDT\u202e visit evil.example now, and more" })
      assert.strictEqual(yield* named("trc20", token), "[31mUSDTvisitevil.exampl")
      network.assets.contracts.set(bare(token), { symbol: "\u0000" })
      assert.isNull(yield* named("trc20", token))
      assert.strictEqual(yield* named("trc10", "1002000"), "TEN")
      assert.strictEqual(yield* named("trx", "TRX"), "TRX")
      node.fault = () => ({ kind: "away" })
      assert.isNull(yield* named("trc20", token))
    }).pipe(inMarket)
  )
})
