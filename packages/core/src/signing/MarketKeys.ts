import { Context, Data, Effect, Layer, Redacted } from "effect"
import { Digest, Signature } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { StoreUnavailable } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { DsseEnvelope } from "./DsseEnvelope.ts"
import { dsseEnvelope, preAuthenticationEncoding } from "./DsseEnvelope.ts"
import type { SigningKey } from "./SigningKey.ts"
import { handover, seenInterval } from "./SigningKey.ts"
import { SigningKeyStore } from "./SigningKeyStore.ts"

/** This process's key was retired because another process registered a new one. Signatures with the retired key would be refused (SIGN-6). */
export class SigningKeyRetired extends Data.TaggedError("SigningKeyRetired")<{
  readonly keyId: string
  readonly retiredAt: Timestamp
}> {
  override get message(): string {
    return (
      `The signing key ${this.keyId} was retired on ${Timestamp.toIso(this.retiredAt)}, because a process with another key started on this market. ` +
      "Give every process the same MARKET_SIGNING_KEY; a retired key cannot be used again."
    )
  }
}

/** A public key as a JSON Web Key (RFC 7517, RFC 8037), with the period in which it signs. */
export interface PublicJwk {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly kid: string
  readonly use: "sig"
  readonly alg: "EdDSA"
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601; null while it signs. */
  readonly retiredAt: string | null
}

const encoder = new TextEncoder()

const encoded = (value: object): string => Base64Url.encode(encoder.encode(JSON.stringify(value)))

/** The text whose SHA-256 is the key's id: the required members of its JWK in the order of RFC 7638. */
const thumbprintInput = (x: string): string => `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`

const toJwk = ({ createdAt, keyId, publicKey, retiredAt }: SigningKey): PublicJwk => ({
  kty: "OKP",
  crv: "Ed25519",
  x: publicKey,
  kid: keyId,
  use: "sig",
  alg: "EdDSA",
  createdAt: Timestamp.toIso(createdAt),
  retiredAt: retiredAt === null ? null : Timestamp.toIso(retiredAt)
})

/** The market's signatures and public keys (SIGN-1). */
export class MarketKeys extends Context.Service<
  MarketKeys,
  {
    /** The thumbprint (RFC 7638) of the key with which this process signs. */
    readonly keyId: string
    /**
     * Signs a payload in a DSSE envelope (SIGN-3). The payload's own date must have been taken before this call. Fails with
     * `StoreUnavailable` if the key was retired meanwhile, because the signature would be refused.
     */
    readonly sign: (payloadType: string, payload: Uint8Array) => StoreEffect<DsseEnvelope>
    /** Signs claims as a compact JWS with EdDSA and the key's id in the header (RFC 7515). Fails as `sign` does. */
    readonly signJws: (claims: object) => StoreEffect<string>
    /** All public keys, also retired ones, newest first (SIGN-4). */
    readonly jwks: StoreEffect<{ readonly keys: ReadonlyArray<PublicJwk> }>
  }
>()("@agent-marketplace/core/signing/MarketKeys") {
  /**
   * Registers the key of a 32-byte seed, and signs with it. Fails with `SigningKeyRetired` if the key is already retired. While the layer
   * exists, the process reports that it uses the key.
   */
  static readonly layer = (seed: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      MarketKeys,
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const digest = yield* Digest.Digest
        const signature = yield* Signature.Signature
        const store = yield* SigningKeyStore
        const privateKey = yield* Effect.orDie(Signature.privateKey(Signature.ed25519, Redacted.value(seed)))
        const publicKey = Base64Url.encode(
          yield* Effect.orDie(Effect.flatMap(signature.publicKeyOf(privateKey), Signature.toBytes))
        )
        const thumbprint = yield* Effect.orDie(digest.digest(Digest.sha256, encoder.encode(thumbprintInput(publicKey))))
        const keyId = Base64Url.encode(thumbprint)
        const at = yield* clock.now
        const { retiredAt } = yield* store.register({ keyId, publicKey, at, retireAt: at + handover })
        if (retiredAt !== null) return yield* new SigningKeyRetired({ keyId, retiredAt })

        const signed = Effect.fn("MarketKeys.sign")(function* (bytes: Uint8Array) {
          const until = (yield* store.list).find((key) => key.keyId === keyId)?.retiredAt ?? null
          if (until !== null && until <= (yield* clock.now))
            return yield* new StoreUnavailable({ cause: new SigningKeyRetired({ keyId, retiredAt: until }) })
          return yield* Effect.orDie(signature.sign(privateKey, bytes))
        })

        const report = Effect.flatMap(clock.now, (now) => store.seen(keyId, now))
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(report), Effect.sleep(seenInterval))))
        return {
          keyId,
          sign: (payloadType, payload) =>
            Effect.map(signed(preAuthenticationEncoding(payloadType, payload)), (bytes) =>
              dsseEnvelope(payloadType, payload, keyId, bytes)
            ),
          // SIGN-9
          signJws: (claims) => {
            const input = `${encoded({ alg: "EdDSA", typ: "JWT", kid: keyId })}.${encoded(claims)}`
            return Effect.map(signed(encoder.encode(input)), (bytes) => `${input}.${Base64Url.encode(bytes)}`)
          },
          jwks: Effect.map(store.list, (keys) => ({ keys: keys.map(toJwk) }))
        }
      })
    )
}
