import { Signer } from "@agent-marketplace/core/chain/Signer"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { LocalSigner } from "../../src/chain/LocalSigner.ts"
import { hexOf } from "../../src/nodes/Base58Check.ts"
import { CoSigner } from "../../src/signing/AccountSigner.ts"
import { remoteSigner } from "../../src/signing/RemoteSigner.ts"
import { hotKey, hotWallet, receiver } from "../fixtures/keys.ts"
import { inMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import {
  assertPaidOnce,
  honest,
  quickTimings,
  secondAddress,
  secondKey,
  settingsFor,
  signatureBy,
  signingMarket,
  startSigner
} from "../fixtures/signing.ts"

/** The market has this key; the paying account has neither the market's address nor the second signer's. */
const marketKey = `${"0".repeat(63)}3`
const marketSigner = LocalSigner.of(Redacted.make(marketKey))

const permission = 3

/** A market whose paying account needs both keys: each has the weight 1, the threshold is 2. */
const sharedMarket = Effect.fnUntraced(function* () {
  const second = yield* startSigner(honest(secondKey))
  const signers = Layer.merge(
    Layer.succeed(Signer, marketSigner),
    Layer.sync(CoSigner, () => ({
      account: hotWallet,
      permission,
      signer: remoteSigner(secondAddress, settingsFor(second.url), quickTimings)
    }))
  )
  const market = yield* signingMarket(signers)
  const owner = { threshold: 1, keys: new Map([[hexOf(hotWallet), 1]]) }
  const keys = new Map([marketSigner.address, secondAddress].map((address) => [hexOf(address), 1]))
  market.network.permissions.set(
    bare(hotWallet),
    new Map([
      [0, owner],
      [permission, { threshold: 2, keys }]
    ])
  )
  return { ...market, second }
})

const rawOf = (raw: string) =>
  JSON.parse(raw) as {
    readonly transaction: {
      readonly raw_data: Parameters<Effect.Success<ReturnType<typeof sharedMarket>>["network"]["broadcast"]>[0]
    }
  }

describe("a second signer (SIGNER-9)", () => {
  it.live("the market proposes with its signature, and a payout has both, in this order", () =>
    Effect.gen(function* () {
      const market = yield* sharedMarket()
      const before = market.network.trx(bare(hotWallet)) ?? 0
      market.network.sun.set(bare(hotWallet), before)
      const withdrawal = yield* withdraw(20)
      const { transaction } = yield* assertPaidOnce(market, withdrawal)
      if (transaction === null) return assert.fail("nothing was stored")
      const { transaction: stored } = rawOf(transaction.raw)
      assert.deepInclude(stored.raw_data.contract[0], { Permission_id: permission })
      assert.deepStrictEqual(
        market.second.asked.map(({ address, signatures }) => ({ address, signatures })),
        [{ address: secondAddress, signatures: [signatureBy(marketKey, transaction.txid)] }]
      )
      // Two signatures burn one TRX more.
      const { fee = 0 } = market.network.infoOf(transaction.txid, market.network.head.number) ?? {}
      assert.strictEqual(before - (market.network.trx(bare(hotWallet)) ?? 0), fee + 1_000_000)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("neither key alone, nor one of them twice, nor the account's own key moves the money", () =>
    Effect.gen(function* () {
      const market = yield* sharedMarket()
      market.second.behave = () => "close"
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      const stored = (yield* withdrawalOf(withdrawal)).transaction
      if (stored === null) return assert.fail("nothing was stored")
      const { raw_data } = rawOf(stored.raw).transaction
      const by = (key: string) => signatureBy(key, stored.txid)
      for (const signatures of [
        [],
        [by(marketKey)],
        [by(secondKey)],
        [by(marketKey), by(marketKey)],
        [by(hotKey), by(secondKey)],
        [by(marketKey), by(secondKey), by(marketKey)]
      ])
        assert.strictEqual(market.network.broadcast(raw_data, signatures).code, "SIGERROR")
      assert.deepInclude(market.network.signWeight(raw_data, [by(marketKey)]), { weight: 1, threshold: 2 })
      // What a second signer returns must be its own signature: the market's is not used twice.
      market.second.behave = honest(marketKey)
      yield* market.worker.process
      assert.lengthOf(market.network.pool, 0)
      market.second.behave = honest(secondKey)
      yield* assertPaidOnce(market, withdrawal)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("that is slow is waited for: the same bytes are paid when it agrees (SIGNER-10)", () =>
    Effect.gen(function* () {
      const market = yield* sharedMarket()
      market.second.behave = () => ({ status: 202, body: { status: "pending" } })
      const withdrawal = yield* withdraw(20)
      for (let i = 0; i < 5; i++) {
        yield* market.worker.process
        market.network.mine(4)
      }
      const waiting = yield* withdrawalOf(withdrawal)
      assert.deepInclude(waiting, { state: "broadcasting", attempts: 1, failure: null })
      market.second.behave = honest(secondKey)
      const ended = yield* assertPaidOnce(market, withdrawal)
      assert.strictEqual(ended.transaction?.txid, waiting.transaction?.txid)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "that never answers: another transaction is built only after the first one can never be included, and pays once (CHAIN-16)",
    () =>
      Effect.gen(function* () {
        const market = yield* sharedMarket()
        market.second.behave = () => "close"
        const withdrawal = yield* withdraw(20)
        yield* market.worker.process
        const first = (yield* withdrawalOf(withdrawal)).transaction
        if (first === null) return assert.fail("nothing was stored")
        while (market.network.solid.timestamp < first.expiresAt) {
          yield* market.worker.process
          assert.strictEqual((yield* withdrawalOf(withdrawal)).transaction?.txid, first.txid)
          market.network.mine(4)
        }
        market.second.behave = honest(secondKey)
        const ended = yield* assertPaidOnce(market, withdrawal, 2)
        assert.notStrictEqual(ended.transaction?.txid, first.txid)
        assert.strictEqual(market.network.balance(bare(receiver)), withdrawal.amount as bigint)
      }).pipe(inMarket, Effect.scoped)
  )
})
