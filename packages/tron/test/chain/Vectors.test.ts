import { Signer } from "@agent-marketplace/core/chain/Signer"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { hash, randomBytes } from "node:crypto"
import { TronWeb } from "tronweb"
import { depositAddresses } from "../../src/chain/DepositAddresses.ts"
import { LocalSigner } from "../../src/chain/LocalSigner.ts"
import { build, payoutOf } from "../../src/chain/PayoutTransaction.ts"
import { addressOf, hexOf } from "../../src/nodes/Base58Check.ts"
import { shortSha256 } from "../../src/nodes/shortSha256.ts"
import { hotKey, hotWallet, receiver, xpub } from "../fixtures/keys.ts"

const golden = {
  id: "6d45ca5814c3d509ad61bde3859dcfb62008be573993ef3f65ef2ed93f4cb39f",
  raw: "0a02b2c32208d4e5f60718293a4b40e0b4f8bf87325aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a15417e5f4552091a69125d5dfcb7b8c2659029395bdf121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb0000000000000000000000005cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb000000000000000000000000000000000000000000000000000000000016e3607080e0f4bf873290018087a70e",
  signature:
    "ce9cdad1e40cc20b164f6b669aeed2b184c4ec1be2d4806cee1fca6cd87f06067aa2e182462f19df19a995b83ce67fc394a5edce1ebb87a62339de927bf36f601b"
}

const draft = {
  from: hotWallet,
  to: receiver,
  amount: Usdt.of(1_500_000n),
  contract: usdtContract,
  head: { block: 0x1_b2c3, at: 0, id: `${"0".repeat(16)}d4e5f60718293a4b${"0".repeat(32)}` },
  timestamp: 1_720_000_000_000,
  expiration: 1_720_000_060_000,
  feeLimit: 30_000_000
}

describe("known transactions and addresses", () => {
  it.effect("the golden transaction has these bytes, this id and this signature (CHAIN-12)", () =>
    Effect.gen(function* () {
      const built = yield* build(draft)
      const { amount, owner, to, transaction } = yield* payoutOf(built)
      assert.strictEqual(built.txid, golden.id)
      assert.strictEqual(transaction.raw_data_hex, golden.raw)
      assert.strictEqual(
        TronEncoding.rawData(transaction.raw_data).toString("hex"),
        golden.raw,
        "the network's own encoding"
      )
      assert.deepStrictEqual([owner, to, amount], [hexOf(hotWallet).slice(2), hexOf(receiver).slice(2), 1_500_000n])
      const signer = yield* Signer
      const request = { hash: Buffer.from(built.txid, "hex"), transaction: Buffer.from(golden.raw, "hex") }
      const signature = Buffer.from(yield* signer.sign({ ...request, signatures: [] })).toString("hex")
      assert.strictEqual(signature, golden.signature)
      assert.strictEqual(signer.address, hotWallet)
      assert.strictEqual(TronEncoding.signerOf(built.txid, signature), hexOf(hotWallet))
    }).pipe(Effect.provide(LocalSigner.layer(Redacted.make(hotKey))))
  )

  it.effect("the same draft gives the same id, and a draft one millisecond later a different one", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* build(draft)).txid, (yield* build(draft)).txid)
      assert.notStrictEqual((yield* build({ ...draft, timestamp: draft.timestamp + 1 })).txid, golden.id)
    })
  )

  it.effect("stored bytes that do not match their id are refused", () =>
    Effect.gen(function* () {
      const built = yield* build(draft)
      const other = built.txid.replace(/^./, "7")
      assert.strictEqual((yield* Effect.flip(payoutOf({ ...built, txid: other })))._tag, "ChainUnavailable")
      assert.strictEqual((yield* Effect.flip(payoutOf({ ...built, raw: "{}" })))._tag, "ChainUnavailable")
    })
  )

  it.effect("amounts that a double cannot represent are encoded exactly", () =>
    Effect.gen(function* () {
      const built = yield* build({ ...draft, amount: Usdt.of(9_007_199_254_740_993n) })
      assert.strictEqual((yield* payoutOf(built)).amount, 9_007_199_254_740_993n)
    })
  )

  it.effect("an account's public key derives the addresses of the mnemonic (CHAIN-4)", () =>
    Effect.gen(function* () {
      const address = depositAddresses(xpub)
      assert.deepStrictEqual(yield* Effect.forEach([0, 1, 2], address), [
        "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
        "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK",
        "TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx"
      ])
    })
  )

  it.effect("20 bytes and the base58 address convert into each other, as in tronweb and in core", () =>
    Effect.gen(function* () {
      assert.strictEqual(addressOf("a614f803b6fd780986a42c78ec9c7f77e6ded13c"), usdtContract)
      const edges = ["0".repeat(40), "f".repeat(40), `${"0".repeat(39)}1`]
      const random = Array.from({ length: 500 }, () => randomBytes(20).toString("hex"))
      for (const bytes of [...edges, ...random]) {
        const address = addressOf(bytes)
        assert.strictEqual(hexOf(address), `41${bytes}`)
        assert.strictEqual(address, TronWeb.address.fromHex(`41${bytes}`))
        assert.isTrue(yield* TronAddress.isValid(address))
      }
    }).pipe(Effect.provide(Digest.layerWebCrypto))
  )

  it("a short text has the same SHA-256 as the runtime computes, and a longer one is refused", () => {
    const digest = Buffer.alloc(32)
    for (let length = 0; length <= 55; length++) {
      const bytes = randomBytes(length)
      shortSha256(bytes, digest)
      assert.strictEqual(digest.toString("hex"), hash("sha256", bytes))
    }
    assert.throws(() => shortSha256(randomBytes(56), digest), RangeError)
  })
})
