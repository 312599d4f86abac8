import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import type { Fault, NodeCall } from "@agent-marketplace/fixtures/tron/TronNode"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import {
  finalise,
  inMarket,
  makeWorker,
  moneyOf,
  startMarket,
  units,
  withdraw,
  withdrawalOf
} from "../fixtures/market.ts"
import { startNetwork, startNode, testTimings } from "../fixtures/tronMarket.ts"

const rich = Effect.fnUntraced(function* (money = 1_000_000_000n) {
  const market = yield* startMarket()
  market.network.fund(hotWallet, money)
  return market
})

type Market = Effect.Success<ReturnType<typeof rich>>

const paidTo = (network: TronNetwork) => network.balance(bare(receiver))

/** Runs the worker, adding blocks between the runs, until the withdrawal has ended. */
const untilEnded = Effect.fnUntraced(function* ({ network, worker }: Market, withdrawal: Withdrawal, rounds = 80) {
  for (let i = 0; i < rounds; i++) {
    yield* Effect.exit(worker.process)
    network.mine(4)
    const now = yield* withdrawalOf(withdrawal)
    if (now.state !== "queued" && now.state !== "broadcasting") return now
  }
  return assert.fail(`the withdrawal is still ${(yield* withdrawalOf(withdrawal)).state}`)
})

/** Asserts that the withdrawal is completed, paid once and correct in the ledger. */
const assertPaid = Effect.fnUntraced(function* (market: Market, withdrawal: Withdrawal, attempts = 1) {
  const ended = yield* untilEnded(market, withdrawal)
  finalise(market.network)
  assert.deepInclude(ended, { state: "completed", attempts })
  assert.strictEqual(paidTo(market.network), withdrawal.amount as bigint)
  assert.isDefined(market.network.infoOf(ended.transaction?.txid ?? "", market.network.head.number))
  const account = { id: withdrawal.accountId }
  assert.deepStrictEqual(yield* moneyOf(account), { available: 0n, locked: 0n, pending: 0n })
  yield* assertBooks
})

const toBroadcast = ({ method }: NodeCall) => method === "broadcasttransaction"

/** Makes the first broadcasts of the test fail in this way. */
const firstBroadcasts = (fault: Fault, times: number) => {
  let left = times
  return (call: NodeCall) => (toBroadcast(call) && left-- > 0 ? fault : undefined)
}

describe("withdrawals on TRON", () => {
  it.live("a withdrawal is paid once, and completed with the final receipt (WITHDRAWAL-4)", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      const sent = yield* withdrawalOf(withdrawal)
      assert.strictEqual(sent.state, "broadcasting")
      assert.deepStrictEqual(market.network.pool, [sent.transaction?.txid ?? ""])
      market.network.mine(3)
      yield* market.worker.process
      assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "broadcasting", "included is not final")
      yield* assertPaid(market, withdrawal)
    }).pipe(inMarket)
  )

  const survived: Readonly<Record<string, Fault>> = {
    "the answer to a broadcast that was accepted is lost": { kind: "lost" },
    "a broadcast is never answered": { kind: "unanswered" },
    "a broadcast never arrives": { kind: "away" },
    "half of the answer arrives": { kind: "truncated" },
    "the node is overloaded": { kind: "status", status: 429 },
    SERVER_BUSY: { kind: "refuse", code: "SERVER_BUSY" },
    NO_CONNECTION: { kind: "refuse", code: "NO_CONNECTION" },
    BLOCK_UNSOLIDIFIED: { kind: "refuse", code: "BLOCK_UNSOLIDIFIED" },
    "NOT_ENOUGH_EFFECTIVE_CONNECTION after it was pushed": { kind: "tell", code: "NOT_ENOUGH_EFFECTIVE_CONNECTION" },
    "DUP_TRANSACTION_ERROR for bytes that were accepted": { kind: "tell", code: "DUP_TRANSACTION_ERROR" },
    "DUP_TRANSACTION_ERROR for bytes that were not accepted": { kind: "refuse", code: "DUP_TRANSACTION_ERROR" },
    "TAPOS_ERROR of a node that is behind": { kind: "refuse", code: "TAPOS_ERROR" },
    "TRANSACTION_EXPIRATION_ERROR of a node that is ahead": { kind: "refuse", code: "TRANSACTION_EXPIRATION_ERROR" },
    "SIGERROR of a broken node": { kind: "refuse", code: "SIGERROR" },
    OTHER_ERROR: { kind: "tell", code: "OTHER_ERROR" }
  }
  for (const [name, fault] of Object.entries(survived)) {
    it.live(`${name}: the same bytes are sent again, and pay once`, () =>
      Effect.gen(function* () {
        const market = yield* rich()
        const worker = yield* makeWorker([market.url], {
          timings: { timeout: 300, restMin: 1, restMax: 2, fresh: 0, lifetime: 300_000, resend: 0 }
        })
        market.node.fault = firstBroadcasts(fault, 2)
        yield* assertPaid({ ...market, worker }, yield* withdraw(20))
      }).pipe(inMarket)
    )
  }

  it.live("accepted and never included: proven dead after its expiration, rebuilt, paid once (CHAIN-16)", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const withdrawal = yield* withdraw(20)
      const dropped = new Set<string>()
      market.network.mishap = (id) => {
        if (dropped.size === 0 || dropped.has(id)) return (dropped.add(id), "drop")
        return undefined
      }
      yield* assertPaid(market, withdrawal, 2)
      assert.strictEqual(dropped.size, 1)
    }).pipe(inMarket)
  )

  it.live("refused by every node until its expiration: proven dead, rebuilt, paid once", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      const first = (yield* withdrawalOf(withdrawal)).transaction?.txid
      market.node.fault = (call) => (toBroadcast(call) ? { kind: "refuse", code: "TAPOS_ERROR" } : undefined)
      market.network.mishap = (id) => (id === first ? "drop" : undefined)
      for (let i = 0; i < 30; i++) {
        yield* Effect.exit(market.worker.process)
        market.network.mine(4)
      }
      market.node.fault = () => undefined
      const ended = yield* untilEnded(market, withdrawal)
      assert.strictEqual(ended.state, "completed")
      assert.strictEqual(paidTo(market.network), 20_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live("a node that is behind cannot prove that a transaction was not included", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      market.network.mine(100)
      // Every block is read from a server that has not reached it; heads come from one that has.
      market.node.behind = ({ method }) => (/^getblockbynum$|^gettransactioninfo/.test(method) ? 110 : 0)
      for (let i = 0; i < 5; i++) {
        yield* Effect.exit(market.worker.process)
        market.network.mine()
      }
      assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "broadcasting", attempts: 1 })
      market.node.behind = () => 0
      yield* assertPaid(market, withdrawal)
    }).pipe(inMarket)
  )

  it.live("a node of another network proves nothing about a transaction, and nothing is paid there", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      yield* market.worker.catchUp
      const sent = yield* withdraw(20)
      yield* market.worker.process
      const asked = yield* withdraw(30)
      const elsewhere = yield* startNetwork({ name: "another" })
      elsewhere.network.fund(hotWallet, 1_000_000_000n)
      const astray = yield* makeWorker([elsewhere.url])
      for (let i = 0; i < 30; i++) {
        yield* Effect.exit(astray.process)
        for (const { network } of [market, elsewhere]) network.mine(4)
      }
      assert.deepInclude(yield* withdrawalOf(sent), { state: "broadcasting", attempts: 1 })
      assert.deepInclude(yield* withdrawalOf(asked), { state: "queued", attempts: 0 })
      for (const each of [sent, asked]) assert.strictEqual((yield* untilEnded(market, each)).state, "completed")
      assert.deepStrictEqual([paidTo(market.network), paidTo(elsewhere.network)], [50_000_000n, 0n])
      yield* assertBooks
    }).pipe(inMarket)
  )

  const oldBalance = "an old balance from a node that is behind is not paid out again"
  it.live(`${oldBalance}, by the worker that has paid it or its successor`, () =>
    Effect.gen(function* () {
      const market = yield* rich(100_000_000n)
      const behind = yield* startNode(market.network)
      market.network.mine(70)
      const nodes = [market.url, behind.url]
      const worker = yield* makeWorker(nodes)
      yield* worker.catchUp
      behind.node.behind = () => 60
      const paid = yield* withdraw(100)
      yield* untilEnded({ ...market, worker }, paid)
      yield* worker.catchUp
      const asked = yield* withdraw(100)
      // Heads still come from the first node; then nothing does.
      for (const away of [({ method }: NodeCall) => method !== "getblock", () => true]) {
        market.node.fault = (call) => (away(call) ? { kind: "away" } : undefined)
        for (const each of [worker, yield* makeWorker(nodes)]) {
          yield* Effect.exit(each.process)
          yield* Effect.exit(each.process)
        }
      }
      market.node.fault = () => undefined
      assert.deepInclude(yield* withdrawalOf(asked), { state: "queued", attempts: 0 })
      market.network.fund(hotWallet, 100_000_000n)
      assert.strictEqual((yield* untilEnded({ ...market, worker }, asked)).state, "completed")
      yield* assertBooks
    }).pipe(inMarket)
  )

  const undecided: Readonly<Record<string, Fault>> = {
    "an error with status 200": { kind: "body", text: `{"Error":"class java.lang.NullPointerException : null"}` },
    "plain text": { kind: "body", text: "this API is closed because this node is a lite fullnode" },
    "another transaction": { kind: "body", text: `{"id":"${"ab".repeat(32)}","blockNumber":1,"blockTimeStamp":1}` }
  }
  for (const [name, fault] of Object.entries(undecided)) {
    it.live(`${name} instead of a block's transactions is never "not included": nothing is rebuilt`, () =>
      Effect.gen(function* () {
        const market = yield* rich()
        const withdrawal = yield* withdraw(20)
        market.node.fault = ({ method }) => (method === "gettransactioninfobyblocknum" ? fault : undefined)
        for (let i = 0; i < 30; i++) {
          yield* Effect.exit(market.worker.process)
          market.network.mine(4)
        }
        assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "broadcasting", attempts: 1 })
        market.node.fault = () => undefined
        yield* assertPaid(market, withdrawal)
      }).pipe(inMarket)
    )
  }

  for (const mishap of ["OUT_OF_ENERGY", "REVERT"] as const) {
    it.live(`${mishap}: nothing was paid, and the money is returned to the wallet`, () =>
      Effect.gen(function* () {
        const market = yield* rich()
        const withdrawal = yield* withdraw(20)
        market.network.mishap = () => mishap
        const ended = yield* untilEnded(market, withdrawal)
        assert.strictEqual(ended.state, "failed")
        assert.include(ended.failure ?? "", mishap)
        assert.strictEqual(paidTo(market.network), 0n)
        const money = yield* moneyOf({ id: withdrawal.accountId })
        assert.deepStrictEqual(money, { available: 21_000_000n, locked: 0n, pending: 0n })
        yield* assertBooks
      }).pipe(inMarket)
    )
  }

  it.live("the token's own fee: the withdrawal is completed with what the receiver got (WITHDRAWAL-23)", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      market.network.basisPointsRate = 20
      const withdrawal = yield* withdraw(20)
      const ended = yield* untilEnded(market, withdrawal)
      assert.deepInclude(ended, { state: "completed", tokenFee: units(0.04) })
      assert.strictEqual(paidTo(market.network), 19_960_000n)
      assert.strictEqual(market.network.balance(bare(hotWallet)), 980_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live("a payment pays the price of energy of now: after a rise none fails (CHAIN-17)", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const worker = yield* makeWorker([market.url], { timings: { ...testTimings, fresh: 1 } })
      assert.strictEqual((yield* untilEnded({ ...market, worker }, yield* withdraw(20))).state, "completed")
      market.network.energyFee *= 4
      assert.strictEqual((yield* untilEnded({ ...market, worker }, yield* withdraw(20))).state, "completed")
    }).pipe(inMarket)
  )

  it.live("identical withdrawals in one block are each paid", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const alike = yield* Effect.forEach(Array.from({ length: 5 }), () => withdraw(20))
      yield* market.worker.process
      assert.lengthOf(market.network.pool, 5)
      for (const each of alike) assert.strictEqual((yield* untilEnded(market, each)).state, "completed")
      assert.strictEqual(paidTo(market.network), 100_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )

  const shortages: Readonly<Record<string, readonly [(network: TronNetwork) => void, (network: TronNetwork) => void]>> =
    {
      "an empty hot wallet": [() => undefined, (network) => network.fund(hotWallet, 20_000_000n)],
      "a frozen hot wallet": [
        (network) => {
          network.fund(hotWallet, 20_000_000n)
          network.frozen.add(bare(hotWallet))
        },
        (network) => void network.frozen.clear()
      ],
      "a hot wallet without TRX for fees": [
        (network) => {
          network.fund(hotWallet, 20_000_000n)
          network.sun.set(bare(hotWallet), 1000)
        },
        (network) => void network.sun.clear()
      ]
    }
  for (const [name, [begin, end]] of Object.entries(shortages)) {
    it.live(`${name} makes withdrawals wait and fails none (CHAIN-17)`, () =>
      Effect.gen(function* () {
        const market = yield* rich(0n)
        begin(market.network)
        const withdrawal = yield* withdraw(20)
        for (let i = 0; i < 5; i++) {
          yield* market.worker.process
          market.network.mine()
        }
        assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "queued", attempts: 0 })
        end(market.network)
        yield* assertPaid(market, withdrawal)
      }).pipe(inMarket)
    )
  }

  it.live("nodes are queried at intervals while a transaction is in progress or cannot be started", () =>
    Effect.gen(function* () {
      const market = yield* rich()
      const worker = yield* makeWorker([market.url], { timings: { ...testTimings, fresh: 60_000, resend: 60_000 } })
      yield* withdraw(20)
      market.node.fault = (call) => (toBroadcast(call) ? { kind: "tell", code: "DUP_TRANSACTION_ERROR" } : undefined)
      for (let i = 0; i < 20; i++) yield* worker.process
      assert.strictEqual(market.node.calls.get("broadcasttransaction"), 1)
      market.node.fault = (call) => (toBroadcast(call) ? { kind: "refuse", code: "SERVER_BUSY" } : undefined)
      yield* withdraw(20)
      for (let i = 0; i < 20; i++) yield* worker.process
      assert.strictEqual(market.node.calls.get("broadcasttransaction"), 2)
      market.network.frozen.add(bare(hotWallet))
      yield* withdraw(20)
      market.node.calls.clear()
      for (let i = 0; i < 20; i++) yield* worker.process
      assert.isAtMost(market.node.calls.get("triggerconstantcontract") ?? 0, 2)
    }).pipe(inMarket)
  )

  it.live("no more is reserved than the hot wallet has, whichever worker follows the transactions", () =>
    Effect.gen(function* () {
      const market = yield* rich(50_000_000n)
      const wishes = yield* Effect.forEach(Array.from({ length: 4 }), () => withdraw(20))
      yield* market.worker.process
      assert.lengthOf(market.network.pool, 2)
      const successor = yield* makeWorker([market.url])
      yield* successor.process
      assert.lengthOf(market.network.pool, 2)
      for (let i = 0; i < 15; i++) {
        yield* successor.process
        market.network.mine(4)
      }
      const states = yield* Effect.forEach(wishes, (wish) => Effect.map(withdrawalOf(wish), ({ state }) => state))
      assert.deepStrictEqual(states.sort(), ["completed", "completed", "queued", "queued"])
      market.network.fund(hotWallet, 30_000_000n)
      for (const wish of wishes) yield* untilEnded({ ...market, worker: successor }, wish)
      assert.strictEqual(paidTo(market.network), 80_000_000n)
      yield* assertBooks
    }).pipe(inMarket)
  )
})
