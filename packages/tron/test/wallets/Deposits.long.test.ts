import { Chain } from "@agent-marketplace/core/chain/Chain"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { scanStart } from "@agent-marketplace/core/wallets/scanStart"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import type { Fault } from "@agent-marketplace/fixtures/tron/TronNode"
import { overloaded } from "@agent-marketplace/fixtures/tron/TronNode"
import { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { depositor, finalise, inMarket, makeWorker, moneyOf, startMarket } from "../fixtures/market.ts"
import { startNode } from "../fixtures/tronMarket.ts"

/** The same sequence of faults in every run. */
const chance = (seed: number) => {
  let state = seed
  return (probability: number): boolean => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32 < probability
  }
}

const stranger = TronEncoding.nobody("stranger")

/** Scans until the worker has caught up despite faults of the node, with a maximum number of attempts. */
const insist = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, times = 2000) {
  for (let i = 0; i < times; i++) {
    if ((yield* Effect.exit(effect))._tag === "Success") return
    yield* Effect.sleep("1 millis")
  }
  assert.fail("never caught up")
})

describe("deposits on TRON", () => {
  it.live("a transfer shows as pending immediately, and is credited once when it is final (DEPOSIT-5)", () =>
    Effect.gen(function* () {
      const { network, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      network.deposit(user.address, 12_500_000n)
      network.mine()
      yield* worker.catchUp
      assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 12_500_000n })
      finalise(network)
      yield* worker.catchUp
      yield* worker.catchUp
      assert.deepStrictEqual(yield* moneyOf(user), { available: 12_500_000n, locked: 0n, pending: 0n })
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live(
    "a fake token, a reverted transfer, an amount of zero, TRX and the service's own sweeps are not credited (CHAIN-7)",
    () =>
      Effect.gen(function* () {
        const { network, worker } = yield* startMarket()
        yield* worker.catchUp
        const user = yield* depositor(worker.chain)
        const other = yield* depositor(worker.chain)
        const fake = TronEncoding.toHex(TronEncoding.nobody("fake token")).slice(2)
        network.outside([network.log(stranger, user.address, 5_000_000n, fake)])
        network.outside([network.log(stranger, user.address, 5_000_000n)], "REVERT")
        network.outside([network.log(stranger, user.address, 5_000_000n)], "OUT_OF_ENERGY")
        network.outside([network.log(stranger, user.address, 0n)])
        network.outside([])
        network.outside([network.log(hotWallet, user.address, 5_000_000n)])
        network.outside([network.log(other.address, user.address, 5_000_000n)])
        network.outside([network.log(user.address, hotWallet, 5_000_000n)])
        network.outside([
          {
            ...network.log(stranger, user.address, 7n),
            topics: network.log(stranger, user.address, 7n).topics.slice(0, 2)
          }
        ])
        network.mine()
        yield* worker.catchUp
        assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 0n })
        finalise(network)
        yield* worker.catchUp
        assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 0n })
        assert.deepStrictEqual(yield* moneyOf(other), { available: 0n, locked: 0n, pending: 0n })
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live("two transfers of one transaction are two deposits", () =>
    Effect.gen(function* () {
      const { network, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      const log = network.log(stranger, user.address, 3_000_000n)
      network.outside([log, network.log(stranger, stranger, 9n), log])
      finalise(network)
      yield* worker.catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 6_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live(
    "a thousand deposits in one block become a thousand credits, in the transaction that moves the scan position past it",
    () =>
      Effect.gen(function* () {
        const { network, url, worker: first } = yield* startMarket()
        yield* first.catchUp
        const wallets = yield* WalletStore
        const chainName = yield* first.chain.network
        const block = network.blocks.length
        const seen = new Set<string>()
        const look = Effect.gen(function* () {
          const { deposits } = yield* wallets.totals
          const cursor = Option.getOrElse(yield* wallets.cursor(chainName), () => 0)
          seen.add(`${deposits} ${cursor < block ? "before" : "past"}`)
        }).pipe(Effect.orDie)
        const worker = yield* makeWorker([url], {}, () => look)
        const users = yield* Effect.forEach(Array.from({ length: 50 }), () => depositor(worker.chain))
        for (let i = 0; i < 1000; i++) network.deposit(users[i % 50]?.address ?? "", BigInt(i + 1))
        finalise(network)
        yield* worker.catchUp
        let sum = 0n
        for (const user of users) sum += (yield* moneyOf(user)).available
        assert.strictEqual(sum, 500_500n)
        assert.deepStrictEqual([...seen], ["0 before", "500500 past"])
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live(
    "a deposit that a fork removes is no longer pending, and is credited if it is included again (CHAIN-14)",
    () =>
      Effect.gen(function* () {
        const { network, worker } = yield* startMarket()
        yield* worker.catchUp
        const user = yield* depositor(worker.chain)
        network.deposit(user.address, 4_000_000n)
        network.mine(3)
        yield* worker.catchUp
        assert.strictEqual((yield* moneyOf(user)).pending, 4_000_000n)
        network.fork(5)
        yield* worker.catchUp
        assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 0n })
        network.deposit(user.address, 2_000_000n)
        network.mine()
        yield* worker.catchUp
        assert.strictEqual((yield* moneyOf(user)).pending, 2_000_000n)
        finalise(network)
        yield* worker.catchUp
        assert.deepStrictEqual(yield* moneyOf(user), { available: 2_000_000n, locked: 0n, pending: 0n })
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live("a deposit that disappears is no longer pending, whichever worker recorded it and whichever scans now", () =>
    Effect.gen(function* () {
      const { network, url, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      network.deposit(user.address, 4_000_000n)
      network.mine()
      yield* (yield* makeWorker([url])).catchUp
      assert.strictEqual((yield* moneyOf(user)).pending, 4_000_000n)
      network.fork(2)
      yield* worker.catchUp
      assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 0n })
    }).pipe(inMarket)
  )

  it.live("a node that was unavailable for 500 blocks loses no deposit", () =>
    Effect.gen(function* () {
      const { network, node, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      node.fault = () => ({ kind: "away" })
      for (let i = 0; i < 500; i++) {
        network.deposit(user.address, 1_000_000n)
        network.mine()
        if (i % 100 === 0) assert.strictEqual((yield* Effect.exit(worker.scan))._tag, "Failure")
      }
      finalise(network)
      node.fault = () => undefined
      yield* insist(worker.catchUp)
      assert.strictEqual((yield* moneyOf(user)).available, 500_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  const faults: Readonly<Record<string, Fault>> = {
    "a storm of 429": { kind: "status", status: 429, headers: { "retry-after": "0.002" } },
    "a storm of 403": { kind: "status", status: 403 },
    "TRON's rate limit message with status 200": overloaded,
    "a lite node's plain text": { kind: "body", text: "this API is closed because this node is a lite fullnode" },
    "an empty object for everything": { kind: "body", text: "{}" },
    "an empty list for everything": { kind: "body", text: "[]" },
    "half of each answer": { kind: "truncated" },
    "answers that are lost": { kind: "lost" },
    "a server error": { kind: "status", status: 500 }
  }
  for (const [name, fault] of Object.entries(faults)) {
    it.live(`${name}, half of the time, loses no deposit and credits none twice`, () =>
      Effect.gen(function* () {
        const { network, node, worker } = yield* startMarket()
        yield* worker.catchUp
        const user = yield* depositor(worker.chain)
        let asked = 0
        node.fault = () => (asked++ % 2 === 0 ? fault : undefined)
        let given = 0n
        for (let i = 1; i <= 30; i++) {
          network.deposit(user.address, BigInt(i))
          given += BigInt(i)
          network.mine(2)
          yield* Effect.exit(worker.scan)
        }
        finalise(network)
        const unlucky = chance(7)
        node.fault = () => (unlucky(0.4) ? fault : undefined)
        yield* insist(worker.scan)
        node.fault = () => undefined
        yield* insist(worker.catchUp)
        assert.strictEqual((yield* moneyOf(user)).available, given)
        yield* assertBooks
      }).pipe(inMarket)
    )
  }

  it.live("two nodes behind one URL, one of them lagging, hide no block", () =>
    Effect.gen(function* () {
      const { network, node, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      let asked = 0
      node.behind = () => (asked++ % 2 === 0 ? 40 : 0)
      for (let i = 0; i < 200; i++) {
        network.deposit(user.address, 1_000_000n)
        network.mine()
        yield* Effect.exit(worker.scan)
      }
      finalise(network)
      const unlucky = chance(11)
      node.behind = () => (unlucky(0.3) ? 40 : 0)
      yield* insist(worker.catchUp)
      assert.strictEqual((yield* moneyOf(user)).available, 200_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live("the next node is used if the first one is far behind it, from the start or later", () =>
    Effect.gen(function* () {
      const { network, url, worker } = yield* startMarket()
      const first = yield* startNode(network)
      const user = yield* depositor(worker.chain)
      yield* (yield* makeWorker([url], { startBlock: 1 })).catchUp
      const nodes = [first.url, url]
      network.mine(60)
      const running = yield* makeWorker(nodes)
      yield* running.catchUp
      first.node.behind = () => 40
      for (const sooner of [running, yield* makeWorker(nodes)]) {
        const before = (yield* moneyOf(user)).available
        network.deposit(user.address, 1_000_000n)
        network.mine(2)
        yield* sooner.catchUp
        assert.strictEqual((yield* moneyOf(user)).pending, 1_000_000n)
        finalise(network)
        yield* sooner.catchUp
        assert.strictEqual((yield* moneyOf(user)).available, before + 1_000_000n)
      }
    }).pipe(inMarket)
  )

  it.live("if a node does not answer, the next one is used", () =>
    Effect.gen(function* () {
      const { network, node, url } = yield* startMarket()
      const second = yield* startNode(network)
      const worker = yield* makeWorker([url, second.url])
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      node.fault = () => ({ kind: "body", text: "<html>" })
      network.deposit(user.address, 8_000_000n)
      finalise(network)
      yield* worker.catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 8_000_000n)
      assert.isTrue((second.node.calls.get("gettransactioninfobyblocknum") ?? 0) > 0)
    }).pipe(inMarket)
  )

  it.live("a node of another network is not used, and a market does not change its network (CHAIN-15)", () =>
    Effect.gen(function* () {
      const { network, url, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      const elsewhere = new TronNetwork({ name: "elsewhere" })
      const other = yield* startNode(elsewhere)
      elsewhere.deposit(user.address, 1_000_000n)
      network.deposit(user.address, 2_000_000n)
      finalise(elsewhere)
      elsewhere.mine(500)
      finalise(network)
      const refused = yield* Effect.flip((yield* makeWorker([other.url], { startBlock: 1 })).scan)
      assert.strictEqual(refused._tag, "ChainUnavailable")
      yield* (yield* makeWorker([url, other.url])).catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 2_000_000n)
    }).pipe(inMarket)
  )

  it.live(
    "the scan starts at the block at which the first address was issued, however late the worker starts (CHAIN-8)",
    () =>
      Effect.gen(function* () {
        const { network, node, url, worker } = yield* startMarket()
        const layer = Layer.merge(Settlement.layer, Layer.succeed(Chain, worker.chain))
        const { ensureStart } = yield* Effect.provide(scanStart, layer)
        yield* ensureStart
        const user = yield* depositor(worker.chain)
        network.deposit(user.address, 2_000_000n)
        finalise(network)
        network.mine(200)
        yield* ensureStart
        node.fault = () => ({ kind: "away" })
        yield* (yield* Effect.provide(scanStart, layer)).ensureStart
        node.fault = () => undefined
        const late = yield* makeWorker([url])
        yield* insist(late.catchUp)
        assert.strictEqual((yield* moneyOf(user)).available, 2_000_000n)
      }).pipe(inMarket)
  )

  it.live("a market that issued addresses while no node answered requires a start block, and starts there", () =>
    Effect.gen(function* () {
      const { network, url, worker } = yield* startMarket()
      const user = yield* depositor(worker.chain)
      network.deposit(user.address, 2_000_000n)
      const { number } = network.head
      finalise(network)
      assert.strictEqual((yield* Effect.flip(worker.scan))._tag, "ChainUnavailable")
      yield* (yield* makeWorker([url], { startBlock: number })).catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 2_000_000n)
    }).pipe(inMarket)
  )

  it.live(
    "without the account's public key no address is issued; the token's contract is not a valid destination",
    () =>
      Effect.gen(function* () {
        const { url } = yield* startMarket()
        const worker = yield* makeWorker([url], { depositXpub: undefined })
        assert.strictEqual((yield* Effect.flip(worker.chain.depositAddress(0)))._tag, "ChainUnavailable")
        assert.deepStrictEqual([...worker.chain.forbidden].sort(), [hotWallet, usdtContract].sort())
      }).pipe(inMarket)
  )
})
