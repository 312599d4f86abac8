import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { settle } from "@agent-marketplace/testkit/fixtures/settle"
import type { LieKind } from "@agent-marketplace/fixtures/tron/lies"
import { makeHonest, makeLiar } from "@agent-marketplace/fixtures/tron/lies"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import type { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { connect } from "../../src/chain/TronConnection.ts"
import { defaultQuorum } from "../../src/TronSettings.ts"
import { reconcile } from "../../src/treasury/Reconciliation.ts"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { depositor, finalise, inMarket, makeWorker, moneyOf, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { settingsOf, startNetwork, startNode, testTimings } from "../fixtures/tronMarket.ts"

/** A network with this many nodes, a worker that has caught up, and a user with a deposit address. */
const start = Effect.fnUntraced(function* (count: number, quorum?: number) {
  const { network, node, url } = yield* startNetwork({ solidLag: 4 })
  const others = yield* Effect.forEach(Array.from({ length: count - 1 }), () => startNode(network))
  const nodes = [node, ...others.map((other) => other.node)]
  const urls = [url, ...others.map((other) => other.url)]
  const worker = yield* makeWorker(urls, { quorum })
  yield* worker.catchUp
  const user = yield* depositor(worker.chain)
  return { network, nodes, urls, worker, user }
})

const lying = (network: TronNetwork, node: TronNode, kind: LieKind, ...victims: ReadonlyArray<string>) =>
  makeLiar(network, node, { kind, victims: () => victims, lies: () => true })

const stranger = TronEncoding.nobody("stranger")

/** Why the chain is unavailable. */
const reasonOf = <R>(effect: Effect.Effect<void, ChainUnavailable | StoreUnavailable, R>) =>
  Effect.match(effect, {
    onFailure: (fault) => (fault._tag === "ChainUnavailable" ? fault.reason : fault._tag),
    onSuccess: () => "it did not fail"
  })

const kindsOf = (worker: Effect.Success<ReturnType<typeof makeWorker>>) =>
  Effect.map(worker.conditions, (open) => open.map(({ kind }) => kind))

/** Conditions are read at most once a second. */
const aSecondLater = TestClock.adjust("1 second")

const minute = TestClock.adjust("61 seconds")

describe("several nodes", () => {
  it("one of up to two nodes must vote by default, and a majority of three or more (CHAIN-10)", () => {
    assert.deepStrictEqual([1, 2, 3, 4, 5].map(defaultQuorum), [1, 1, 2, 3, 3])
  })

  for (const first of [0, 1]) {
    it.effect(
      `forged blocks of ${first === 0 ? "the first" : "the second"} of two nodes, higher than those of the other, credit nothing (CHAIN-28)`,
      () =>
        Effect.gen(function* () {
          const { network, nodes, user, worker } = yield* start(2)
          const liar = nodes[first] ?? assert.fail()
          lying(network, liar, "forges blocks above the final one, with deposits", user.address)
          network.deposit(user.address, 10_000_000n)
          finalise(network)
          yield* worker.catchUp
          assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
          // Blocks that exist only in the liar's story are not passed over either.
          lying(network, liar, "forges blocks above the final one, with deposits")
          yield* Effect.exit(worker.catchUp)
          network.deposit(user.address, 7_000_000n)
          finalise(network)
          yield* worker.catchUp
          assert.strictEqual((yield* moneyOf(user)).available, 17_000_000n)
          yield* assertBooks
        }).pipe(inMarket)
    )
  }

  const contradictions: ReadonlyArray<LieKind> = [
    "reports other ids",
    "reports other times",
    "reports another parent",
    "invents a transfer",
    "hides transfers",
    "reports blocks as empty",
    "reports failed transactions as successful, and successful ones as failed"
  ]
  for (const kind of contradictions) {
    it.effect(
      `nothing is credited or paid while a node of three ${kind}, and the condition names each node (CHAIN-24, CHAIN-26)`,
      () =>
        Effect.gen(function* () {
          const { network, nodes, urls, user, worker } = yield* start(3)
          network.fund(hotWallet, 100_000_000n)
          const [liar = assert.fail()] = nodes
          lying(network, liar, kind, user.address)
          network.deposit(user.address, 10_000_000n)
          // A node that shows an empty list for this block would contradict itself.
          network.outside([network.log(stranger, stranger, 1n)])
          finalise(network)
          const reason = yield* reasonOf(worker.catchUp)
          for (const url of urls) assert.include(reason, new URL(url).host)
          assert.strictEqual((yield* moneyOf(user)).available, 0n)
          assert.deepStrictEqual(yield* kindsOf(worker), ["nodes_disagree"])
          makeHonest(liar)
          yield* worker.catchUp
          yield* aSecondLater
          assert.deepStrictEqual(yield* kindsOf(worker), [])
          assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
          yield* assertBooks
        }).pipe(inMarket)
    )
  }

  it.effect("a node of three that stands still loses its vote after a minute, and the others go on (CHAIN-28)", () =>
    Effect.gen(function* () {
      const { network, nodes, user, worker } = yield* start(3)
      const [still = assert.fail()] = nodes
      lying(network, still, "stands still")
      network.deposit(user.address, 10_000_000n)
      finalise(network)
      yield* worker.catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 0n, "it still votes")
      yield* minute
      yield* worker.catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
      yield* minute
      yield* worker.catchUp
      yield* aSecondLater
      assert.deepStrictEqual(yield* kindsOf(worker), ["node_stalled"])
      makeHonest(still)
      yield* worker.catchUp
      yield* aSecondLater
      assert.deepStrictEqual(yield* kindsOf(worker), [])
    }).pipe(inMarket)
  )

  it.effect(
    "a node of three that fails stops nothing; two that fail stop crediting and paying (CHAIN-10, CHAIN-26)",
    () =>
      Effect.gen(function* () {
        const { network, nodes, user, worker } = yield* start(3)
        network.fund(hotWallet, 100_000_000n)
        const [first = assert.fail(), second = assert.fail()] = nodes
        lying(network, first, "fails")
        network.deposit(user.address, 10_000_000n)
        finalise(network)
        yield* worker.catchUp
        assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
        lying(network, second, "fails")
        network.deposit(user.address, 5_000_000n)
        finalise(network)
        const withdrawal = yield* withdraw(20)
        assert.include(yield* reasonOf(worker.catchUp), "1 of 3 nodes vote, 2 must")
        yield* Effect.exit(worker.process)
        assert.strictEqual((yield* moneyOf(user)).available, 10_000_000n)
        assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "queued")
        assert.deepStrictEqual(yield* kindsOf(worker), ["quorum_missing"])
        makeHonest(second)
        yield* aSecondLater
        yield* worker.catchUp
        yield* worker.process
        assert.strictEqual((yield* moneyOf(user)).available, 15_000_000n)
        assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "broadcasting")
      }).pipe(inMarket)
  )

  it.effect("with TRON_QUORUM=2, one node of two does not decide alone (CHAIN-10)", () =>
    Effect.gen(function* () {
      const { network, nodes, user, worker } = yield* start(2, 2)
      const [first = assert.fail()] = nodes
      lying(network, first, "fails")
      network.deposit(user.address, 10_000_000n)
      finalise(network)
      assert.include(yield* reasonOf(worker.catchUp), "1 of 2 nodes vote, 2 must")
      assert.strictEqual((yield* moneyOf(user)).available, 0n)
    }).pipe(inMarket)
  )

  it.effect("a chain that does not follow the block that was scanned is refused (CHAIN-23)", () =>
    Effect.gen(function* () {
      const { network, user, worker } = yield* start(1)
      const wallets = yield* WalletStore
      const name = yield* worker.chain.network
      const { block, id } = Option.getOrThrow(yield* wallets.scanPosition(name))
      assert.strictEqual(id, network.at(block).id)
      network.mine()
      const other = { block: block + 1, id: "another block", agreed: block + 1 }
      yield* settle({ _tag: "AdvanceCursor", network: name, position: other })
      network.deposit(user.address, 10_000_000n)
      finalise(network)
      assert.include(yield* reasonOf(worker.catchUp), "another block was scanned before it")
      assert.deepStrictEqual(yield* kindsOf(worker), ["nodes_disagree"])
      assert.strictEqual((yield* moneyOf(user)).available, 0n)
    }).pipe(inMarket)
  )

  const backlog = 640

  it.effect(
    `a backlog of ${backlog} blocks takes at most 1.5 times the requests of one node, and is then read from all nodes: what the first one hid is credited (CHAIN-24)`,
    () =>
      Effect.gen(function* () {
        const { network, nodes, urls, user, worker } = yield* start(3)
        for (let i = 0; i < backlog; i++) {
          network.outside([network.log(stranger, stranger, 1n)])
          if (i % 100 === 50) network.deposit(user.address, 1_000_000n)
          network.mine()
        }
        const requests = () =>
          nodes.reduce((sum, { calls }) => sum + [...calls.values()].reduce((total, each) => total + each, 0), 0)
        const [liar = assert.fail()] = nodes
        const requestsOf = Effect.fnUntraced(function* (
          scan: Effect.Effect<unknown, ChainUnavailable | StoreUnavailable>
        ) {
          for (const { calls } of nodes) calls.clear()
          yield* scan
          return requests()
        })
        // The adapter alone, for the comparison: one node, and the same ranges.
        const { block } = yield* worker.chain.finalHead
        const alone = yield* makeWorker([urls[1] ?? ""])
        const before = yield* requestsOf(
          Effect.forEach(
            Array.from({ length: Math.ceil(backlog / 32) }, (_, i) => block - backlog + 1 + 32 * i),
            (from) => alone.chain.transfers(from, Math.min(block, from + 31))
          )
        )
        lying(network, liar, "hides transfers", user.address)
        const now = yield* requestsOf(worker.catchUp)
        process.stdout.write(`${backlog} blocks: ${before} requests with one node, ${now} with three\n`)
        assert.isAtMost(now, 1.5 * before, `${now} requests, ${before} with one node`)
        assert.strictEqual((yield* moneyOf(user)).available, 0n, "the first node hid them")
        makeHonest(liar)
        for (let i = 0; i <= backlog / 16 + 6; i++) {
          network.mine()
          // Its earlier story contradicts the present one, once.
          yield* Effect.exit(worker.catchUp)
        }
        assert.strictEqual((yield* moneyOf(user)).available, 6_000_000n)
        const wallets = yield* WalletStore
        const position = Option.getOrThrow(yield* wallets.scanPosition(yield* worker.chain.network))
        assert.strictEqual(position.agreed, position.block)
        yield* assertBooks
      }).pipe(inMarket)
  )
})

describe("the result of a payout", () => {
  const paying = Effect.fnUntraced(function* () {
    const market = yield* start(3)
    market.network.fund(hotWallet, 1_000_000_000n)
    const withdrawal = yield* withdraw(20)
    yield* market.worker.process
    return { ...market, withdrawal, paid: () => market.network.balance(bare(receiver)) }
  })

  const lies: ReadonlyArray<LieKind> = [
    "reports failed transactions as successful, and successful ones as failed",
    "hides transfers",
    "reports blocks as empty",
    "reports other times"
  ]
  for (const kind of lies) {
    it.effect(`one node that ${kind} neither refunds a paid withdrawal nor has it paid again (CHAIN-25)`, () =>
      Effect.gen(function* () {
        const { network, nodes, paid, withdrawal, worker } = yield* paying()
        const [liar = assert.fail()] = nodes
        lying(network, liar, kind, hotWallet)
        for (let i = 0; i < 12; i++) {
          network.mine(6)
          yield* Effect.exit(worker.process)
          assert.notInclude(["queued", "failed"], (yield* withdrawalOf(withdrawal)).state)
        }
        makeHonest(liar)
        network.mine(6)
        yield* worker.process
        assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "completed", attempts: 1 })
        assert.strictEqual(paid(), 20_000_000n)
        yield* assertBooks
      }).pipe(inMarket)
    )
  }

  it.effect("a first node that answers {} for each transaction, or stands still, leaves no withdrawal pending", () =>
    Effect.gen(function* () {
      const { network, nodes, paid, withdrawal, worker } = yield* paying()
      const [first = assert.fail()] = nodes
      lying(network, first, "forgets transactions")
      finalise(network)
      yield* worker.process
      assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "completed")
      makeHonest(first)
      const second = yield* withdraw(30)
      yield* worker.process
      lying(network, first, "stands still")
      finalise(network)
      yield* worker.process
      yield* minute
      yield* worker.process
      assert.strictEqual((yield* withdrawalOf(second)).state, "completed")
      assert.strictEqual(paid(), 50_000_000n)
    }).pipe(inMarket)
  )

  it.effect("a node that accepts transactions without passing them on does not delay a payout", () =>
    Effect.gen(function* () {
      const market = yield* start(3)
      market.network.fund(hotWallet, 1_000_000_000n)
      const [first = assert.fail()] = market.nodes
      lying(market.network, first, "forgets transactions")
      const withdrawal = yield* withdraw(20)
      for (let i = 0; i < 3; i++) {
        yield* market.worker.process
        finalise(market.network)
      }
      yield* market.worker.process
      assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "completed", attempts: 1 })
    }).pipe(inMarket)
  )
})

describe("reconciliation with several nodes (CHAIN-27)", () => {
  it.live("old balances of a first node that stands still do not hide a theft", () =>
    Effect.gen(function* () {
      const { network, nodes, urls, user, worker } = yield* start(2)
      network.deposit(user.address, 5_000_000_000n)
      finalise(network)
      yield* worker.catchUp
      const [first = assert.fail()] = nodes
      lying(network, first, "stands still")
      network.outside([network.log(user.address, TronEncoding.nobody("thief"), 5_000_000_000n)])
      finalise(network)
      const timings = { ...testTimings, still: 300, fresh: 100 }
      const { differences } = yield* reconcile(connect(settingsOf(urls, { timings })), { hotWallet, own: 0n })
      assert.deepStrictEqual(differences, [
        { where: "deposit address", address: user.address, expected: 5_000_000_000n, found: 0n }
      ])
    }).pipe(inMarket)
  )

  it.live("a balance about which the nodes disagree is never reported as correct", () =>
    Effect.gen(function* () {
      const { network, nodes, urls, user, worker } = yield* start(3)
      network.deposit(user.address, 50_000_000n)
      finalise(network)
      yield* worker.catchUp
      network.outside([network.log(user.address, TronEncoding.nobody("thief"), 50_000_000n)])
      finalise(network)
      const [first = assert.fail()] = nodes
      first.reword = ({ method }, answer) =>
        method === "triggerconstantcontract"
          ? { ...(answer as object), constant_result: [(50_000_000).toString(16).padStart(64, "0")] }
          : answer
      const timings = { ...testTimings, still: 10, fresh: 10 }
      const found = reconcile(connect(settingsOf(urls, { timings })), { hotWallet, own: 0n })
      assert.include(yield* reasonOf(Effect.asVoid(found)), "the nodes disagree about the balance")
    }).pipe(inMarket)
  )
})
