import * as fc from "fast-check"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { afterEach, assert, describe, it, vi } from "vitest"
import type { HeadersLike } from "../../src/webhooks/verifyWebhook.ts"
import { verifyWebhook, WebhookError } from "../../src/webhooks/verifyWebhook.ts"
import { attemptedAt, signedDelivery } from "./fixtures/signedDelivery.ts"

const text = "a secret that is plain text"
const whsec = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
const minutes = (count: number) => count * 60_000

const verify = (body: string | Uint8Array, headers: HeadersLike, secret: string, now = attemptedAt) =>
  verifyWebhook(body, headers, secret, { now })

/** The status of the refusal; fails if the delivery is accepted. */
const refusal = async (verifying: Promise<unknown>): Promise<number> => {
  const thrown = await verifying.then(
    (event) => assert.fail(`accepted ${JSON.stringify(event)}`),
    (error: unknown) => error
  )
  assert.instanceOf(thrown, WebhookError)
  assert.strictEqual(thrown.name, "WebhookError")
  return thrown.statusCode
}

const without = (headers: Readonly<Record<string, string>>, ...prefixes: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !prefixes.some((prefix) => name.startsWith(prefix))))

const event = { event: "soul.created", timestamp: "2025-01-15T12:00:00.000Z", data: { slug: "ada" }, signature: "" }
const hmac = (key: string, data: string) => createHmac("sha256", key).update(data, "utf8").digest("hex")

afterEach(() => {
  vi.unstubAllGlobals()
})

describe("genuine deliveries (DELIVERY-1, DELIVERY-2, DELIVERY-4)", () => {
  it.each([text, whsec, `whsec_${Buffer.alloc(25, 9).toString("base64").replace(/=+$/, "")}`])(
    "a delivery signed with %s is accepted, with any of the header families, in every form of headers",
    async (secret) => {
      const { body, headers } = await signedDelivery({ secret })
      const bytes = new TextEncoder().encode(body)
      const shouted = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]] as const)
      )
      for (const held of [headers, new Headers(headers), shouted, without(headers, "webhook"), without(headers, "x-")])
        for (const received of [body, bytes, Buffer.from(body)])
          assert.deepStrictEqual(await verify(received, held, secret), JSON.parse(body))
      assert.deepStrictEqual(await verifyWebhook(bytes.buffer, headers, secret, { now: attemptedAt }), JSON.parse(body))
    }
  )

  it("verifies with any valid secret, and with no other", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "grapheme", minLength: 16, maxLength: 60 }).filter((each) => !each.startsWith("whsec_")),
          fc.uint8Array({ minLength: 12, maxLength: 64 }).map((key) => `whsec_${Buffer.from(key).toString("base64")}`)
        ),
        async (secret) => {
          const { body, headers } = await signedDelivery({ secret })
          assert.deepStrictEqual(await verify(body, headers, secret), JSON.parse(body))
          assert.strictEqual(await refusal(verify(body, headers, `${text}!`)), 401)
        }
      ),
      { numRuns: 50 }
    ))

  it("during a rotation both the old and the new secret verify", async () => {
    for (const [secret, previous] of [
      [text, whsec],
      [whsec, text]
    ] as const) {
      const { body, headers } = await signedDelivery({ secret, previous })
      for (const either of [secret, previous])
        for (const held of [headers, without(headers, "webhook"), without(headers, "x-")])
          assert.strictEqual((await verify(body, held, either)).event, "webhook.test")
      const later = await signedDelivery({ secret })
      assert.strictEqual(await refusal(verify(later.body, later.headers, previous)), 401)
    }
  })

  it("a signature made with node:crypto alone verifies, also with extra spaces in the body", async () => {
    const body = JSON.stringify({ ...event, data: { slug: "ünïcode", price: "1.50" } }, null, 2)
    const headers = { "X-Service-Signature": hmac(text, body), "X-Service-Timestamp": String(attemptedAt) }
    assert.strictEqual((await verify(body, headers, text)).event, "soul.created")
  })

  it("a signature of the package standardwebhooks verifies, also one of several", async () => {
    const body = JSON.stringify(event)
    const at = new Date(attemptedAt)
    const headers = (signature: string) => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(attemptedAt / 1000)),
      "webhook-signature": signature
    })
    const ours = new Webhook(whsec).sign("msg_1", at, body)
    const raw = new Webhook(text, { format: "raw" }).sign("msg_1", at, body)
    assert.strictEqual((await verify(body, headers(ours), whsec)).event, "soul.created")
    assert.strictEqual((await verify(body, headers(raw), text)).event, "soul.created")
    assert.strictEqual((await verify(body, headers(`v1,AAAA v1a,BBBB ${ours}`), whsec)).event, "soul.created")
    assert.strictEqual(await refusal(verify(body, headers(ours.replace("v1,", "v2,")), whsec)), 401)
  })

  it("runs if WebCrypto is not a global, as in Node 18", async () => {
    const { body, headers } = await signedDelivery({ secret: whsec })
    vi.stubGlobal("crypto", undefined)
    assert.strictEqual((await verify(body, headers, whsec)).event, "webhook.test")
    assert.strictEqual(await refusal(verify(body, headers, text)), 401)
  })
})

describe("forged and invalid deliveries (DELIVERY-14)", () => {
  it("a change of any byte of the body is refused with 401", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (position, change) => {
        const { body, headers } = await signedDelivery({ secret: whsec })
        const bytes = new TextEncoder().encode(body)
        const at = position % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ change
        for (const held of [headers, without(headers, "webhook"), without(headers, "x-")])
          assert.strictEqual(await refusal(verify(bytes, held, whsec)), 401)
      }),
      { numRuns: 100 }
    ))

  it("a change of any signed header is refused, even if the other header family is valid", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("x-service-signature", "webhook-signature", "webhook-id", "webhook-timestamp"),
        fc.nat(),
        fc.constantFrom("", "0", "f", "A", "=", " ", ",", "é"),
        async (name, position, inserted) => {
          const { body, headers } = await signedDelivery({ secret: whsec })
          const value = headers[name] ?? ""
          const at = position % value.length
          const changed = value.slice(0, at) + inserted + value.slice(at + 1)
          fc.pre(changed !== value && changed.trim() !== value)
          // Signatures are separated by spaces, so a change that only adds one before a signature has no effect.
          fc.pre(name !== "webhook-signature" || !changed.split(" ").includes(value))
          assert.strictEqual(await refusal(verify(body, { ...headers, [name]: changed }, whsec)), 401)
        }
      ),
      { numRuns: 200 }
    ))

  it("random signatures, none at all, empty ones, and repeated ones are refused with 401", async () => {
    const { body, headers } = await signedDelivery({ secret: text })
    const own = without(headers, "webhook")
    const signature = own["x-service-signature"] ?? ""
    await fc.assert(
      fc.asyncProperty(fc.string(), async (random) => {
        assert.strictEqual(await refusal(verify(body, { ...own, "x-service-signature": random }, text)), 401)
      })
    )
    for (const held of [
      {},
      { "x-service-timestamp": String(attemptedAt) },
      without(headers, "x-", "webhook-signature")
    ])
      assert.strictEqual(await refusal(verify(body, held, text)), 401)
    for (const wrong of ["", signature.toUpperCase(), `sha256=${signature}`, [signature, signature]])
      assert.strictEqual(await refusal(verify(body, { ...own, "x-service-signature": wrong }, text)), 401)
    assert.strictEqual(await refusal(verify(body, { ...headers, "webhook-signature": "" }, text)), 401)
  })

  it("a difference of 5 minutes is accepted, one more millisecond is refused with 400, in the past and in the future", async () => {
    const { body, headers } = await signedDelivery({ secret: text })
    const own = without(headers, "webhook")
    for (const distance of [minutes(5), -minutes(5)]) {
      assert.strictEqual((await verify(body, own, text, attemptedAt + distance)).event, "webhook.test")
      assert.strictEqual(await refusal(verify(body, own, text, attemptedAt + distance + Math.sign(distance))), 400)
    }
    const standard = without(headers, "x-")
    const second = attemptedAt - (attemptedAt % 1000)
    assert.strictEqual((await verify(body, standard, text, second + minutes(5))).event, "webhook.test")
    assert.strictEqual(await refusal(verify(body, standard, text, second + minutes(5) + 1)), 400)
  })

  it("a replay with a fresh x-service-timestamp is refused by the signed time beside it", async () => {
    const { body, headers } = await signedDelivery({ secret: text })
    const later = attemptedAt + minutes(60)
    const fresh = { ...headers, "x-service-timestamp": String(later) }
    assert.strictEqual(await refusal(verify(body, fresh, text, later)), 400)
    const seconds = String(Math.floor(later / 1000))
    assert.strictEqual(await refusal(verify(body, { ...fresh, "webhook-timestamp": seconds }, text, later)), 401)
  })

  it("a missing or malformed timestamp is refused with 400, a wrong signature with 401 whatever the timestamp", async () => {
    const { body, headers } = await signedDelivery({ secret: text })
    const own = without(headers, "webhook")
    for (const wrong of ["", "soon", "-1", "1e12", "Infinity", `${attemptedAt}.5`, undefined])
      assert.strictEqual(await refusal(verify(body, { ...own, "x-service-timestamp": wrong }, text)), 400)
    assert.strictEqual(await refusal(verify(body, own, whsec, 0)), 401)
  })

  it("a signed body that is not an event is refused with 400", async () => {
    for (const body of [
      "",
      "null",
      "[]",
      "{}",
      '"event"',
      "{",
      '{"event":"x","timestamp":"y","data":null}',
      "\u{feff}"
    ]) {
      const headers = { "x-service-signature": hmac(text, body), "x-service-timestamp": String(attemptedAt) }
      assert.strictEqual(await refusal(verify(body, headers, text)), 400, body)
    }
  })

  it("a missing secret is the receiver's mistake: a TypeError, and nothing is verified", async () => {
    const { body, headers } = await signedDelivery({ secret: text })
    const missing = process.env["A_VARIABLE_THAT_IS_NOT_SET"] as string
    for (const secret of [missing, ""]) {
      const thrown = await verify(body, headers, secret).catch((error: unknown) => error)
      assert.instanceOf(thrown, TypeError)
    }
  })
})
