import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { SecretBox } from "../../src/webhooks/SecretBox.ts"

const crypto = Layer.merge(Aead.layerWebCrypto, Digest.layerWebCrypto).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)
const boxOf = (first: string, ...more: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.map(SecretBox, (box) => box),
    Layer.fresh(SecretBox.layer([Redacted.make(first), ...more.map((key) => Redacted.make(key))])).pipe(
      Layer.provide(crypto)
    )
  )

const old = "the operator's key from before, 0001"
const next = "the operator's new key, number 00002"
const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

describe("SecretBox", () => {
  it.effect("an encrypted secret can be decrypted only for its subscription, and two encryptions differ", () =>
    Effect.gen(function* () {
      const box = yield* boxOf(old)
      const sealed = yield* box.seal(secret, "whk_1")
      assert.notInclude(sealed, "whsec")
      assert.notStrictEqual(yield* box.seal(secret, "whk_1"), sealed)
      assert.strictEqual(Redacted.value(yield* box.open(sealed, "whk_1")), Redacted.value(secret))
      const stolen = yield* Effect.flip(box.open(sealed, "whk_2"))
      assert.strictEqual(stolen._tag, "SecretUnreadable")
    })
  )

  it.effect(
    "with a new key in front of the old one, both kinds of secrets are readable; without the old key its secrets fail as unreadable",
    () =>
      Effect.gen(function* () {
        const sealed = yield* (yield* boxOf(old)).seal(secret, "whk_1")
        const both = yield* boxOf(next, old)
        assert.strictEqual(Redacted.value(yield* both.open(sealed, "whk_1")), Redacted.value(secret))
        const only = yield* boxOf(next)
        assert.strictEqual((yield* Effect.flip(only.open(sealed, "whk_1")))._tag, "SecretUnreadable")
        const anew = yield* both.seal(secret, "whk_1")
        assert.strictEqual(Redacted.value(yield* only.open(anew, "whk_1")), Redacted.value(secret))
      })
  )

  it.effect("a modified, truncated or unencrypted text fails as unreadable, without a defect", () =>
    Effect.gen(function* () {
      const box = yield* boxOf(old)
      const sealed = yield* box.seal(secret, "whk_1")
      const changed = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA")
      for (const wrong of [changed, sealed.slice(0, 20), "v1.", "", "v2.abc", "v1.!!!", "whsec_plain"]) {
        assert.strictEqual((yield* Effect.flip(box.open(wrong, "whk_1")))._tag, "SecretUnreadable", wrong)
      }
    })
  )
})
