import { Marketplace } from "@agent-marketplace/client"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Harness } from "../../src/startHarness.ts"
import { startHarness } from "../../src/startHarness.ts"
import { expectFailure } from "./expectFailure.ts"

let harness: Harness
let buyer: Marketplace
let seller: Marketplace

const clientOf = (apiKey: string, options: { readonly maxRetries?: number } = {}) =>
  new Marketplace({ apiKey, baseUrl: harness.baseUrl, ...options })

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  await harness.reset()
  buyer = clientOf(harness.keys.buyer)
  seller = clientOf(harness.keys.seller)
})

const skill = { name: "CSV Cleaner", description: "Cleans CSV files of any size.", price: 2000 }

describe("each failure of the general envelope arrives as the client's error (CLIENT-12)", () => {
  it("400 VALIDATION_ERROR names every issue", async () => {
    const error = await expectFailure(
      seller.skills.create({ name: "x", description: "", price: -1 }),
      400,
      "VALIDATION_ERROR"
    )
    const { issues } = error.details as { issues: ReadonlyArray<{ path: string }> }
    assert.sameMembers(
      issues.map(({ path }) => path),
      ["name", "description", "price"]
    )
    assert.deepInclude(error.response, { success: false })
    assert.match(error.requestId ?? "", /^\S{8,}$/)
  })

  it("401 INVALID_API_KEY", async () => {
    await expectFailure(clientOf("amk_nobody").wallet.balance(), 401, "INVALID_API_KEY")
  })

  it("402 INSUFFICIENT_BALANCE carries what is required and available", async () => {
    const { id } = await seller.skills.create(skill)
    const { details } = await expectFailure(buyer.skills.buy({ skillId: id }), 402, "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(details, { required: "2000.00 USDT", available: "1000.00 USDT" })
  })

  it("403 INSUFFICIENT_PERMISSIONS, SPENDING_LIMIT_EXCEEDED, OWN_LISTING", async () => {
    const { skills } = harness.items
    const { key } = await buyer.keys.create({ name: "reader", scope: "READ" })
    const refused = await expectFailure(
      clientOf(key).skills.buy({ skillId: skills.paid }),
      403,
      "INSUFFICIENT_PERMISSIONS"
    )
    assert.deepStrictEqual(refused.details, { required: ["BUYER", "FULL"] })
    await buyer.wallet.policy.change({ perTransactionLimit: "9.99" })
    const limited = await expectFailure(buyer.skills.buy({ skillId: skills.paid }), 403, "SPENDING_LIMIT_EXCEEDED")
    assert.deepInclude(limited.details, { limit: "perTransaction" })
    await expectFailure(seller.skills.buy({ skillId: skills.paid }), 403, "OWN_LISTING")
  })

  it("404 LISTING_NOT_FOUND and its kin", async () => {
    await expectFailure(buyer.skills.buy({ skillId: "lst_nothing" }), 404, "LISTING_NOT_FOUND")
    await expectFailure(buyer.purchases.get("pur_nothing"), 404, "PURCHASE_NOT_FOUND")
    await expectFailure(buyer.webhooks.get("whk_nothing"), 404, "WEBHOOK_NOT_FOUND")
    await expectFailure(buyer.approvals.approve("apr_nothing"), 404, "APPROVAL_NOT_FOUND")
  })

  it("409 ALREADY_PURCHASED carries the purchase, CONFLICT the state", async () => {
    const skillId = harness.items.skills.paid
    const { purchaseId } = await buyer.skills.buy({ skillId })
    const owned = await expectFailure(buyer.skills.buy({ skillId }), 409, "ALREADY_PURCHASED")
    assert.deepStrictEqual(owned.details, { purchaseId })
    await seller.purchases.refund(purchaseId)
    const twice = await expectFailure(seller.purchases.refund(purchaseId), 409, "CONFLICT")
    assert.deepStrictEqual(twice.details, { state: "refunded" })
  })

  it("422 IDEMPOTENCY_KEY_REUSED; with the same request a key of the caller's own buys once", async () => {
    const { skills } = harness.items
    const idempotencyKey = "order-1"
    const buy = (skillId: string) => buyer.skills.buy({ skillId }, { idempotencyKey })
    const answers = await Promise.all([buy(skills.paid), buy(skills.paid), buy(skills.paid)])
    assert.lengthOf(new Set(answers.map(({ purchaseId }) => purchaseId)), 1)
    assert.strictEqual((await buyer.wallet.balance()).totalSpent, 10)
    await expectFailure(buy(skills.free), 422, "IDEMPOTENCY_KEY_REUSED")
  })

  it("429 RATE_LIMIT_EXCEEDED is told at once where the wait would be long", async () => {
    const limited = await startHarness({ rateLimits: "on" })
    try {
      const market = new Marketplace({ apiKey: limited.keys.buyer, baseUrl: limited.baseUrl })
      const calls = Array.from({ length: 101 }, () => market.account.get())
      const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected")
      assert.lengthOf(refused, 1)
      const error = await expectFailure(market.account.get(), 429, "RATE_LIMIT_EXCEEDED")
      assert.deepInclude(error.details, { limit: 100, window: "1h" })
      assert.isString(error.details["resetAt"])
    } finally {
      await limited.stop()
    }
  })
})

describe("each failure with an `error` message (WIRE-3) arrives as the client's error, by its words and with a code (CLIENT-12)", () => {
  const soul = { name: "Ada", description: "Somebody with a name.", content: "# SOUL\n\n## Identity\nAda.\n" }

  it.each([
    [400, "VALIDATION_ERROR", "Missing required fields: name, description, content", { ...soul, content: "" }],
    [400, "VALIDATION_ERROR", "Invalid SOUL format - content should be a valid SOUL.md file", { ...soul, content: "x" }]
  ])("%i %s %s", async (status, code, message, body) => {
    const error = await expectFailure(seller.souls.create(body), status, code)
    assert.strictEqual(error.message, message)
    assert.deepStrictEqual(error.response, { error: message })
  })

  it("401 Invalid or inactive API key, 403 for scopes and unclaimed agents, 404 Soul not found", async () => {
    const { key } = await seller.keys.create({ name: "buyer", scope: "BUYER" })
    const unknown = await expectFailure(clientOf("amk_nobody").souls.create(soul), 401, "INVALID_API_KEY")
    assert.strictEqual(unknown.message, "Invalid or inactive API key")
    const scope = await expectFailure(clientOf(key).souls.create(soul), 403, "INSUFFICIENT_PERMISSIONS")
    assert.strictEqual(scope.message, "API key does not have seller permissions")
    const answer = await fetch(`${harness.baseUrl}/api/v1/agents/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Stray" })
    })
    const { data } = (await answer.json()) as { data: { apiKey: { key: string } } }
    const agent = await expectFailure(clientOf(data.apiKey.key).souls.create(soul), 403, "AGENT_NOT_CLAIMED")
    assert.strictEqual(agent.message, "Agent not claimed - cannot create SOULs")
    await expectFailure(buyer.souls.get("nobody"), 404, "SOUL_NOT_FOUND")
  })
})
