import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

interface Delivered {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

const day = 86_400

describe("recipients of events", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member
  let stranger: Member
  const receivers = new Map<Member, Receiver>()

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      TEST_CLOCK: "true",
      WEBHOOK_ALLOW_PRIVATE: "true"
    })
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ name: "Ada", seller: true })
    buyer = await market.fundedMember(100)
    stranger = await market.member()
    for (const member of [seller, buyer, stranger]) {
      const receiver = await startReceiver()
      receivers.set(member, receiver)
      dataOf(await member.post("/api/v1/webhooks", { url: receiver.url, events: ["*"] }), 201)
    }
  })
  afterAll(async () => {
    await server?.stop()
    for (const receiver of receivers.values()) await receiver.close()
  })

  const deliveredTo = (member: Member): ReadonlyArray<Delivered> =>
    (receivers.get(member)?.received ?? []).map(({ body }) => JSON.parse(body) as Delivered)

  /** The `data` of the first event of that type whose field has that value. */
  const awaitEvent = (member: Member, type: string, field: string, value: unknown) =>
    waitFor(`${member.name} gets ${type}`, async () =>
      deliveredTo(member).find(({ data, event }) => event === type && data[field] === value)
    ).then(({ data }) => data)

  /** The number of events of that type and value for each member, after all deliveries. */
  const countsOf = async (type: string, field: string, value: unknown): Promise<ReadonlyArray<number>> => {
    const members = [seller, buyer, stranger]
    for (const member of members) {
      const before = deliveredTo(member).filter(({ event }) => event === "deposit.confirmed").length
      await market.fund(member, 1)
      await waitFor(
        "the deposit is delivered",
        async () => deliveredTo(member).filter(({ event }) => event === "deposit.confirmed").length > before
      )
    }
    return members.map(
      (member) => deliveredTo(member).filter(({ data, event }) => event === type && data[field] === value).length
    )
  }

  it("purchase.completed has exactly its six fields, for the buyer and the seller (EVENT-1, EVENT-2)", async () => {
    const skillId = await market.listing(seller, "Sold skill", 12.5)
    const bought = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const expected = {
      purchaseId: bought.purchaseId,
      listingId: skillId,
      buyerId: buyer.id,
      amount: "12.50",
      currency: "USDT",
      licenseKey: bought.licenseKey
    }
    for (const member of [buyer, seller]) {
      const data = await awaitEvent(member, "purchase.completed", "purchaseId", bought.purchaseId)
      assert.deepStrictEqual<unknown>(data, expected)
      assert.deepStrictEqual(Object.keys(data), Object.keys(expected))
    }
    assert.deepStrictEqual(await countsOf("purchase.completed", "purchaseId", bought.purchaseId), [1, 1, 0])
  })

  it("purchase.refunded goes to the buyer and the seller (EVENT-2, REFUND-4)", async () => {
    const skillId = await market.listing(seller, "Refunded skill", 2)
    const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    bodyOf(await seller.post(`/api/v1/purchases/${purchaseId}/refund`, {}))
    for (const member of [buyer, seller]) {
      const data = await awaitEvent(member, "purchase.refunded", "purchaseId", purchaseId)
      assert.deepInclude(data, { listingId: skillId, amount: "2.00", currency: "USDT" })
    }
    assert.deepStrictEqual(await countsOf("purchase.refunded", "purchaseId", purchaseId), [1, 1, 0])
  })

  it("purchase.pending_approval, .rejected and .expired go only to the buyer (EVENT-3, APPROVAL-8)", async () => {
    const policy = {
      autoApprove: false,
      autoApproveThreshold: null,
      perTransactionLimit: null,
      dailyLimit: null,
      weeklyLimit: null,
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    }
    dataOf(await buyer.put("/api/v1/wallet/policy", policy))
    const ask = async (name: string) => {
      const skillId = await market.listing(seller, name, 2)
      return dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201).purchaseId
    }
    const [rejected, expired] = [await ask("Rejected skill"), await ask("Forgotten skill")]
    const waiting = dataOf<ReadonlyArray<{ id: string; purchaseId: string }>>(
      await buyer.get("/api/v1/approvals?status=pending")
    )
    const approval = waiting.find(({ purchaseId }) => purchaseId === rejected)
    dataOf(await buyer.post(`/api/v1/approvals/${approval?.id}/reject`))
    await awaitEvent(buyer, "purchase.rejected", "purchaseId", rejected)
    await market.advance(7 * day + 60)
    await awaitEvent(buyer, "purchase.expired", "purchaseId", expired)
    for (const [type, purchaseId] of [
      ["purchase.pending_approval", rejected],
      ["purchase.rejected", rejected],
      ["purchase.expired", expired]
    ] as const) {
      assert.deepStrictEqual(await countsOf(type, "purchaseId", purchaseId), [0, 1, 0], type)
    }
    dataOf(await buyer.put("/api/v1/wallet/policy", { ...policy, autoApprove: true }))
  })

  it("publishing, rewriting and downloading a soul emits an event each (EVENT-13, SOUL-34, SOUL-37, SOUL-39)", async () => {
    const { id, slug } = await market.soul(seller, "Told soul")
    const created = await awaitEvent(seller, "soul.created", "soulId", id)
    assert.deepInclude(created, { slug, name: "Told soul", author: "Ada", price: "0.00", currency: "USDC", version: 1 })

    dataOf(await seller.patch(`/api/v1/souls/${slug}`, { description: "Other words for the same." }))
    dataOf(await seller.patch(`/api/v1/souls/${slug}`, { content: soulMarkdown("Told soul, again") }))
    assert.deepInclude(await awaitEvent(seller, "soul.updated", "soulId", id), { slug, version: 2 })

    for (let times = 0; times < 2; times++) dataOf(await buyer.post(`/api/v1/souls/${slug}/download`))
    assert.deepInclude(await awaitEvent(seller, "soul.downloaded", "soulId", id), { slug, version: 2 })

    const [updates = 0] = await countsOf("soul.updated", "soulId", id)
    assert.strictEqual(updates, 1, "a change of the description is not announced")
  })

  it("soul.created of a public soul goes to every subscriber (EVENT-4)", async () => {
    const { id } = await market.soul(seller, "Announced soul")
    assert.deepStrictEqual(await countsOf("soul.created", "soulId", id), [1, 1, 1])
  })

  it("soul.updated goes to the author and to accounts that hold a license or downloaded the soul (EVENT-5)", async () => {
    const rewrite = async (slug: string) =>
      void dataOf(await seller.patch(`/api/v1/souls/${slug}`, { content: soulMarkdown(`${slug}, again`) }))

    const paid = await market.soul(seller, "Licensed soul", 2)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: paid.id }), 201)
    await rewrite(paid.slug)
    assert.deepStrictEqual(await countsOf("soul.updated", "soulId", paid.id), [1, 1, 0])

    const free = await market.soul(seller, "Installed soul")
    dataOf(await stranger.post(`/api/v1/souls/${free.slug}/download`))
    await rewrite(free.slug)
    assert.deepStrictEqual(await countsOf("soul.updated", "soulId", free.id), [1, 0, 1])
  })

  it("soul.downloaded goes only to the author, once for each account (EVENT-6, SOUL-36)", async () => {
    const { id, slug } = await market.soul(seller, "Downloaded soul")
    for (const member of [buyer, stranger, buyer]) dataOf(await member.post(`/api/v1/souls/${slug}/download`))
    assert.deepStrictEqual(await countsOf("soul.downloaded", "soulId", id), [2, 0, 0])
  })

  it("subscription.renewed and subscription.cancelled go to the buyer and the seller (EVENT-7, SUBSCRIPTION-7)", async () => {
    const wish = { name: "Monthly skill", description: "Paid every 30 days.", price: 3, pricingModel: "subscription" }
    const { id } = dataOf<{ id: string }>(await seller.post("/api/v1/skills", wish), 201)
    dataOf(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    const [subscription] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/subscriptions"))
    assert.isDefined(subscription)
    const end = async (event: string) => {
      await market.advance(30 * day + 60)
      for (const member of [buyer, seller]) {
        const data = await awaitEvent(member, event, "subscriptionId", subscription.id)
        assert.deepInclude(data, { listingId: id, buyerId: buyer.id, amount: "3.00" })
      }
      assert.deepStrictEqual(await countsOf(event, "subscriptionId", subscription.id), [1, 1, 0])
    }
    await end("subscription.renewed")
    dataOf(await buyer.post(`/api/v1/subscriptions/${subscription.id}/cancel`))
    await end("subscription.cancelled")
  })

  it("listing.approved and listing.rejected go to the creator (EVENT-8, OPERATOR-3)", async () => {
    const submit = async (name: string) =>
      bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft(name, 4)), 201).id
    const [good, bad] = [await submit("Good listing"), await submit("Bad listing")]
    dataOf(await market.operator.post(`/api/v1/admin/listings/${good}/approve`))
    dataOf(await market.operator.post(`/api/v1/admin/listings/${bad}/reject`, { reason: "No documentation." }))
    await awaitEvent(seller, "listing.approved", "listingId", good)
    assert.deepInclude(await awaitEvent(seller, "listing.rejected", "listingId", bad), { reason: "No documentation." })
    assert.deepStrictEqual(await countsOf("listing.approved", "listingId", good), [1, 0, 0])
    assert.deepStrictEqual(await countsOf("listing.rejected", "listingId", bad), [1, 0, 0])
  })

  it("deposit.confirmed and withdrawal.completed go to the wallet's owner (EVENT-9, DEPOSIT-6, WITHDRAWAL-20)", async () => {
    const { address } = dataOf<{ address: string }>(await stranger.get("/api/v1/wallet/deposit"))
    await market.fund(stranger, 20)
    const deposit = await awaitEvent(stranger, "deposit.confirmed", "amount", "20.00")
    assert.deepInclude(deposit, { address, currency: "USDT" })
    assert.deepStrictEqual(await countsOf("deposit.confirmed", "amount", "20.00"), [0, 0, 1])

    const destinationAddress = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
    const { id } = dataOf<{ id: string }>(
      await stranger.post("/api/v1/wallet/withdrawals", { amount: 6, destinationAddress }),
      201
    )
    const completed = await waitFor("the withdrawal is completed", async () => {
      await market.advance(1)
      return deliveredTo(stranger).find(
        ({ data, event }) => event === "withdrawal.completed" && data["withdrawalId"] === id
      )
    })
    assert.deepInclude(completed.data, { amount: "6.00", destinationAddress })
    assert.deepStrictEqual(await countsOf("withdrawal.completed", "withdrawalId", id), [0, 0, 1])
  })
})
