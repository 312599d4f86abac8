import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import type { NetworkLog } from "@agent-marketplace/fixtures/tron/NetworkBlock"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import type { NodeCall, TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import {
  depositor,
  finalise,
  inMarket,
  makeWorker,
  moneyOf,
  startMarket,
  withdraw,
  withdrawalOf
} from "../fixtures/market.ts"
import { startNode } from "../fixtures/tronMarket.ts"

const stranger = TronEncoding.nobody("stranger")

/** Makes the node answer as if it did not have a method. */
const without = (node: TronNode, lacks: (call: NodeCall) => boolean) => {
  node.fault = (call) => (lacks(call) ? { kind: "status", status: 404 } : undefined)
}

const rooted = (answer: unknown, txTrieRoot: string | undefined) => {
  if (typeof answer !== "object" || answer === null || !("block_header" in answer)) return answer
  const { raw_data } = answer.block_header as { readonly raw_data: object }
  return { ...answer, block_header: { raw_data: { ...raw_data, txTrieRoot } } }
}

const sparse: Readonly<Record<string, (node: TronNode) => void>> = {
  "returns its newest block whichever block is requested": (node) => {
    node.knowsHeights = false
  },
  "cannot return final blocks by height": (node) => {
    node.knowsHeights = false
    without(node, ({ method, view }) => method === "getblockbynum" && view === "walletsolidity")
  },
  "has no first block": (node) => {
    const isFirst = ({ body }: NodeCall) => body["id_or_num"] === "0" || body["num"] === 0
    node.fault = (call) => (isFirst(call) ? { kind: "body", text: "{}" } : undefined)
  },
  "has a transaction root in the headers of empty blocks": (node) => {
    node.reword = (_, answer) => rooted(answer, "ab".repeat(32))
  },
  "omits the transaction root from its headers": (node) => {
    node.reword = (_, answer) => rooted(answer, undefined)
  },
  "reports TRX balances of final blocks only": (node) =>
    without(node, ({ method, view }) => method === "getaccount" && view === "wallet"),
  "reports no final balances": (node) =>
    without(
      node,
      ({ method, view }) => /^getaccount$|^triggerconstantcontract$/.test(method) && view === "walletsolidity"
    ),
  "reports no energy": (node) => without(node, ({ method }) => method === "getaccountresource"),
  "reports only one price, that of energy": (node) => {
    node.reword = ({ method }, answer) =>
      method === "getchainparameters" ? { chainParameter: [{ key: "getEnergyFee", value: 100 }] } : answer
  },
  "simulates calls without reporting their energy": (node) => {
    node.reword = ({ method }, answer) =>
      method === "triggerconstantcontract" ? { ...(answer as object), energy_used: undefined } : answer
  }
}

/** Scans and pays until done, with a maximum number of attempts. */
const insist = Effect.fnUntraced(function* <E, R, E2, R2>(
  step: Effect.Effect<unknown, E, R>,
  done: Effect.Effect<boolean, E2, R2>
) {
  for (let i = 0; i < 100; i++) {
    yield* Effect.exit(step)
    if (yield* done) return
    yield* Effect.sleep("1 millis")
  }
  assert.fail("no progress")
})

describe("a node that supports only part of the API", () => {
  for (const [name, make] of Object.entries(sparse)) {
    it.live(
      `a node that ${name} is sufficient: deposits are credited, and a withdrawal that was not included is proven dead and paid once`,
      () =>
        Effect.gen(function* () {
          const { network, node, url } = yield* startMarket()
          const user = yield* depositor((yield* makeWorker([url])).chain)
          make(node)
          const worker = yield* makeWorker([url], { startBlock: 1 })
          const money = (of: "pending" | "available", amount: bigint) =>
            Effect.map(moneyOf(user), (found) => found[of] === amount)
          network.deposit(user.address, 4_000_000n)
          network.mine()
          yield* insist(worker.scan, money("pending", 4_000_000n))
          finalise(network)
          yield* insist(worker.scan, money("available", 4_000_000n))
          network.fund(hotWallet, 1_000_000_000n)
          let lost: string | undefined
          network.mishap = (id) => ((lost ??= id) === id ? "drop" : undefined)
          const withdrawal = yield* withdraw(20)
          const step = Effect.andThen(
            Effect.exit(worker.process),
            Effect.sync(() => network.mine(4))
          )
          const ended = Effect.map(withdrawalOf(withdrawal), ({ state }) => state === "completed")
          yield* insist(step, ended)
          assert.deepInclude(yield* withdrawalOf(withdrawal), { attempts: 2 })
          assert.strictEqual(network.balance(bare(receiver)), withdrawal.amount as bigint)
          yield* assertBooks
        }).pipe(inMarket)
    )
  }

  const written: Readonly<Record<string, (log: NetworkLog) => NetworkLog>> = {
    "0x in front": ({ address, data, topics }) => ({
      address: `0x${address}`,
      data: `0x${data}`,
      topics: topics.map((topic) => `0x${topic}`)
    }),
    "the prefix of addresses": (log) => ({ ...log, address: `41${log.address}` }),
    "the address in base58": (log) => ({ ...log, address: TronEncoding.toBase58(`41${log.address}`) }),
    "capital letters": ({ address, data, topics }) => ({
      address: address.toUpperCase(),
      data: data.toUpperCase(),
      topics: topics.map((topic) => topic.toUpperCase())
    })
  }
  for (const [name, write] of Object.entries(written)) {
    it.live(`a log with ${name} is understood and does not stop the scan`, () =>
      Effect.gen(function* () {
        const { network, worker } = yield* startMarket()
        yield* worker.catchUp
        const user = yield* depositor(worker.chain)
        const fake = bare(TronEncoding.nobody("fake token"))
        network.outside([
          write(network.log(stranger, user.address, 3_000_000n)),
          write(network.log(stranger, user.address, 5_000_000n, fake))
        ])
        finalise(network)
        yield* worker.catchUp
        assert.strictEqual((yield* moneyOf(user)).available, 3_000_000n)
      }).pipe(inMarket)
    )
  }

  it.live("an empty list of infos is not accepted for a block with transactions, whatever its root", () =>
    Effect.gen(function* () {
      const { network, node, worker } = yield* startMarket()
      yield* worker.catchUp
      const user = yield* depositor(worker.chain)
      node.reword = (_, answer) => rooted(answer, "0".repeat(64))
      let asked = 0
      node.fault = ({ method }) =>
        method === "gettransactioninfobyblocknum" && asked++ % 3 < 2 ? { kind: "body", text: "[]" } : undefined
      for (let i = 0; i < 20; i++) {
        network.deposit(user.address, 1_000_000n)
        network.mine(2)
        yield* Effect.exit(worker.scan)
      }
      finalise(network)
      const all = Effect.map(moneyOf(user), ({ available }) => available === 20_000_000n)
      yield* insist(worker.scan, all)
    }).pipe(inMarket)
  )

  it.live("a node without a first block has the network id that databases contain (CHAIN-9)", () =>
    Effect.gen(function* () {
      const { node, worker } = yield* startMarket()
      sparse["has no first block"]?.(node)
      const known = Effect.option(worker.chain.network)
      yield* insist(known, Effect.map(known, Option.isSome))
      assert.strictEqual(yield* worker.chain.network, "tron:untold")
    }).pipe(inMarket)
  )

  it.live("a node without a first block is not used together with a node that has one", () =>
    Effect.gen(function* () {
      const { network, url, worker } = yield* startMarket()
      yield* worker.catchUp
      const other = yield* startNode(network)
      sparse["has no first block"]?.(other.node)
      const lone = yield* makeWorker([other.url])
      for (let i = 0; i < 10; i++) assert.strictEqual((yield* Effect.exit(lone.scan))._tag, "Failure")
      yield* (yield* makeWorker([url, other.url])).catchUp
      assert.isUndefined(other.node.calls.get("gettransactioninfobyblocknum"))
    }).pipe(inMarket)
  )
})
