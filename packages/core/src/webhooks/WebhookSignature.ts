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

export interface ToSign {
  readonly id: DeliveryId
  /** As `Envelope.payload` makes it. */
  readonly payload: string
  /** Of this attempt, in milliseconds since the epoch, on the clock that receivers have too. */
  readonly at: number
  readonly secret: Redacted.Redacted
  /** The secret before the rotation, while it also signs; null where there is none. */
  readonly previous: Redacted.Redacted | null
}

const encoder = new TextEncoder()

/**
 * The signatures of one attempt (specification 6, contract 6):
 *
 * - the body's `signature`: the HMAC of the JSON of its other three fields;
 * - `x-service-signature`: the HMAC of the body's bytes, both as lower-case hex HMAC-SHA256 keyed with the secret's text;
 * - `x-service-timestamp`: the time of the attempt in milliseconds;
 * - `webhook-id`, `webhook-timestamp` (seconds), `webhook-signature`: the Standard Webhooks headers, `v1,` and base64.
 *
 * While a rotated secret overlaps, `webhook-signature` has both, the new one first, and `x-service-signature-previous` is the old
 * one's HMAC of the same body.
 */
export const signWebhook: (toSign: ToSign) => Effect.Effect<Signed, never, Mac.Mac> = Effect.fnUntraced(function* ({
  at,
  id,
  payload,
  previous,
  secret
}) {
  const mac = yield* Mac.Mac
  const hmac = (key: Uint8Array, data: Uint8Array) =>
    Effect.orDie(Effect.flatMap(Mac.key(Mac.hmacSha256, key), (made) => mac.sign(made, data)))
  const own = (text: string, data: Uint8Array) => Effect.map(hmac(WebhookSecret.ownKey(text), data), Hex.encode)

  const current = Redacted.value(secret)
  const body = Envelope.body(payload, yield* own(current, encoder.encode(payload)))
  const bytes = encoder.encode(body)
  const seconds = Math.floor(at / 1000)
  const standard = (text: string) =>
    Effect.map(
      hmac(WebhookSecret.standardKey(text), encoder.encode(`${id}.${seconds}.${body}`)),
      (tag) => `v1,${Base64.encode(tag)}`
    )

  const old = previous === null ? undefined : Redacted.value(previous)
  const signatures = [yield* standard(current), ...(old === undefined ? [] : [yield* standard(old)])]
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-service-signature": yield* own(current, bytes),
      "x-service-timestamp": String(at),
      ...(old === undefined ? {} : { "x-service-signature-previous": yield* own(old, bytes) }),
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signatures.join(" ")
    }
  }
})
