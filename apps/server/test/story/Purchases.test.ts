import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime, licenseKey } from "../fixtures/assertShape.ts"
import type { Shape } from "../fixtures/assertShape.ts"
import { dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const day = 86_400

describe("buying, licenses, refunds (BUY-15)", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      PROCEEDS_HOLD_DAYS: "0",
      LISTING_REVIEW: "auto",
      TEST_CLOCK: "true"
    })
    market = onMarket(server.baseUrl, { testClock: true })
    ;[seller, buyer] = await Promise.all([market.member({ name: "Ada", seller: true }), market.fundedMember(1000)])
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await server?.stop()
  })

  const buy = async (skillId: string, by: Member = buyer): Promise<Purchase> =>
    dataOf<Purchase>(await by.post("/api/v1/purchases", { skillId }), 201)

  const record = (id: string, skill: Shape, more: Readonly<Record<string, Shape>>): Shape => ({
    id,
    skill,
    currency: "USDT",
    status: "completed",
    licenseKey,
    licenseType: "perpetual",
    isValid: true,
    failureReason: null,
    agentId: null,
    trackingId: null,
    purchasedAt: isoTime,
    ...more
  })

  it("a purchase transfers the price less the fee and issues a license (BUY-1, BUY-15, BUY-16, CATEGORY-4, SALE-2, LICENSE-1)", async () => {
    const skillId = await market.listing(seller, "Bought listing", 10.01)
    const [before, sellerBefore] = await Promise.all([market.balanceOf(buyer), market.balanceOf(seller)])
    const bought = await buyer.post("/api/v1/purchases", { skillId, autoInstall: false })
    const purchase = dataOf<Purchase>(bought, 201)
    assert.deepInclude(purchase, { skillId, status: "completed" })
    assert.match(purchase.licenseKey!, licenseKey)
    assert.hasAllKeys({ message: "", ...purchase }, ["purchaseId", "skillId", "licenseKey", "status", "message"])
    const after = await market.balanceOf(buyer)
    assert.strictEqual(after.balance, 989.99)
    assert.strictEqual(after.totalSpent, before.totalSpent + 10.01)
    // 5 % of 10.01 is 0.5005.
    const earned = await market.balanceOf(seller)
    assert.strictEqual(earned.balance, sellerBefore.balance + 9.5095)

    const skill = {
      id: skillId,
      name: "Bought listing",
      slug: "bought-listing",
      description: "Does one thing, and does it well.",
      category: "development",
      categoryIcon: "🛠️",
      creator: "Ada"
    }
    const found = dataOf<Record<string, unknown>>(await buyer.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assertShape(found, record(purchase.purchaseId, skill, { amount: 10.01, fee: 0.5005 }))
    const listed = await buyer.get("/api/v1/purchases")
    const { pagination, purchases } = dataOf<{ purchases: ReadonlyArray<unknown>; pagination: unknown }>(listed)
    assert.deepStrictEqual(purchases, [found])
    assert.deepStrictEqual(pagination, { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false })
    assert.deepInclude(listed.body as object, { meta: { page: 1, limit: 20, total: 1 } })
    failureOf(await seller.get(`/api/v1/purchases/${purchase.purchaseId}`), 404, "PURCHASE_NOT_FOUND")
  })

  it("the seller sees the sale with its net and the buyer's account id, but not the name (SALE-3, SALE-4)", async () => {
    const sales = await seller.get("/api/v1/sales")
    assert.strictEqual(sales.status, 200)
    assert.include(sales.text, "Bought listing")
    const [sale] = dataOf<ReadonlyArray<object>>(sales)
    assert.deepInclude(sale, { kind: "sale", amount: 10.01, fee: 0.5005, net: 9.5095, buyerId: buyer.id })
    assert.notInclude(sales.text, buyer.name)
    assert.notProperty(sale, "agentId")
  })

  it("a purchase must match the terms of the buyer, and a subscription states them (BUY-4, BUY-5, ERROR-26, SUBSCRIPTION-8)", async () => {
    const skillId = await market.listing(seller, "Agreed upon", 2)
    const changed = (body: object) => buyer.post("/api/v1/purchases", { skillId, ...body })
    dataOf(await seller.patch(`/api/v1/skills/${skillId}`, { price: 900 }))
    assert.deepStrictEqual(failureOf(await changed({ maxPrice: 2 }), 409, "PRICE_CHANGED"), {
      price: "900.00",
      pricingModel: "one_time"
    })
    dataOf(await seller.patch(`/api/v1/skills/${skillId}`, { price: 2, pricingModel: "subscription" }))
    const other = failureOf(await changed({ maxPrice: "2.00", pricingModel: "one_time" }), 409, "PRICE_CHANGED")
    assert.deepStrictEqual(other, { price: "2.00", pricingModel: "subscription" })
    const bought = dataOf<{ message: string }>(await changed({ maxPrice: "2.00", pricingModel: "subscription" }), 201)
    assert.match(bought.message, /2\.00 USDT every 30 days; the next renewal is on \d{4}-/)
    failureOf(await changed({ maxPrice: -1 }), 400, "VALIDATION_ERROR")
    failureOf(await changed({ pricingModel: "weekly" }), 400, "VALIDATION_ERROR")
  })

  it("an item is bought by its slug, and a printable X-Agent-Id is stored as trackingId (AGENT-15, BUY-2, BUY-21)", async () => {
    await market.listing(seller, "Bought by slug", 2)
    const body = { skillId: "bought-by-slug" }
    const { purchaseId } = dataOf<Purchase>(
      await buyer.post("/api/v1/purchases", body, { "x-agent-id": "planner-7" }),
      201
    )
    const found = dataOf<object>(await buyer.get(`/api/v1/purchases/${purchaseId}`))
    assert.deepInclude(found, { trackingId: "planner-7" })
    failureOf(await buyer.post("/api/v1/purchases", { skillId: "no-such-slug" }), 404, "LISTING_NOT_FOUND")
    const soul = await market.soul(seller, "Soul bought by slug")
    const bought = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId: soul.slug, maxPrice: 0 }), 201)
    assert.strictEqual(bought.skillId, soul.id)
    const second = await market.listing(seller, "Bought with a long name", 2)
    const long = await buyer.post("/api/v1/purchases", { skillId: second }, { "x-agent-id": "x".repeat(129) })
    const { purchaseId: other } = dataOf<Purchase>(long, 201)
    assert.deepInclude(dataOf<object>(await buyer.get(`/api/v1/purchases/${other}`)), { trackingId: null })
  })

  it("refuses in the order of the checks (BUY-3)", async () => {
    const skillId = await market.listing(seller, "Refused listing", 5000)
    failureOf(await buyer.post("/api/v1/purchases", { skillId: "lst_none" }), 404, "LISTING_NOT_FOUND")
    failureOf(await seller.post("/api/v1/purchases", { skillId }), 403, "OWN_LISTING")
    const poor = failureOf(await buyer.post("/api/v1/purchases", { skillId }), 402, "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(poor, { required: "5000.00 USDT", available: "983.99 USDT" })
    const cheap = await market.listing(seller, "Bought twice", 2)
    const { purchaseId } = await buy(cheap)
    const owned = failureOf(await buyer.post("/api/v1/purchases", { skillId: cheap }), 409, "ALREADY_PURCHASED")
    assert.deepStrictEqual(owned, { purchaseId })
  })

  it("an Idempotency-Key returns the first response again, only for the same request (IDEMPOTENCY-1, IDEMPOTENCY-5, IDEMPOTENCY-6)", async () => {
    const [skillId, other] = [
      await market.listing(seller, "Asked twice", 2),
      await market.listing(seller, "Another", 2)
    ]
    const key = { "idempotency-key": "story-1" }
    const first = await buyer.post("/api/v1/purchases", { skillId }, key)
    const second = await buyer.post("/api/v1/purchases", { skillId }, key)
    assert.strictEqual(first.status, 201, first.text)
    assert.isNull(first.headers.get("idempotent-replayed"))
    assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
    assert.deepStrictEqual([second.status, second.body], [first.status, first.body])
    failureOf(await buyer.post("/api/v1/purchases", { skillId: other }, key), 422, "IDEMPOTENCY_KEY_REUSED")
    const withdrawal = { amount: 5, destinationAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u" }
    assert.include([400, 422], (await buyer.post("/api/v1/wallet/withdrawals", withdrawal, key)).status)

    const poor = await market.member()
    const refused = await poor.post("/api/v1/purchases", { skillId }, key)
    failureOf(refused, 402, "INSUFFICIENT_BALANCE")
    await market.fund(poor, 2)
    assert.strictEqual((await poor.post("/api/v1/purchases", { skillId }, key)).status, 201)
    for (const wrong of ["", "x".repeat(256)]) {
      const reply = await buyer.post("/api/v1/purchases", { skillId }, { "idempotency-key": wrong })
      assert.include(wrong === "" ? [400, 409] : [400], reply.status, reply.text)
    }
  })

  it("souls are bought like skills, and free ones cost nothing (BUY-20, LICENSE-2)", async () => {
    const [paid, free] = [await market.soul(seller, "Paid soul", 3), await market.soul(seller, "Free soul")]
    assert.strictEqual((await buy(paid.id)).status, "completed")
    const { purchaseId } = await buy(free.id)
    const record = dataOf<object>(await buyer.get(`/api/v1/purchases/${purchaseId}`))
    assert.deepInclude(record, { amount: 0, fee: 0, licenseType: "free", isValid: true })
  })

  it("only the item's seller can validate a license key (LICENSE-3, LICENSE-4)", async () => {
    const skillId = await market.listing(seller, "Licensed listing", 2)
    const { licenseKey: key, purchaseId } = await buy(skillId)
    const check = async (body: object, by: Member = seller) =>
      dataOf<object>(await by.post("/api/v1/licenses/validate", body))
    assertShape(await check({ licenseKey: key!.toLowerCase() }), {
      valid: true,
      purchaseId,
      skillId,
      licenseType: "perpetual",
      status: "completed",
      purchasedAt: isoTime,
      expiresAt: null
    })
    assert.deepInclude(await check({ licenseKey: key, skillId }), { valid: true })
    for (const body of [{ licenseKey: key, skillId: "lst_other" }, { licenseKey: "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA" }]) {
      assert.deepInclude(await check(body), { valid: false })
    }
    const stranger = await check({ licenseKey: key }, await market.member({ seller: true }))
    assert.deepInclude(stranger, { valid: false })
    assert.notInclude(JSON.stringify(stranger), purchaseId)
  })

  it("a refund returns the money and ends the license, within 14 days (REFUND-1, REFUND-3, REFUND-4, WALLET-3)", async () => {
    const skillId = await market.listing(seller, "Refunded listing", 8)
    const { licenseKey: key, purchaseId } = await buy(skillId)
    const [before, sellerBefore] = await Promise.all([market.balanceOf(buyer), market.balanceOf(seller)])
    const path = `/api/v1/purchases/${purchaseId}/refund`
    failureOf(await buyer.post(path), 403, "INSUFFICIENT_PERMISSIONS")
    failureOf(await (await market.member({ seller: true })).post(path), 404, "PURCHASE_NOT_FOUND")
    const refunded = await seller.post(path, undefined, { "idempotency-key": "refund-1" })
    assert.deepInclude(dataOf<object>(refunded), { status: "refunded" })
    const again = await seller.post(path, undefined, { "idempotency-key": "refund-1" })
    assert.deepStrictEqual([again.status, again.body], [refunded.status, refunded.body])
    assert.deepStrictEqual(failureOf(await seller.post(path), 409, "CONFLICT"), { state: "refunded" })
    const [after, sellerAfter] = await Promise.all([market.balanceOf(buyer), market.balanceOf(seller)])
    assert.strictEqual(after.balance, before.balance + 8)
    assert.closeTo(after.totalSpent ?? 0, (before.totalSpent ?? 0) - 8, 1e-9)
    assert.closeTo(sellerAfter.totalEarned, sellerBefore.totalEarned - 7.6, 1e-9)
    assert.deepInclude(dataOf<object>(await buyer.get(`/api/v1/purchases/${purchaseId}`)), {
      status: "refunded",
      isValid: false
    })
    const checked = dataOf<object>(await seller.post("/api/v1/licenses/validate", { licenseKey: key }))
    assert.deepInclude(checked, { valid: false, status: "refunded" })
    assert.strictEqual((await buy(skillId)).status, "completed")
  })

  it("a seller without enough money cannot refund, but the operator can; the seller has 14 days, the operator 180 (REFUND-1, REFUND-2, REFUND-7, REFUND-8)", async () => {
    const poor = await market.member({ seller: true })
    const skillId = await market.listing(poor, "Spent revenue", 20)
    const { purchaseId } = await buy(skillId)
    const cheap = await market.listing(seller, "Bought by a seller", 18)
    await buy(cheap, poor)
    const path = `/api/v1/purchases/${purchaseId}/refund`
    const refused = failureOf(await poor.post(path), 402, "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(refused, { required: "19.00 USDT", available: "1.00 USDT" })
    assert.deepInclude(dataOf<object>(await market.operator.post(path)), { status: "refunded" })
    assert.deepInclude(dataOf<object>(await poor.get("/api/v1/wallet/balance")), { balance: 0, debt: 18 })

    const late = await buy(await market.listing(seller, "Late refund", 2))
    await market.advance(14 * day + 1)
    failureOf(await seller.post(`/api/v1/purchases/${late.purchaseId}/refund`), 409, "CONFLICT")
    const later = await buy(await market.listing(seller, "Refunded by nobody", 2))
    dataOf(await market.operator.post(`/api/v1/purchases/${late.purchaseId}/refund`))
    await market.advance(180 * day + 1)
    failureOf(await market.operator.post(`/api/v1/purchases/${later.purchaseId}/refund`), 409, "CONFLICT")
  })

  it("a policy's limits apply to every key and agent of the owner, windows are rolling, refunds restore the budget (POLICY-7, POLICY-8, POLICY-10, POLICY-11, POLICY-13)", async () => {
    const owner = await market.fundedMember(100)
    const policy = { perTransactionLimit: 5, dailyLimit: 8, weeklyLimit: 12, monthlyLimit: null }
    const noLimits = { perTransactionLimit: null, dailyLimit: null, weeklyLimit: null }
    const whole = {
      autoApprove: true,
      autoApproveThreshold: null,
      ...policy,
      allowedCategories: null,
      blockedSellers: null
    }
    assert.deepStrictEqual(dataOf<object>(await owner.put("/api/v1/wallet/policy", whole)), whole)
    assert.deepStrictEqual(dataOf(await owner.get("/api/v1/wallet/policy")), whole)
    failureOf(await owner.patch("/api/v1/wallet/policy", { dailyLimit: 8, weeklyLimit: 7 }), 400, "VALIDATION_ERROR")

    const { id: agentId } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Buyer" }), 201)
    const key = dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "b", scope: "BUYER", agentId }), 201)
    const agent = makeClient(server.baseUrl, key.key)
    const items = []
    for (let i = 0; i < 5; i++) items.push(await market.listing(seller, `Limited listing ${i}`, 4))
    const dear = await market.listing(seller, "Too dear", 6)

    const refused = async (by: { post: Member["post"] }, skillId: string) =>
      failureOf(await by.post("/api/v1/purchases", { skillId }), 403, "SPENDING_LIMIT_EXCEEDED")
    assert.deepInclude(await refused(owner, dear), { limit: "perTransaction" })
    const first = await buy(items[0]!, owner)
    dataOf(await agent.post("/api/v1/purchases", { skillId: items[1] }), 201)
    const daily = await refused(owner, items[2]!)
    assert.strictEqual(daily["limit"], "daily")
    assert.deepInclude(await refused(agent, items[2]!), { limit: "daily" })
    dataOf(await seller.post(`/api/v1/purchases/${first.purchaseId}/refund`))
    await buy(items[2]!, owner)
    await market.advance(day)
    await buy(items[3]!, owner)
    assert.deepInclude(await refused(owner, items[4]!), { limit: "weekly" })

    dataOf(
      await owner.patch(`/api/v1/agents/${agentId}/policy`, {
        allowedCategories: ["data"],
        blockedSellers: [seller.id]
      })
    )
    dataOf(await owner.put("/api/v1/wallet/policy", { ...whole, ...noLimits }))
    assert.include(["category", "seller"], (await refused(agent, items[4]!))["limit"])
    await buy(items[4]!, owner)
  })
})
