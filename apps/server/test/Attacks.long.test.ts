import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf } from "./fixtures/Client.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { Market } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const day = 86_400

/** Attacks of docs/security/attacks.md that no other test tries over HTTP. */
describe("attacks", () => {
  let server: RunningServer
  let market: Market
  beforeAll(async () => {
    server = await startServer({ STORAGE: "memory", LISTING_REVIEW: "auto", TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
  })
  afterAll(() => server.stop())

  it("a subscription to a deleted item ends with its period and is charged no more (SUBSCRIPTION-5)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    const draft = {
      name: "Deleted later",
      description: "Paid every thirty days.",
      price: 10,
      pricingModel: "subscription"
    }
    const { id: skillId } = dataOf<{ id: string }>(await seller.post("/api/v1/skills", draft), 201)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const [{ id } = { id: "" }] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/subscriptions"))
    dataOf(await seller.delete(`/api/v1/skills/${skillId}`))
    const status = async () => dataOf<{ status: string }>(await buyer.get(`/api/v1/subscriptions/${id}`)).status
    assert.strictEqual(await status(), "active")
    await market.advance(30 * day + 1)
    await waitFor("it ends", async () => (await status()) === "cancelled")
    await market.advance(31 * day)
    assert.strictEqual((await market.balanceOf(buyer)).balance, 90)
    await market.assertBalanced()
  })

  it("no name or tag holds escape, bidirectional, zero-width or tag characters (TEXT-3)", async () => {
    const owner = await market.member({ seller: true })
    const hidden = { "U+001B": "\u001b", "U+202E": "\u202e", "U+200B": "\u200b", "U+E0041": "\u{e0041}" }
    for (const [name, character] of Object.entries(hidden)) {
      const text = `a${character}bc`
      const requests = [
        owner.patch("/api/v1/account", { name: text }),
        owner.post("/api/v1/agents", { name: text }),
        owner.post("/api/v1/keys", { name: text, scope: "READ" }),
        owner.post("/v1/listings", listingDraft(text, 2)),
        owner.post("/v1/listings", { ...listingDraft("Visible", 2), tags: [text] }),
        owner.post("/api/v1/skills", { name: text, description: "Does one thing well.", price: 2 })
      ]
      for (const reply of await Promise.all(requests)) {
        failureOf(reply, 400, "VALIDATION_ERROR")
        assert.include(reply.text, name)
      }
      const soul = { name: text, description: "A soul with a hidden name.", content: "# SOUL\n" }
      const refused = await owner.post("/api/v1/souls/create", soul)
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, name)
    }
  })
})
