import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { DsseEnvelope } from "@agent-marketplace/core/signing/DsseEnvelope"
import { preAuthenticationEncoding } from "@agent-marketplace/core/signing/DsseEnvelope"
import { MarketKeys } from "@agent-marketplace/core/signing/MarketKeys"
import { releaseStatement, statementPayloadType } from "@agent-marketplace/core/signing/Statement"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { Digest, SecureRandom, Signature } from "effect/crypto"
import { createPublicKey, verify } from "node:crypto"

const crypto = Layer.merge(Digest.layerWebCrypto, Signature.layerWebCrypto).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

const stores = Layer.fresh(MemoryStores.layer).pipe(Layer.provideMerge(crypto))

/** RFC 8032, 7.1, TEST 1. RFC 8037, appendix A, has its thumbprint. */
const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex")

const keysOf = (bytes: Uint8Array) =>
  Effect.map(Layer.build(Layer.fresh(MarketKeys.layer(Redacted.make(new Uint8Array(bytes))))), (services) =>
    Context.get(services, MarketKeys)
  )

const verifies = (x: string, bytes: Uint8Array, sig: string): boolean =>
  verify(
    null,
    bytes,
    createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
    Buffer.from(sig, "base64")
  )

const isSigned = ({ payload, payloadType, signatures }: DsseEnvelope, x: string): boolean =>
  verifies(x, preAuthenticationEncoding(payloadType, Buffer.from(payload, "base64")), signatures[0]?.sig ?? "")

describe("the market's signatures (SIGN-1)", () => {
  it("encodes type and payload as DSSE's own example (SIGN-3)", () => {
    const bytes = preAuthenticationEncoding("http://example.com/HelloWorld", new TextEncoder().encode("hello world"))
    assert.strictEqual(new TextDecoder().decode(bytes), "DSSEv1 29 http://example.com/HelloWorld 11 hello world")
    const accented = preAuthenticationEncoding("é", new Uint8Array())
    assert.strictEqual(new TextDecoder().decode(accented), "DSSEv1 2 é 0 ", "lengths count bytes")
  })

  it.effect("the key's id and public key are those of RFC 8037 (SIGN-1, SIGN-4)", () =>
    Effect.gen(function* () {
      const { jwks, keyId } = yield* keysOf(seed)
      const { keys } = yield* jwks
      assert.strictEqual(keyId, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
      assert.deepInclude(keys[0], { kid: keyId, x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", retiredAt: null })
    }).pipe(Effect.scoped, Effect.provide(stores))
  )

  it.effect(
    "a release's statement is an in-toto statement in canonical JSON, and Node verifies it (SIGN-3, SIGN-8)",
    () =>
      Effect.gen(function* () {
        const { jwks, keyId, sign } = yield* keysOf(seed)
        const statement = Result.getOrThrow(
          releaseStatement({
            archive: "aa",
            files: [{ path: "SKILL.md", sha256: "bb" }],
            itemId: "lst_1" as ItemId,
            version: "1.0.0",
            creator: "usr_1" as AccountId,
            ruleset: "2026.11.1",
            level: "clean",
            publishedAt: 0
          })
        )
        const envelope = yield* sign(statementPayloadType, statement)
        assert.strictEqual(
          Buffer.from(envelope.payload, "base64").toString(),
          '{"_type":"https://in-toto.io/Statement/v1","predicate":{"creator":"usr_1","itemId":"lst_1","level":"clean",' +
            '"publishedAt":"1970-01-01T00:00:00.000Z","ruleset":"2026.11.1","version":"1.0.0"},' +
            '"predicateType":"urn:agent-marketplace:release:v1",' +
            '"subject":[{"digest":{"sha256":"aa"},"name":"archive"},{"digest":{"sha256":"bb"},"name":"SKILL.md"}]}'
        )
        const [key] = (yield* jwks).keys
        assert.strictEqual(envelope.payloadType, "application/vnd.in-toto+json")
        assert.strictEqual(envelope.signatures[0]?.keyid, keyId)
        assert.isTrue(isSigned(envelope, key?.x ?? ""))
        assert.isFalse(isSigned({ ...envelope, payloadType: "application/json" }, key?.x ?? ""))
      }).pipe(Effect.scoped, Effect.provide(stores))
  )

  it.effect("signs claims as a compact JWS (SIGN-9)", () =>
    Effect.gen(function* () {
      const { jwks, keyId, signJws } = yield* keysOf(seed)
      const [header = "", claims = "", signature = ""] = (yield* signJws({ sub: "pur_1" })).split(".")
      const [key] = (yield* jwks).keys
      const text = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as unknown
      assert.deepStrictEqual(text(header), { alg: "EdDSA", typ: "JWT", kid: keyId })
      assert.deepStrictEqual(text(claims), { sub: "pur_1" })
      assert.isTrue(verifies(key?.x ?? "", Buffer.from(`${header}.${claims}`), signature))
    }).pipe(Effect.scoped, Effect.provide(stores))
  )

  it.effect(
    "another key retires the first: it still signs for a minute, then refuses, and never starts again (SIGN-5, SIGN-6)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const first = yield* keysOf(seed)
        const second = yield* keysOf(new Uint8Array(32).fill(1))
        yield* first.sign("text/plain", new Uint8Array([1]))
        const before = yield* clock.now
        yield* clock.advance(61)
        const refused = yield* Effect.flip(first.sign("text/plain", new Uint8Array([1])))
        assert.strictEqual(refused._tag, "StoreUnavailable")
        assert.match(String(refused.cause), /was retired on .* MARKET_SIGNING_KEY/)
        yield* second.sign("text/plain", new Uint8Array([1]))
        const { keys } = yield* second.jwks
        assert.deepStrictEqual(
          keys.map(({ kid }) => kid),
          [second.keyId, first.keyId]
        )
        const retiredAt = Result.getOrThrow(Timestamp.parse(keys[1]?.retiredAt ?? ""))
        assert.isAtMost(Math.abs(retiredAt - before - 60_000), 5_000)
        const failed = yield* Effect.flip(keysOf(seed))
        assert.strictEqual(failed._tag, "SigningKeyRetired")
        assert.include(failed.message, first.keyId)
      }).pipe(Effect.scoped, Effect.provide(stores))
  )
})
