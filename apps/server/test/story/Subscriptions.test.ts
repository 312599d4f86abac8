import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertShape, isoTime } from "../fixtures/assertShape.ts"
import { dataOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const day = 86_400

interface Subscription {
  readonly id: string
  readonly status: string
  readonly currentPeriodStart: string
  readonly currentPeriodEnd: string
  readonly cancelAtPeriodEnd: boolean
}

describe("subscriptions (SUBSCRIPTION-1)", () => {
  let server: SharedServer
  let market: Market
  let seller: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })
  afterAll(async () => {
    await market?.assertBalanced()
  })

  const subscribe = async (name: string, money: number) => {
    const buyer = await market.fundedMember(money)
    const skill = { name, description: "Paid every thirty days.", price: 10, pricingModel: "subscription" }
    const { id: skillId } = dataOf<{ id: string }>(await seller.post("/api/v1/skills", skill), 201)
    const purchase = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const own = async (): Promise<Subscription> =>
      dataOf<ReadonlyArray<Subscription>>(await buyer.get("/api/v1/subscriptions"))[0]!
    const purchased = async () =>
      dataOf<{ isValid: boolean; licenseType: string }>(await buyer.get(`/api/v1/purchases/${purchase.purchaseId}`))
    return { buyer, skillId, purchase, own, purchased }
  }

  it("renews from the wallet at each period's end (LICENSE-2, SUBSCRIPTION-1, SUBSCRIPTION-2, SUBSCRIPTION-9, SKILL-12)", async () => {
    const { buyer, own, purchased, skillId } = await subscribe("Renewing skill", 25)
    const first = await own()
    assertShape(first, {
      id: /^sub_/,
      skill: { id: skillId, name: "Renewing skill", slug: "renewing-skill" },
      price: (price) => Number(price) === 10,
      currency: "USDT",
      status: "active",
      currentPeriodStart: isoTime,
      currentPeriodEnd: isoTime,
      cancelAtPeriodEnd: false
    })
    assert.strictEqual(Date.parse(first.currentPeriodEnd) - Date.parse(first.currentPeriodStart), 30 * day * 1000)
    assert.deepInclude(await purchased(), { licenseType: "subscription", isValid: true })
    await market.advance(30 * day)
    const second = await waitFor("the renewal", async () => {
      const now = await own()
      return now.currentPeriodStart === first.currentPeriodEnd ? now : undefined
    })
    assert.strictEqual(second.status, "active")
    assert.deepInclude(await market.balanceOf(buyer), { balance: 5, totalSpent: 20 })
    assert.isTrue((await purchased()).isValid)
  })

  it("a purchase response has price, period and next renewal (SUBSCRIPTION-8)", async () => {
    const { own, purchase } = await subscribe("Announced price", 10)
    const { currentPeriodEnd } = await own()
    const { message } = purchase as Purchase & { readonly message: string }
    for (const part of ["10.00 USDT", "every 30 days", currentPeriodEnd]) assert.include(message, part)
  })

  it("a cancelled subscription is valid until the end of its period and is not renewed (SUBSCRIPTION-3)", async () => {
    const { buyer, own, purchased, skillId } = await subscribe("Cancelled skill", 50)
    const { id } = await own()
    const cancelled = dataOf<Subscription>(await buyer.post(`/api/v1/subscriptions/${id}/cancel`))
    assert.deepInclude(cancelled, { id, status: "active", cancelAtPeriodEnd: true })
    failureOf(await buyer.post(`/api/v1/subscriptions/${id}/cancel`), 409, "CONFLICT")
    failureOf(await seller.post(`/api/v1/subscriptions/${id}/cancel`), 404, "SUBSCRIPTION_NOT_FOUND")
    assert.isTrue((await purchased()).isValid)
    await market.advance(30 * day)
    await waitFor("the subscription ends", async () => (await own()).status === "cancelled")
    assert.isFalse((await purchased()).isValid)
    assert.strictEqual((await market.balanceOf(buyer)).balance, 40)
    assert.strictEqual(dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201).status, "completed")
  })

  it("without money a subscription is past due, and a deposit within 3 days renews it (SUBSCRIPTION-6)", async () => {
    const { buyer, own } = await subscribe("Saved skill", 10)
    await market.advance(30 * day)
    await waitFor("past due", async () => (await own()).status === "past_due")
    await market.fund(buyer, 10)
    await market.advance(day)
    await waitFor("active again", async () => (await own()).status === "active")
    assert.strictEqual((await market.balanceOf(buyer)).balance, 0)
  })

  it("without money for 3 days a subscription is cancelled (SUBSCRIPTION-6)", async () => {
    const { own, purchased } = await subscribe("Lost skill", 10)
    await market.advance(30 * day)
    await waitFor("past due", async () => (await own()).status === "past_due")
    for (let days = 0; days < 3; days++) await market.advance(day)
    await waitFor("cancelled", async () => (await own()).status === "cancelled")
    assert.isFalse((await purchased()).isValid)
  })
})
