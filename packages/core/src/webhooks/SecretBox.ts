import { Context, Data, Effect, Layer, Redacted, Result } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { SealedSecret } from "./Webhook.ts"

/** None of the configured keys can decrypt the secret. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{}> {}

const nonceLength = Aead.aes256Gcm.nonceLength
const version = "v1."
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Encrypts the secrets of subscriptions at rest: AES-256-GCM with the SHA-256 of a configured key and a random nonce. The ciphertext is bound
 * to its subscription, so that it cannot be used in another row.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** `owner` is the subscription's id. */
    readonly seal: (secret: Redacted.Redacted, owner: string) => Effect.Effect<SealedSecret>
    readonly open: (sealed: SealedSecret, owner: string) => Effect.Effect<Redacted.Redacted, SecretUnreadable>
  }
>()("@agent-marketplace/core/webhooks/SecretBox") {
  /** The first key encrypts, all keys decrypt: a new key is added in front of the old ones. Each has at least 32 characters. */
  static readonly layer = (keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]) =>
    Layer.effect(
      SecretBox,
      Effect.gen(function* () {
        const aead = yield* Aead.Aead
        const digest = yield* Digest.Digest
        const random = yield* SecureRandom.SecureRandom
        const keyOf = (text: Redacted.Redacted) =>
          digest.digest(Digest.sha256, encoder.encode(Redacted.value(text))).pipe(
            Effect.flatMap((bytes) => Aead.key(Aead.aes256Gcm, bytes)),
            Effect.orDie
          )
        const first = yield* keyOf(keys[0])
        const all = [first, ...(yield* Effect.forEach(keys.slice(1), keyOf))]

        const openWith = (key: Aead.Key, bytes: Uint8Array, owner: string) =>
          aead.decrypt(key, bytes.subarray(nonceLength), {
            nonce: bytes.subarray(0, nonceLength),
            aad: encoder.encode(owner)
          })

        return {
          seal: Effect.fn("SecretBox.seal")(function* (secret, owner) {
            const nonce = yield* random.randomBytes(nonceLength)
            const options = { nonce, aad: encoder.encode(owner) }
            const box = yield* Effect.orDie(aead.encrypt(first, encoder.encode(Redacted.value(secret)), options))
            const bytes = new Uint8Array(nonce.length + box.length)
            bytes.set(nonce)
            bytes.set(box, nonce.length)
            return version + Base64Url.encode(bytes)
          }),
          open: Effect.fn("SecretBox.open")(function* (sealed, owner) {
            const bytes = Base64Url.decode(sealed.slice(version.length))
            if (!sealed.startsWith(version) || Result.isFailure(bytes)) return yield* new SecretUnreadable()
            return yield* Effect.firstSuccessOf(all.map((key) => openWith(key, bytes.success, owner))).pipe(
              Effect.mapBoth({
                onSuccess: (plain) => Redacted.make(decoder.decode(plain), { label: "webhook secret" }),
                onFailure: () => new SecretUnreadable()
              })
            )
          })
        }
      })
    )
}
