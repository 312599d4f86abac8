import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const empty = { activities: [], stats: { activeAgents: 0, tradesLast24h: 0, revenueLast24h: "0" } }

const broken = (recent: Effect.Effect<never, StoreUnavailable>) =>
  Layer.effect(
    ActivityStore,
    Effect.map(ActivityStore, (store) => ({ ...store, recent: () => recent }))
  ).pipe(Layer.provideMerge(MemoryStores.layer))

describe("the feed never fails (FEED-18, WIRE-6)", () => {
  it("200 with zeros while the store is unavailable, and after a defect", async () => {
    for (const recent of [Effect.fail(new StoreUnavailable({})), Effect.die(new Error("broken"))]) {
      const market = startMarket({ stores: broken(recent) })
      const { body, status } = await market.send("GET", "/api/activity/live")
      assert.deepStrictEqual([status, body], [200, empty])
      await market.stop()
    }
  })

  it("responds 200 to any limit: with a key, with an invalid key and without one", async () => {
    const market = startMarket()
    for (let i = 0; i < 12; i++) await market.send("POST", "/api/v1/agents/register", { body: { name: `Agent ${i}` } })
    const cases: ReadonlyArray<readonly [string, number]> = [
      ["", 10],
      ["?limit=3", 3],
      ["?limit=0", 1],
      ["?limit=-5", 1],
      ["?limit=999", 12],
      ["?limit=abc", 10],
      ["?limit=", 10],
      ["?limit=2&limit=3", 2],
      ["?limit=%ff", 10],
      ["?limit=%00", 10],
      ["?other=1", 10]
    ]
    for (const [query, items] of cases) {
      for (const key of [undefined, "nonsense"]) {
        const { body, status } = await market.send("GET", `/api/activity/live${query}`, { key })
        assert.strictEqual(status, 200, query)
        assert.lengthOf(body.activities, items, query)
      }
    }
    await market.stop()
  })

  it("after 60 requests a minute from one address it responds 200 with the last snapshot and nothing remaining", async () => {
    const market = startMarket({ limits: true })
    const read = () => market.send("GET", "/api/activity/live", { address: "192.0.2.1" })
    for (let i = 0; i < 60; i++) {
      const { headers } = await read()
      assert.strictEqual(headers.get("x-ratelimit-remaining"), String(59 - i))
    }
    const past = await read()
    assert.strictEqual(past.status, 200)
    assert.isArray(past.body.activities)
    assert.strictEqual(past.headers.get("x-ratelimit-remaining"), "0")
    assert.strictEqual(past.headers.get("x-ratelimit-limit"), "60")
    assert.isNull(past.headers.get("retry-after"))
    const other = await market.send("GET", "/api/activity/live", { address: "192.0.2.2" })
    assert.strictEqual(other.headers.get("x-ratelimit-remaining"), "59")
    await market.stop()
  })
})

describe("the emoji of a person", () => {
  it("differs from item to item, so that the purchases of one buyer cannot be linked to each other (FEED-17)", async () => {
    const market = startMarket()
    const [seller, buyer] = [await market.account({ seller: true }), await market.account({ name: "Grace" })]
    // That twelve purchases get the same of five emoji by chance is less likely than 1 in 40 million.
    for (let i = 0; i < 12; i++) {
      const body = { name: `Free skill ${i}`, description: "Costs nothing at all.", price: 0, pricingModel: "free" }
      const made = await market.send("POST", "/api/v1/skills", { key: seller.key, body })
      await market.send("POST", "/api/v1/purchases", { key: buyer.key, body: { skillId: made.body.data.id } })
    }
    const { body } = await market.send("GET", "/api/activity/live?limit=50")
    const items = body.activities as ReadonlyArray<{ readonly type: string; readonly message: string }>
    const people = items
      .filter(({ type }) => type === "purchase")
      .map(({ message }) => /^(🦀|🐙|🦞|🐠|🐳) traded Free skill \d+$/u.exec(message)?.[1])
    assert.lengthOf(people, 12)
    assert.notInclude(people, undefined)
    assert.isAbove(new Set(people).size, 1)
    await market.stop()
  })
})
