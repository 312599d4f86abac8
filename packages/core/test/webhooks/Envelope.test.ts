import { Schema } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { EventData } from "../../src/events/MarketEvent.ts"
import type { AccountId } from "../../src/ids/Ids.ts"
import { Envelope } from "../../src/webhooks/Envelope.ts"
import { eventPayloads } from "../../src/webhooks/EventPayloads.ts"
import type { WebhookEvent } from "../../src/webhooks/Webhook.ts"
import { webhookEvents } from "../../src/webhooks/Webhook.ts"

const buyer = "usr_buyer" as AccountId
const seller = "usr_seller" as AccountId

/** The data that the settlement writes into the log. */
const sale: EventData = {
  purchaseId: "pur_1",
  listingId: "lst_1",
  buyerId: buyer,
  sellerId: seller,
  amount: "12.50",
  fee: "0.625",
  currency: "USDT",
  name: "Inbox Sorter",
  licenseKey: "7K3MW-9QXRT-2HVBN-5CJPD-8FGZ4"
}

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('"', "\\", "\u2028", "\n", "é", "😀", "</script>"), fc.string())
})

/** An event of the log: every field of its payload, and other fields. */
const logged = fc.constantFrom(...webhookEvents).chain((type) => {
  const named = Object.keys(eventPayloads[type].fields)
  const value = (name: string) => {
    if (name === "version" && type.startsWith("soul.")) return fc.nat()
    if (name === "versions") return fc.array(text)
    return name === "changes" ? fc.boolean() : text
  }
  const values = fc.record(Object.fromEntries(named.map((name) => [name, value(name)])))
  const internal = fc.record({ fee: text, sellerId: text, secretNote: text, at: fc.integer() })
  const time = fc.integer({ min: 0, max: 4e12 })
  return fc.record({
    type: fc.constant(type),
    at: time,
    data: fc.tuple(internal, values).map(([a, b]) => ({ ...a, ...b }))
  })
})

describe("Envelope (DELIVERY-1)", () => {
  it("has exactly the six fields of a completed purchase, for buyer and seller (EVENT-2)", () => {
    const payload = Envelope.payload({ type: "purchase.completed", at: 0, data: sale })
    assert.strictEqual(
      payload,
      '{"event":"purchase.completed","timestamp":"1970-01-01T00:00:00.000Z","data":{"purchaseId":"pur_1","listingId":"lst_1",' +
        '"buyerId":"usr_buyer","amount":"12.50","currency":"USDT","licenseKey":"7K3MW-9QXRT-2HVBN-5CJPD-8FGZ4"}}'
    )
  })

  it("contains the approval of a pending purchase, and no license", () => {
    const waits = { type: "purchase.pending_approval", at: 0, data: { ...sale, approvalId: "apr_1" } } as const
    assert.strictEqual(Envelope.dataOf(waits)["approvalId"], "apr_1")
    assert.notProperty(Envelope.dataOf(waits), "licenseKey")
  })

  it("contains only fields of the event's schema, with values that the schema accepts", () => {
    fc.assert(
      fc.property(logged, ({ at, data, type }) => {
        const payload = Envelope.dataOf({ type, at, data })
        const named = Object.keys(eventPayloads[type].fields)
        for (const name of Object.keys(payload)) assert.include(named, name)
        assert.isTrue(Schema.is(eventPayloads[type as WebhookEvent] as Schema.Top)(payload))
      })
    )
  })

  it("parsing and serialising a body gives the same text, and without its signature the payload", () => {
    fc.assert(
      fc.property(logged, text, (event, signature) => {
        const payload = Envelope.payload(event)
        const body = Envelope.body(payload, signature)
        const parsed = JSON.parse(body) as Record<string, unknown>
        assert.deepStrictEqual(Object.keys(parsed), ["event", "timestamp", "data", "signature"])
        assert.strictEqual(JSON.stringify(parsed), body)
        const { signature: signed, ...rest } = parsed
        assert.strictEqual(signed, signature)
        assert.strictEqual(JSON.stringify(rest), payload)
      })
    )
  })

  it("has a payload for every event that can be subscribed to, and for no other", () => {
    assert.deepStrictEqual(Object.keys(eventPayloads).sort(), [...webhookEvents].sort())
    assert.notInclude(webhookEvents, "agent.registered")
    for (const named of [
      "purchase.completed",
      "subscription.renewed",
      "subscription.cancelled",
      "soul.created",
      "soul.updated",
      "soul.downloaded"
    ] as const) {
      assert.include(webhookEvents, named)
    }
  })
})
