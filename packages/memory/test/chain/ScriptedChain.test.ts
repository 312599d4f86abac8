import { Chain } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ScriptedChain } from "../../src/chain/ScriptedChain.ts"
import { testStores } from "../testStores.ts"

const payout = Effect.gen(function* () {
  const chain = yield* Chain
  const to = yield* chain.depositAddress(7)
  return { withdrawal: "wdr_1", attempt: 1, to, amount: usdt(5) }
})

describe("ScriptedChain", () => {
  it.effect(
    "makes a block each second; a transfer is included in the next and is final after two more (CHAIN-2, CHAIN-3)",
    () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hand = yield* SimulatedChain
        const { block: first } = yield* chain.finalHead
        assert.strictEqual(first, chain.start)
        const transfer = yield* hand.deposit(yield* chain.depositAddress(0), usdt(3))
        assert.strictEqual(transfer.block, first + 3)
        assert.deepStrictEqual(yield* chain.pendingTransfers(first), [])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* chain.pendingTransfers(first), [transfer])
        assert.strictEqual((yield* Effect.flip(chain.transfers(0, transfer.block)))._tag, "ChainUnavailable")
        yield* TestClock.adjust("2 seconds")
        const head = yield* chain.finalHead
        assert.strictEqual(head.block, transfer.block)
        assert.deepStrictEqual(yield* chain.transfers(0, head.block), [transfer])
        assert.deepStrictEqual(yield* chain.transfers(0, head.block - 1), [])
      }).pipe(Effect.provide(testStores))
  )

  it.effect("has distinct valid addresses, and valid ones that are refused for withdrawals", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const addresses = [yield* chain.depositAddress(0), yield* chain.depositAddress(1), ...chain.forbidden]
      assert.strictEqual(new Set(addresses).size, 4)
      for (const address of addresses) assert.isTrue(yield* chain.isAddress(address))
      assert.strictEqual(yield* chain.depositAddress(0), addresses[0])
      assert.isFalse(yield* chain.isAddress("T123"))
    }).pipe(Effect.provide(testStores))
  )

  it.effect("pays a transaction once, however often it is broadcast", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const transaction = yield* chain.prepare(yield* payout)
      assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
      yield* chain.broadcast(transaction)
      yield* TestClock.adjust("1 second")
      yield* chain.broadcast(transaction)
      assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Confirmed" })
      const { block } = yield* chain.finalHead
      const paid = yield* chain.transfers(0, block)
      assert.deepStrictEqual(
        paid.map(({ amount, txid }) => [txid, amount]),
        [[transaction.txid, usdt(5)]]
      )
      yield* TestClock.adjust("1 hour")
      yield* chain.broadcast(transaction)
      assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Confirmed" })
    }).pipe(Effect.provide(testStores))
  )

  it.effect(
    "reports a lost transaction as expired once a final block is later than its expiry, and no longer includes it",
    () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const { script } = yield* ScriptedChain
        const transaction = yield* chain.prepare(yield* payout)
        yield* script.dropBroadcast()
        assert.deepStrictEqual(yield* chain.broadcast(transaction), { _tag: "Accepted" })
        yield* TestClock.adjust("61 seconds")
        assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
        assert.strictEqual((yield* chain.broadcast(transaction))._tag, "Unknown")
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Dead" })
        const again = yield* chain.prepare({ ...(yield* payout), attempt: 2 })
        assert.notStrictEqual(again.txid, transaction.txid)
      }).pipe(Effect.provide(testStores))
  )

  it.effect("follows its script: failures, lost results, reverts, stalls and reorganisations", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const { script } = yield* ScriptedChain
      yield* script.failNext("finalHead", 2)
      assert.strictEqual((yield* Effect.flip(chain.finalHead))._tag, "ChainUnavailable")
      assert.strictEqual((yield* Effect.flip(chain.finalHead))._tag, "ChainUnavailable")
      const { block } = yield* chain.finalHead

      yield* script.revert("wdr_1")
      yield* script.hideBroadcast()
      const transaction = yield* chain.prepare(yield* payout)
      assert.strictEqual((yield* chain.broadcast(transaction))._tag, "Unknown")
      yield* script.stall
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* chain.finalHead).block, block)
      yield* script.resume
      assert.strictEqual((yield* chain.fate(transaction))._tag, "Reverted")
      assert.deepStrictEqual(yield* chain.transfers(0, block + 10), [])

      const hand = yield* SimulatedChain
      const transfer = yield* hand.deposit(yield* chain.depositAddress(1), usdt(1))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* script.forget(transfer.txid))
      assert.deepStrictEqual(yield* chain.pendingTransfers(block), [])
      assert.isFalse(yield* script.forget(transaction.txid))
    }).pipe(Effect.provide(testStores))
  )
})
