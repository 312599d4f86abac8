import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import type { DeliveryId } from "../../src/ids/Ids.ts"
import { WebhookSecret } from "../../src/webhooks/WebhookSecret.ts"
import { signWebhook } from "../../src/webhooks/WebhookSignature.ts"

const id = "dlv_000000000000k01" as DeliveryId
const payload = '{"event":"webhook.test","timestamp":"2025-01-15T12:00:00.000Z","data":{"webhookId":"whk_é😀"}}'
const at = 1_736_942_405_678

const hex = (key: string, text: string) => createHmac("sha256", key).update(text, "utf8").digest("hex")
const standard = (key: Buffer, body: string) =>
  `v1,${createHmac("sha256", key)
    .update(`${id}.${Math.floor(at / 1000)}.${body}`)
    .digest("base64")}`

const mac = Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))
const signed = (secret: string, previous: string | null = null, time = at) =>
  signWebhook({
    id,
    payload,
    at: time,
    secret: Redacted.make(secret),
    previous: previous === null ? null : Redacted.make(previous)
  }).pipe(Effect.provide(mac))

const bytes = fc.uint8Array({ minLength: 12, maxLength: 64 })
const plain = fc.string({ unit: "grapheme", minLength: 16, maxLength: 60 }).filter((each) => !each.startsWith("whsec_"))

describe("webhook signatures (DELIVERY-2, DELIVERY-4)", () => {
  it.effect(
    "three receivers verify the same request: the raw body's, the re-serialiser's, and Standard Webhooks'",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.oneof(plain, bytes.map(WebhookSecret.make)), async (secret) => {
            const { body, headers } = await Effect.runPromise(signed(secret))
            assert.strictEqual(headers["x-service-signature"], hex(secret, body))
            const { signature, ...rest } = JSON.parse(body) as Record<string, unknown>
            assert.strictEqual(signature, hex(secret, JSON.stringify(rest)))
            assert.strictEqual(JSON.stringify(rest), payload)
            const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret)
            assert.strictEqual(headers["webhook-signature"], standard(key, body))
          })
        )
      )
  )

  it.live("the standardwebhooks package verifies it with the secret, and with the old secret during the overlap", () =>
    Effect.gen(function* () {
      const old = WebhookSecret.make(new Uint8Array(24).fill(7))
      const text = "a secret that is plain text"
      const { body, headers } = yield* signed(text, old, yield* Clock.currentTimeMillis)
      const verified = new Webhook(text, { format: "raw" }).verify(body, headers)
      assert.deepStrictEqual(verified, JSON.parse(body))
      assert.deepStrictEqual(new Webhook(old).verify(body, headers), verified)
      const stranger = new Webhook(WebhookSecret.make(new Uint8Array(24)))
      assert.throws(() => stranger.verify(body, headers), "No matching signature found")
    })
  )

  it.effect(
    "headers: milliseconds for the service's own, seconds and the delivery's id for Standard Webhooks (DELIVERY-3, DELIVERY-4)",
    () =>
      Effect.gen(function* () {
        const { headers } = yield* signed("a secret of sixteen")
        assert.match(headers["x-service-signature"] ?? "", /^[0-9a-f]{64}$/)
        assert.strictEqual(headers["x-service-timestamp"], "1736942405678")
        assert.strictEqual(headers["webhook-timestamp"], "1736942405")
        assert.strictEqual(headers["webhook-id"], id)
        assert.strictEqual(headers["content-type"], "application/json")
        assert.notProperty(headers, "x-service-signature-previous")
      })
  )

  it.effect(
    "during the overlap after a rotation the new secret signs the body, and both sign the headers, the new one first",
    () =>
      Effect.gen(function* () {
        const now = WebhookSecret.make(new Uint8Array(24).fill(1))
        const old = "the secret from before"
        const { body, headers } = yield* signed(now, old)
        const alone = yield* signed(now)
        assert.strictEqual(body, alone.body)
        assert.strictEqual(headers["x-service-signature"], hex(now, body))
        assert.strictEqual(headers["x-service-signature-previous"], hex(old, body))
        assert.strictEqual(
          headers["webhook-signature"],
          `${standard(Buffer.alloc(24, 1), body)} ${standard(Buffer.from(old), body)}`
        )
      })
  )
})

describe("webhook secrets (WEBHOOK-2)", () => {
  it.effect("a secret is 16 to 256 characters, and base64 if it starts with whsec_", () =>
    Effect.sync(() => {
      const problems: ReadonlyArray<readonly [string, string | undefined]> = [
        ["x".repeat(15), "must be 16 to 256 characters"],
        ["x".repeat(16), undefined],
        ["😀".repeat(256), undefined],
        ["x".repeat(257), "must be 16 to 256 characters"],
        [`${"x".repeat(16)}\0`, "must not contain NUL or unpaired surrogates"],
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", undefined],
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLQ", undefined],
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLQ==", undefined],
        ["whsec_not base64 at all", "must be base64 after whsec_"],
        ["whsec_my_own_secret_1", "must be base64 after whsec_"],
        ["whsec_==========", "must be base64 after whsec_"]
      ]
      for (const [secret, problem] of problems) assert.strictEqual(WebhookSecret.problem(secret), problem, secret)
    })
  )

  it.effect("a generated secret is valid and contains its bytes, and the service's own key is its text", () =>
    Effect.sync(() =>
      fc.assert(
        fc.property(bytes, (random) => {
          const secret = WebhookSecret.make(random)
          assert.isUndefined(WebhookSecret.problem(secret))
          assert.deepStrictEqual(WebhookSecret.standardKey(secret), random)
          assert.deepStrictEqual(WebhookSecret.standardKey(secret.replace(/=+$/, "")), random)
          assert.strictEqual(new TextDecoder().decode(WebhookSecret.ownKey(secret)), secret)
        })
      )
    )
  )
})
