import { eventPayloads } from "@agent-marketplace/core/webhooks/EventPayloads"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import type { EmbeddedMarket } from "../src/EmbeddedMarket.ts"
import { buyerOf, sellerOf, withMarket } from "./fixtures/market.ts"

const register = async (market: EmbeddedMarket, from: number, to: number): Promise<void> => {
  for (let index = from; index < to; index += 1) {
    // An account may have 20 agents.
    const owner = Math.floor(index / 20)
    await market.as({ id: `owner-${owner}`, name: `Owner ${owner}` }).agents.create({ name: `Agent ${index}` })
  }
}

describe("events", () => {
  it("are delivered once and in order, earlier ones and those that happen meanwhile (EMBED-3)", () =>
    withMarket(async (market) => {
      await register(market, 0, 230)
      const ids = new Set<string>()
      let last = ""
      for await (const { cursor, id } of market.events()) {
        assert.isTrue(cursor > last)
        last = cursor
        ids.add(id)
        if (ids.size === 230) void register(market, 230, 240)
        if (ids.size === 240) break
      }
      assert.strictEqual(ids.size, 240)
    }))

  it("continue after a cursor", () =>
    withMarket(async (market) => {
      await register(market, 0, 3)
      const cursors: Array<string> = []
      for await (const { cursor } of market.events()) if (cursors.push(cursor) === 2) break
      for await (const { cursor, timestamp } of market.events({ after: cursors[1] ?? "" })) {
        assert.notInclude(cursors, cursor)
        assert.match(timestamp, /^\d{4}-\d\d-\d\dT.*Z$/)
        break
      }
    }))

  it("have data of the type that their name determines (EVENT-1)", () =>
    withMarket(async (market) => {
      const { seller, skill } = await sellerOf(market)
      const buyer = await buyerOf(market, "100")
      await seller.souls.create({ name: "Tutor", description: "Explains hard things.", content: "# SOUL\n", price: 5 })
      await seller.agents.create({ name: "Agent" })
      const { licenseKey, purchaseId } = await buyer.skills.buy({ skillId: skill.id })
      await seller.purchases.refund(purchaseId, {})
      const seen: Array<string> = []
      for await (const event of market.events()) {
        seen.push(event.event)
        if (event.event === "agent.registered") assert.match(event.data.agentId, /^agt_/)
        else if (
          event.event !== "market.degraded" &&
          event.event !== "market.recovered" &&
          event.event !== "review.posted" &&
          event.event !== "spending.limit_near"
        )
          assert.isTrue(Schema.is(eventPayloads[event.event] as Schema.Codec<unknown>)(event.data), event.event)
        if (event.event === "purchase.completed") assert.strictEqual(event.data.licenseKey, licenseKey ?? "")
        if (event.event === "purchase.refunded") break
      }
      assert.includeMembers(seen, ["listing.approved", "deposit.confirmed", "soul.created", "purchase.completed"])
    }))

  it("refuse a cursor that no event had", () =>
    withMarket((market) => {
      for (const after of ["", "garbage", "-1", "1.5", "9".repeat(19), 5 as unknown as string])
        assert.throws(() => market.events({ after }), "events: after must be the cursor of an event")
      return Promise.resolve()
    }))

  it("end with a signal, also one that is already aborted", () =>
    withMarket(async (market) => {
      await register(market, 0, 1)
      const controller = new AbortController()
      for await (const _ of market.events({ signal: controller.signal })) controller.abort()
      for await (const _ of market.events({ signal: AbortSignal.abort() })) assert.fail("an event was delivered")
    }))
})
