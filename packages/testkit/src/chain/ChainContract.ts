import { Chain } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert, layer, vi } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { freshId } from "../fixtures/freshId.ts"
import { usdt } from "../fixtures/usdt.ts"

const address = Effect.fnUntraced(function* (index: number) {
  const chain = yield* Chain
  return yield* chain.depositAddress(index)
})

/** Long enough for every started block to become final. */
const untilFinal = Effect.gen(function* () {
  const clock = yield* MarketClock
  yield* clock.advance(10)
})

const payout = (to: string, amount: Usdt, attempt = 1) => ({ withdrawal: freshId("wdr"), attempt, to, amount })

/** The contract of `Chain`. The suite makes deposits on the chain and moves its time. */
export const chainContract = <E>(name: string, chains: Layer.Layer<Chain | MarketClock | SimulatedChain, E>): void => {
  // A long timeout, so that tests do not fail on a busy machine.
  vi.setConfig({ testTimeout: 120_000 })
  layer(chains, { excludeTestServices: true, timeout: "5 minutes" })(`${name}: Chain (CHAIN-1)`, (it) => {
    it.effect("each index has one valid address, different from those of other indexes", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const indexes = [0, 1, 2, 1000, 2_147_483_647]
        const addresses = yield* Effect.forEach(indexes, address)
        assert.deepStrictEqual(yield* Effect.forEach(indexes, address), addresses)
        assert.strictEqual(new Set(addresses).size, indexes.length)
        for (const one of addresses) {
          assert.isTrue(yield* chain.isAddress(one))
          assert.isFalse(chain.forbidden.has(one))
        }
      })
    )

    it.effect(
      "no payout costs more than the highest cost, and none that follows another to the address (WITHDRAWAL-11)",
      () =>
        Effect.gen(function* () {
          const chain = yield* Chain
          const [to, most] = [yield* address(97), yield* chain.payoutCost(null)]
          const before = yield* chain.payoutCost({ to, amount: usdt(5) })
          assert.isTrue(most.activatesAddress)
          yield* chain.broadcast(yield* chain.prepare(payout(to, usdt(5))))
          yield* untilFinal
          const after = yield* chain.payoutCost({ to, amount: usdt(5) })
          assert.isTrue(after.coin <= before.coin && before.coin <= most.coin)
        })
    )

    it.effect("the resources of the hot wallet agree with what a payout costs (TREASURY-6)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hot = chain.hotWallet ?? assert.fail()
        const { bandwidth, energy, most, required, usual, ...resources } = yield* chain.resources(hot)
        for (const { limit, used } of [energy, bandwidth]) assert.isTrue(limit >= 0 && used >= 0)
        assert.isTrue(usual.energy <= most.energy && usual.coins <= most.coins && required >= 0n)
        // With no resources at all, a payout costs at most what is charged for it.
        const { coin } = yield* chain.payoutCost(null)
        const burnt = most.energy * resources.energyPrice + most.bandwidth * resources.bandwidthPrice
        assert.isTrue(most.coins + BigInt(burnt) <= coin, `${burnt} is burnt, ${coin} is charged`)
      })
    )

    it.effect("a balance is the sum received less the sum sent, or null on a chain without balances", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hand = yield* SimulatedChain
        const to = yield* address(94)
        const before = yield* chain.balanceOf(to)
        yield* hand.deposit(to, usdt(3))
        yield* untilFinal
        const after = yield* chain.balanceOf(to)
        if (before === null) assert.isNull(after)
        else assert.strictEqual((after ?? 0n) - before, 3_000_000n)
      })
    )

    it.effect("an address has a history once it received something; the token refuses no usual one (DEPOSIT-7)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hand = yield* SimulatedChain
        const to = yield* address(98)
        assert.isNull(yield* chain.refusal(to))
        assert.isFalse(yield* chain.hasHistory(yield* address(99)))
        yield* hand.deposit(to, usdt(1))
        yield* untilFinal
        assert.isTrue(yield* chain.hasHistory(to))
      })
    )

    it.effect("the transfers of one transaction are found by its id once it is final (DEPOSIT-8)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hand = yield* SimulatedChain
        const made = yield* hand.deposit(yield* address(96), usdt(7))
        assert.deepStrictEqual(yield* chain.transfersIn(made.txid), [])
        yield* untilFinal
        const found = yield* chain.transfersIn(made.txid)
        assert.deepStrictEqual(found, [made])
        assert.deepStrictEqual(yield* chain.transfersIn("ab".repeat(32)), [])
      })
    )

    it.effect("a payout is a transfer from the hot wallet (TREASURY-3)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        assert.isNotNull(chain.hotWallet)
        assert.isTrue(chain.forbidden.has(chain.hotWallet ?? ""))
        const transaction = yield* chain.prepare(payout(yield* address(95), usdt(5)))
        yield* chain.broadcast(transaction)
        yield* untilFinal
        const found = yield* chain.transfersIn(transaction.txid)
        assert.deepStrictEqual(
          found.map(({ from }) => from),
          [chain.hotWallet]
        )
      })
    )

    it.effect("an address is valid exactly as written (WITHDRAWAL-9)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const valid = yield* address(7)
        const swapped = valid.replace(/[a-z]/, (letter) => letter.toUpperCase())
        const wrong = ["", "T", ` ${valid}`, `${valid} `, valid.slice(0, -1), `${valid}1`, valid.toLowerCase(), swapped]
        for (const one of wrong) assert.isFalse(yield* chain.isAddress(one), one)
      })
    )

    it.effect("a deposit is visible immediately and final later, unchanged and only once", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const hand = yield* SimulatedChain
        yield* untilFinal
        const before = yield* chain.finalHead
        const to = yield* address(11)
        const made = yield* hand.deposit(to, usdt(12.345678))
        assert.deepInclude(made, { to, amount: usdt(12.345678) })
        assert.isTrue(made.block > before.block)
        const clock = yield* MarketClock
        yield* clock.advance(1)
        const pending = yield* chain.pendingTransfers(before.block)
        assert.deepStrictEqual(
          pending.filter(({ txid }) => txid === made.txid),
          [made]
        )
        yield* untilFinal
        const head = yield* chain.finalHead
        assert.isTrue(head.block >= made.block && head.at >= before.at)
        const found = yield* chain.transfers(before.block + 1, head.block)
        assert.deepStrictEqual(
          found.filter(({ txid }) => txid === made.txid),
          [made]
        )
        assert.deepStrictEqual(yield* chain.transfers(before.block + 1, head.block), found, "final blocks never change")
        const late = yield* chain.pendingTransfers(head.block)
        assert.deepStrictEqual(
          late.filter(({ txid }) => txid === made.txid),
          []
        )
      })
    )

    it.effect("transfers are in the order of their blocks, and a range includes both its ends", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const clock = yield* MarketClock
        const hand = yield* SimulatedChain
        const start = (yield* chain.finalHead).block
        const to = yield* address(12)
        const made = []
        for (const amount of [1, 2, 3, 4]) {
          made.push(yield* hand.deposit(to, usdt(amount)))
          yield* clock.advance(amount === 2 ? 3 : 1)
        }
        yield* untilFinal
        const { block } = yield* chain.finalHead
        const found = (yield* chain.transfers(start + 1, block)).filter((one) => one.to === to)
        assert.deepStrictEqual(found, made)
        const [first, , , last] = made
        assert.isDefined(first)
        assert.isDefined(last)
        const inner = (yield* chain.transfers(first.block, last.block)).filter((one) => one.to === to)
        assert.deepStrictEqual(inner, made)
        const none = (yield* chain.transfers(last.block + 1, block)).filter((one) => one.to === to)
        assert.deepStrictEqual(none, [])
      })
    )

    it.effect("each block has one id, which its successor refers to (CHAIN-23)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        yield* untilFinal
        const { block, id } = yield* chain.finalHead
        assert.strictEqual(yield* chain.follow(null, block, block), id)
        const earlier = yield* chain.follow(null, block - 2, block - 2)
        assert.notStrictEqual(earlier, id)
        assert.strictEqual(yield* chain.follow(earlier, block - 1, block), id)
        assert.strictEqual((yield* Effect.flip(chain.follow(id, block - 1, block)))._tag, "ChainUnavailable")
      })
    )

    it.effect("preparing a payout pays nothing, and each withdrawal and attempt has its own transaction", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const to = yield* address(13)
        const start = (yield* chain.finalHead).block
        const one = payout(to, usdt(5))
        const built = [
          yield* chain.prepare(one),
          yield* chain.prepare({ ...one, attempt: 2 }),
          yield* chain.prepare(payout(to, usdt(5)))
        ]
        assert.strictEqual(new Set(built.map(({ txid }) => txid)).size, 3)
        for (const transaction of built) assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
        yield* untilFinal
        const { block } = yield* chain.finalHead
        const paid = yield* chain.transfers(start + 1, block)
        assert.deepStrictEqual(
          paid.filter((transfer) => transfer.to === to),
          []
        )
      })
    )

    it.effect("a transaction pays once, however often it is broadcast", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const to = yield* address(14)
        const start = (yield* chain.finalHead).block
        const transaction = yield* chain.prepare(payout(to, usdt(5)))
        assert.deepStrictEqual(yield* chain.broadcast(transaction), { _tag: "Accepted" })
        yield* chain.broadcast(transaction)
        assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
        yield* untilFinal
        yield* chain.broadcast(transaction)
        yield* untilFinal
        assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Confirmed" })
        const { block } = yield* chain.finalHead
        const paid = (yield* chain.transfers(start + 1, block)).filter((transfer) => transfer.to === to)
        assert.deepStrictEqual(
          paid.map(({ amount, txid }) => [txid, amount]),
          [[transaction.txid, usdt(5)]]
        )
      })
    )

    it.effect(
      "a transaction that was never sent is dead once a final block is later than its expiry, and not before",
      () =>
        Effect.gen(function* () {
          const chain = yield* Chain
          const clock = yield* MarketClock
          const transaction = yield* chain.prepare(payout(yield* address(15), usdt(5)))
          assert.isTrue(transaction.expiresAt > (yield* clock.now))
          assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Waiting" })
          yield* clock.advance(Math.ceil((transaction.expiresAt - (yield* clock.now)) / 1000) + 60)
          assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Dead" })
          yield* chain.broadcast(transaction)
          yield* untilFinal
          assert.deepStrictEqual(yield* chain.fate(transaction), { _tag: "Dead" }, "and stays dead")
        })
    )
  })
}
