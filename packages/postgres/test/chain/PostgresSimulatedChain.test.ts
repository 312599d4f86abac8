import { Chain } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { chainContract } from "@agent-marketplace/testkit/chain/ChainContract"
import { simulatedChainContract } from "@agent-marketplace/testkit/chain/SimulatedChainContract"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { testStores } from "../testStores.ts"

chainContract("postgres", testStores)
simulatedChainContract("postgres", testStores)

/** The second in which `reading` ran, with its result; runs it again if a second ended meanwhile. */
const withinOneSecond = Effect.fnUntraced(function* <A, E, R>(reading: Effect.Effect<A, E, R>) {
  const clock = yield* MarketClock
  const second = Effect.map(clock.now, (now) => Math.floor(now / 1000))
  for (let tries = 0; tries < 100; tries++) {
    const before = yield* second
    const seen = yield* reading
    if ((yield* second) === before) return { second: before, seen }
  }
  return assert.fail("no read finished within one second of the clock")
})

layer(testStores, { excludeTestServices: true })("the simulated chain on PostgreSQL", (it) => {
  it.effect("makes one block each second of the market's time (CHAIN-2)", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const clock = yield* MarketClock
      const head = withinOneSecond(Effect.map(chain.finalHead, ({ block }) => block))
      const first = yield* head
      for (const seconds of [1, 2, 60, 3600]) {
        yield* clock.advance(seconds)
        const later = yield* head
        assert.isAtLeast(later.second - first.second, seconds)
        assert.strictEqual(later.seen - first.seen, later.second - first.second)
      }
    })
  )

  it.effect(
    "neither a deposit nor an advance of the clock happens if its entry in the log cannot be written (OPERATOR-14)",
    () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const clock = yield* MarketClock
        const hand = yield* SimulatedChain
        const log = yield* ActionStore
        const { block } = yield* chain.finalHead
        const to = yield* chain.depositAddress(6)
        const taken = actionDraft("clock.advance", to)
        yield* log.append({ ...taken, before: null, after: null })
        const before = yield* clock.now
        assert.isTrue(Exit.isFailure(yield* Effect.exit(clock.advance(3600, taken))))
        assert.isBelow((yield* clock.now) - before, 600_000)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(hand.deposit(to, usdt(3), taken))))
        const transfers = yield* chain.pendingTransfers(block)
        assert.deepStrictEqual(
          transfers.filter((one) => one.to === to),
          []
        )
      })
  )

  it.effect("a transfer is included in the next block, which is final only after two more (CHAIN-3)", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const clock = yield* MarketClock
      const hand = yield* SimulatedChain
      const to = yield* chain.depositAddress(5)
      const made = yield* withinOneSecond(
        Effect.gen(function* () {
          const { block } = yield* chain.finalHead
          return { head: block, transfer: yield* hand.deposit(to, usdt(3)) }
        })
      )
      const { head, transfer } = made.seen
      assert.strictEqual(transfer.block, head + 3, "the next block; its two predecessors are not final yet")
      const finalIn = Effect.map(chain.finalHead, ({ block }) => block >= transfer.block)
      for (let seconds = 0; ; seconds++) {
        const { second, seen: isFinal } = yield* withinOneSecond(finalIn)
        assert.strictEqual(isFinal, second - made.second >= 3)
        if (isFinal) break
        assert.isBelow(seconds, 10)
        yield* clock.advance(1)
      }
      assert.deepStrictEqual(
        (yield* chain.transfers(head, transfer.block)).filter((one) => one.to === to),
        [transfer]
      )
    })
  )
})
