import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { remoteSigner } from "../../src/signing/RemoteSigner.ts"
import { hotKey, hotWallet } from "../fixtures/keys.ts"
import { inMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import type { Behaviour } from "../fixtures/signing.ts"
import {
  assertPaidOnce,
  authority,
  honest,
  payoutRequest,
  quickTimings,
  remote,
  secondKey,
  settingsFor,
  signatureBy,
  signingMarket,
  startSigner
} from "../fixtures/signing.ts"

/** Faults of a signing server, and what the market's log says of each. */
const faults: ReadonlyArray<readonly [name: string, behave: Behaviour, reason: RegExp]> = [
  ["signs with another key", honest(secondKey), /signature by another key/],
  [
    "repeats the signature of another transaction",
    ({ transactionId }) => ({ status: 200, body: { transactionId, signature: signatureBy(hotKey, "ab".repeat(32)) } }),
    /signature by another key/
  ],
  [
    "answers for another transaction",
    () => ({ status: 200, body: { transactionId: "ab".repeat(32), signature: signatureBy(hotKey, "ab".repeat(32)) } }),
    /not the signature of this transaction/
  ],
  [
    "answers with something that is no signature",
    ({ transactionId }) => ({ status: 200, body: { transactionId, signature: "00".repeat(65) } }),
    /another key/
  ],
  ["dies while it signs", () => "close", /not reached \(ECONNRESET\)/],
  ["fails", () => ({ status: 500, body: "an internal secret" }), /status 500/],
  ["answers with text", () => ({ status: 200, body: "yes" }), /not the signature of this transaction/],
  ["answers with too much", () => ({ status: 200, body: "x".repeat(100_000) }), /no valid answer/],
  ["refuses in another protocol", () => ({ status: 403, body: "<html>" }), /a refusal that is not valid/],
  ["redirects", () => ({ status: 307, body: "" }), /status 307/]
]

describe("a signing server", () => {
  it.live("gets the whole transaction, once, over TLS with a certificate on both sides (SIGNER-2)", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner()
      const market = yield* signingMarket(remote(signer.url))
      const withdrawal = yield* withdraw(20)
      const { transaction } = yield* assertPaidOnce(market, withdrawal)
      if (transaction === null) return assert.fail("nothing was stored")
      assert.lengthOf(signer.asked, 1)
      const [asked] = signer.asked
      const stored = JSON.parse(transaction.raw) as { transaction: { raw_data_hex: string } }
      assert.deepStrictEqual(asked, {
        version: 1,
        transactionId: transaction.txid,
        transaction: stored.transaction.raw_data_hex,
        address: hotWallet,
        signatures: []
      })
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "whatever it does wrong, nothing is sent, and the same bytes are paid once it works (SIGNER-3, SIGNER-5)",
    () =>
      Effect.gen(function* () {
        const signer = yield* startSigner()
        const market = yield* signingMarket(remote(signer.url))
        const withdrawal = yield* withdraw(20)
        signer.behave = () => "close"
        yield* market.worker.process
        const stored = (yield* withdrawalOf(withdrawal)).transaction
        if (stored === null) return assert.fail("nothing was stored")
        for (const [name, behave, reason] of faults) {
          signer.behave = behave
          signer.asked.length = 0
          const sent = yield* market.worker.chain.broadcast(stored)
          if (sent._tag !== "Unsigned") return assert.fail(`${name}: ${sent._tag}`)
          assert.strictEqual(sent.because, "unavailable", name)
          assert.match(sent.reason, reason, name)
          assert.notInclude(sent.reason, "secret")
          assert.isAtMost(signer.asked.length, 3, name)
          assert.isTrue(
            signer.asked.every(({ transactionId }) => transactionId === stored.txid),
            name
          )
        }
        yield* market.worker.process
        assert.lengthOf(market.network.pool, 0)
        assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "broadcasting")
        signer.behave = honest()
        const ended = yield* assertPaidOnce(market, withdrawal)
        assert.strictEqual(ended.transaction?.txid, stored.txid)
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("that never answers is not waited for (SIGNER-4)", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner(() => "stall")
      const { sign } = remoteSigner(hotWallet, settingsFor(signer.url), { ...quickTimings, timeout: 30 })
      const failure = yield* Effect.flip(sign(yield* payoutRequest()))
      assert.match(failure.reason, /no answer in time/)
      assert.isAtMost(signer.asked.length, 3)
    }).pipe(Effect.scoped)
  )

  it.live("that fails is asked three times and then rests, so that others do not wait for it (SIGNER-4)", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner(() => ({ status: 503, body: "" }))
      const { sign } = remoteSigner(hotWallet, settingsFor(signer.url), { ...quickTimings, rest: 600_000 })
      for (let i = 0; i < 5; i++)
        assert.strictEqual((yield* Effect.flip(sign(yield* payoutRequest())))._tag, "SignerUnavailable")
      assert.lengthOf(signer.asked, 3)
    }).pipe(Effect.scoped)
  )

  it.live("is not used with a certificate of another authority, and does not answer a market with one (SIGNER-2)", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner()
      const [right, other, request] = [settingsFor(signer.url), new TestAuthority(), yield* payoutRequest()]
      const stranger = other.issue("market")
      const expired = authority.issue("market", { lifetime: -1000 })
      for (const [settings, expected] of [
        [{ ...right, authority: other.cert }, /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE/],
        [{ ...right, certificate: stranger.cert, key: Redacted.make(stranger.key) }, /not reached/],
        [{ ...right, certificate: expired.cert, key: Redacted.make(expired.key) }, /not reached/]
      ] as const) {
        const failure = yield* Effect.flip(remoteSigner(hotWallet, settings, quickTimings).sign(request))
        assert.match(failure.reason, expected)
        assert.notInclude(failure.reason, "BEGIN")
      }
      assert.lengthOf(signer.asked, 0)
      yield* remoteSigner(hotWallet, right, quickTimings).sign(request)
    }).pipe(Effect.scoped)
  )

  it.live("a signature is remembered, so that sending the bytes again does not ask for it again", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner()
      const market = yield* signingMarket(remote(signer.url))
      market.node.fault = ({ method }) =>
        method === "broadcasttransaction" ? { kind: "refuse", code: "SERVER_BUSY" } : undefined
      yield* withdraw(20)
      for (let i = 0; i < 5; i++) yield* market.worker.process
      assert.lengthOf(signer.asked, 1)
      assert.isAbove(market.node.calls.get("broadcasttransaction") ?? 0, 1)
    }).pipe(inMarket, Effect.scoped)
  )
})
