import { Effect, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import type { DeliveryId } from "../ids/Ids.ts"
import { Envelope } from "./Envelope.ts"
import { WebhookSecret } from "./WebhookSecret.ts"

export interface Signed {
  readonly body: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** The keys of a secret, derived once for many deliveries. */
export interface SigningKeys {
  /** The key of the service's own HMACs. */
  readonly own: Mac.Key
  /** The key of the Standard Webhooks signature. */
  readonly standard: Mac.Key
}

export interface ToSign<Secret> {
  readonly id: DeliveryId
  /** The result of `Envelope.payload`. */
  readonly payload: string
  /** The time of this attempt in milliseconds since the epoch, in real time, so that receivers can compare it. */
  readonly at: number
  readonly secret: Secret
  /** The secret before the rotation while it is still used; otherwise null. */
  readonly previous: Secret | null
}

const encoder = new TextEncoder()

const hmacKey = (bytes: Uint8Array) => Effect.orDie(Mac.key(Mac.hmacSha256, bytes))

export const signingKeys = (secret: Redacted.Redacted): Effect.Effect<SigningKeys> => {
  const text = Redacted.value(secret)
  return Effect.all({
    own: hmacKey(WebhookSecret.ownKey(text)),
    standard: hmacKey(WebhookSecret.standardKey(text))
  })
}

/**
 * The signatures of one attempt (DELIVERY-1, DELIVERY-2, DELIVERY-4):
 *
 * - the body's `signature`: the HMAC of the JSON of its other three fields;
 * - `x-service-signature`: the HMAC of the body's bytes, both as lower-case hex HMAC-SHA256 keyed with the secret's text;
 * - `x-service-timestamp`: the time of the attempt in milliseconds;
 * - `webhook-id`, `webhook-timestamp` (seconds), `webhook-signature`: the Standard Webhooks headers, `v1,` and base64.
 *
 * While a rotated secret overlaps, `webhook-signature` has both, the new one first, and `x-service-signature-previous` is the old
 * one's HMAC of the same body.
 */
export const signWith: (toSign: ToSign<SigningKeys>) => Effect.Effect<Signed, never, Mac.Mac> = Effect.fnUntraced(
  function* ({ at, id, payload, previous, secret }) {
    const mac = yield* Mac.Mac
    const hex = (key: Mac.Key, data: Uint8Array) => Effect.map(Effect.orDie(mac.sign(key, data)), Hex.encode)
    const body = Envelope.body(payload, yield* hex(secret.own, encoder.encode(payload)))
    const bytes = encoder.encode(body)
    const seconds = Math.floor(at / 1000)
    const content = encoder.encode(`${id}.${seconds}.${body}`)
    const standard = (key: Mac.Key) =>
      Effect.map(Effect.orDie(mac.sign(key, content)), (tag) => `v1,${Base64.encode(tag)}`)
    const current = yield* standard(secret.standard)
    return {
      body,
      headers: {
        "content-type": "application/json",
        "x-service-signature": yield* hex(secret.own, bytes),
        "x-service-timestamp": String(at),
        ...(previous === null ? {} : { "x-service-signature-previous": yield* hex(previous.own, bytes) }),
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": previous === null ? current : `${current} ${yield* standard(previous.standard)}`
      }
    }
  }
)

/** Like `signWith`, for a single delivery. */
export const signWebhook: (toSign: ToSign<Redacted.Redacted>) => Effect.Effect<Signed, never, Mac.Mac> =
  Effect.fnUntraced(function* (toSign) {
    return yield* signWith({
      ...toSign,
      secret: yield* signingKeys(toSign.secret),
      previous: toSign.previous === null ? null : yield* signingKeys(toSign.previous)
    })
  })
