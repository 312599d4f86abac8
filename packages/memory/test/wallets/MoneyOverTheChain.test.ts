import { nothingFound } from "@agent-marketplace/testkit/fixtures/nothingFound"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Market } from "@agent-marketplace/core/Market"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { TreasuryControl } from "@agent-marketplace/core/wallets/TreasuryControl"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { WithdrawalProcessor } from "@agent-marketplace/core/wallets/WithdrawalProcessor"
import { MarketKeys } from "@agent-marketplace/core/signing/MarketKeys"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { ScriptedReceivers } from "@agent-marketplace/fixtures/webhooks/ScriptedReceivers"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Aead, Digest, Mac, SecureRandom, Signature } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ScriptedChain } from "../../src/chain/ScriptedChain.ts"
import { MemoryStores } from "../../src/MemoryStores.ts"

const secret = Redacted.make("0123456789abcdef0123456789abcdef")

const config = Layer.succeed(MarketConfig, {
  platformFeeBps: 500,
  withdrawalFee: usdt(1),
  withdrawalMinimum: usdt(5),
  withdrawalReviewAbove: null,
  coinRate: null,
  proceedsHoldDays: 0,
  refundCoverLimit: usdt(1000),
  listingReview: "auto",
  soulContent: "open",
  baseUrl: "http://localhost:3000",
  secret
})

const market = Layer.fresh(
  Market.layer.pipe(
    Layer.provide(nothingFound),
    Layer.provide(MarketKeys.layer(Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provideMerge(MemoryStores.layer),
    Layer.provide(
      Layer.mergeAll(config, Screening.none, ExchangeRates.layer, SecretBox.layer([secret]), ScriptedReceivers.layer)
    ),
    Layer.provide(
      Layer.mergeAll(Aead.layerWebCrypto, Mac.layerWebCrypto, Signature.layerWebCrypto).pipe(
        Layer.provideMerge(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto))
      )
    )
  )
)

const signUp = Effect.gen(function* () {
  const identity = yield* Identity
  const { apiKey } = yield* identity.signUp({ name: "Ada" })
  return yield* identity.authenticate(apiKey.token)
})

const funded = Effect.gen(function* () {
  const wallets = yield* Wallets
  const scanner = yield* DepositScanner
  const caller = yield* signUp
  const { address } = yield* wallets.deposit(caller)
  yield* Effect.flatMap(SimulatedChain, ({ deposit }) => deposit(address, usdt(20)))
  yield* TestClock.adjust("1 second")
  yield* scanner.scan
  const seen = yield* wallets.balance(caller)
  assert.deepStrictEqual([seen.available, seen.pending], [0n, usdt(20)])
  yield* TestClock.adjust("2 seconds")
  yield* scanner.scan
  yield* scanner.scan
  const final = yield* wallets.balance(caller)
  assert.deepStrictEqual([final.available, final.pending], [usdt(20), 0n])
  return caller
})

/** A withdrawal of 10 USDT to an external address. */
const withdraw = Effect.gen(function* () {
  const caller = yield* funded
  const destinationAddress = yield* Effect.flatMap(Chain, ({ depositAddress }) => depositAddress(1_000_000))
  const wallets = yield* Wallets
  const { value } = yield* wallets.withdraw(caller, { amount: usdt(10), destinationAddress })
  return { caller, destinationAddress, id: value.id }
})

const paidTo = Effect.fnUntraced(function* (address: string) {
  const chain = yield* Chain
  const { block } = yield* chain.finalHead
  const transfers = yield* chain.transfers(chain.start ?? 0, block)
  return transfers.filter(({ to }) => to === address).map(({ amount }) => amount)
})

/** Advances the clock second by second; the worker runs each time. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  const { process } = yield* WithdrawalProcessor
  for (let i = 0; i < seconds; i++) {
    yield* process
    yield* TestClock.adjust("1 second")
  }
})

describe("money over the scripted chain", () => {
  it.effect("a deposit is shown as pending, and credited once when it is final (DEPOSIT-5)", () =>
    Effect.gen(function* () {
      const caller = yield* funded
      const wallets = yield* Wallets
      yield* Effect.flatMap(MarketClock, ({ advance }) => advance(365 * 24 * 3600))
      yield* Effect.flatMap(DepositScanner, ({ scan }) => scan)
      assert.strictEqual((yield* wallets.balance(caller)).available, usdt(20))
      assert.isTrue((yield* wallets.audit).balanced)
    }).pipe(Effect.provide(market))
  )

  it.effect(
    "a withdrawal is paid once, also if a broadcast is lost and the transaction is built again (WITHDRAWAL-4)",
    () =>
      Effect.gen(function* () {
        const { caller, destinationAddress } = yield* withdraw
        const { script } = yield* ScriptedChain
        yield* script.dropBroadcast(70)
        yield* pass(90)
        assert.deepStrictEqual(yield* paidTo(destinationAddress), [usdt(10)])
        const wallets = yield* Wallets
        const { items } = yield* wallets.withdrawals(caller, { page: 1, limit: 20 })
        assert.deepStrictEqual(
          items.map(({ attempts, state }) => [state, attempts]),
          [["completed", 2]]
        )
        const { available, locked } = yield* wallets.balance(caller)
        assert.deepStrictEqual([available, locked], [usdt(9), 0n])
      }).pipe(Effect.provide(market))
  )

  it.effect("a withdrawal that the chain reverts fails, and its hold is released", () =>
    Effect.gen(function* () {
      const { caller, destinationAddress, id } = yield* withdraw
      const { script } = yield* ScriptedChain
      yield* script.revert(id)
      yield* pass(6)
      assert.deepStrictEqual(yield* paidTo(destinationAddress), [])
      const wallets = yield* Wallets
      const { items } = yield* wallets.withdrawals(caller, { page: 1, limit: 20 })
      assert.deepStrictEqual(
        items.map(({ state }) => state),
        ["failed"]
      )
      assert.strictEqual((yield* wallets.balance(caller)).available, usdt(20))
    }).pipe(Effect.provide(market))
  )

  it.effect(
    "a request to an address that the token refuses, or while the chain is unavailable, holds nothing (WITHDRAWAL-21)",
    () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { script } = yield* ScriptedChain
        const caller = yield* funded
        const destinationAddress = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
        const request = { amount: usdt(10), destinationAddress }
        yield* script.refuse(destinationAddress)
        const failures = [
          yield* Effect.flip(wallets.withdraw(caller, request)),
          yield* Effect.flip(wallets.quote(caller, request))
        ]
        for (const failure of failures) {
          assert.deepInclude(failure, { _tag: "ValidationFailed" })
          assert.include(JSON.stringify(failure), "destinationAddress")
        }
        yield* script.accept(destinationAddress)
        yield* script.failNext("refusal")
        assert.strictEqual((yield* Effect.flip(wallets.withdraw(caller, request)))._tag, "ChainUnavailable")
        assert.strictEqual((yield* wallets.balance(caller)).available, usdt(20))
        const { value } = yield* wallets.withdraw(caller, request)
        assert.strictEqual(value.state, "queued")
      }).pipe(Effect.provide(market))
  )

  it.effect(
    "an address that the chain knows is skipped; while the chain is unavailable none is issued (DEPOSIT-7)",
    () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const chain = yield* Chain
        const { script } = yield* ScriptedChain
        const scanner = yield* DepositScanner
        yield* wallets.deposit(yield* signUp)
        const used = yield* Effect.forEach([1, 2, 3], chain.depositAddress)
        const hand = yield* SimulatedChain
        for (const address of used) yield* hand.deposit(address, usdt(1))
        yield* TestClock.adjust("3 seconds")
        yield* scanner.scan
        const caller = yield* signUp
        yield* script.failNext("hasHistory")
        assert.strictEqual((yield* Effect.flip(wallets.deposit(caller)))._tag, "ChainUnavailable")
        const { address } = yield* wallets.deposit(caller)
        assert.notInclude(used, address)
        assert.strictEqual(address, yield* chain.depositAddress(4))
      }).pipe(Effect.provide(market))
  )

  it.effect("a final deposit that the scan passed over is credited by a recheck, and once (DEPOSIT-8)", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const control = yield* TreasuryControl
      const scanner = yield* DepositScanner
      const settlement = yield* Settlement
      const wallets = yield* Wallets
      const caller = yield* signUp
      const { address } = yield* wallets.deposit(caller)
      yield* scanner.scan
      const { txid } = yield* Effect.flatMap(SimulatedChain, ({ deposit }) => deposit(address, usdt(20)))
      yield* TestClock.adjust("5 seconds")
      // As if a node had left the transfer out of its list: the scan is past its block.
      const { block, id } = yield* chain.finalHead
      const network = yield* chain.network
      yield* settlement.submit({ _tag: "AdvanceCursor", network, position: { block, id, agreed: block } })
      yield* scanner.scan
      assert.strictEqual((yield* wallets.balance(caller)).available, 0n)
      for (const _ of [1, 2]) {
        const found = yield* control.recheck({ name: "Grace", reason: null, requestId: "request" }, txid)
        assert.deepStrictEqual(
          found.map((deposit) => [deposit.address, deposit.amount]),
          [[address, usdt(20)]]
        )
        assert.strictEqual((yield* wallets.balance(caller)).available, usdt(20))
      }
    }).pipe(Effect.provide(market))
  )
})
