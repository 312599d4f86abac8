import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { verifyWebhook } from "@agent-marketplace/client/verifyWebhook"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Harness } from "../../src/startHarness.ts"
import { startHarness } from "../../src/startHarness.ts"

let harness: Harness
let buyer: Marketplace
let seller: Marketplace

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  await harness.reset()
  const { baseUrl, keys } = harness
  buyer = new Marketplace({ apiKey: keys.buyer, baseUrl: `${baseUrl}/`, agentId: "shopper-1" })
  seller = new Marketplace({ apiKey: keys.seller, baseUrl })
})

const tron = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const soulText = "# SOUL\n\n## Identity\nSomebody with a name.\n"

describe("the operations of the client (CLIENT-1)", () => {
  it("wallet.balance() is the balance of the reference (CLIENT-3)", async () => {
    const { skills } = harness.items
    await buyer.skills.buy({ skillId: skills.paid })
    const { depositAddress, ...balance } = await buyer.wallet.balance()
    assert.isString(depositAddress)
    assert.deepStrictEqual(balance, {
      balance: 990,
      pendingBalance: 0,
      lockedBalance: 0,
      availableBalance: 990,
      currency: "USDT",
      depositChain: "TRON",
      totalDeposits: 1000,
      totalWithdrawals: 0,
      totalSpent: 10,
      totalEarned: 0,
      debt: 0,
      escrow: []
    })
  })

  it("wallet.deposit() is the deposit information of the reference, and a transfer to the address is credited (CLIENT-4)", async () => {
    const { address, qrCode, ...info } = await seller.wallet.deposit()
    assert.match(address, /^T\w{33}$/)
    assert.include(qrCode, address)
    assert.deepStrictEqual(info, {
      chain: "TRON",
      currency: "USDT",
      balance: "0.00",
      hasAddress: true,
      supportedChains: ["TRON"]
    })
    await harness.chain.deposit(address, "12.50")
    assert.strictEqual((await seller.wallet.balance()).balance, 12.5)
  })

  it("wallet.withdrawals() is { withdrawals, pagination }; one is made and another cancelled (CLIENT-5)", async () => {
    const made = await buyer.wallet.withdraw({ amount: "50.00", destinationAddress: tron })
    assert.deepInclude(made, { amount: 50, fee: 1, totalAmount: 51, currency: "USDT", status: "pending" })
    // The market may have paid it already, which is a CONFLICT.
    const cancelled = await buyer.wallet
      .cancelWithdrawal(made.id)
      .catch((error: unknown) => (error instanceof MarketplaceError ? error.code : error))
    if (typeof cancelled === "object") assert.deepInclude(cancelled, { id: made.id, status: "cancelled" })
    else assert.strictEqual(cancelled, "CONFLICT")
    const { pagination, withdrawals } = await buyer.wallet.withdrawals()
    assert.deepStrictEqual(
      withdrawals.map(({ id }) => id),
      [made.id]
    )
    assert.deepStrictEqual(pagination, { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false })
  })

  it("purchases.list() has the documented defaults and shape, purchases.get() returns one of them (CLIENT-6)", async () => {
    const { licenseKey, purchaseId } = await buyer.skills.buy({ skillId: harness.items.skills.paid })
    const { pagination, purchases } = await buyer.purchases.list()
    assert.deepStrictEqual(pagination, { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false })
    const [purchase] = purchases
    assert.deepInclude(purchase, { id: purchaseId, amount: 10, fee: 0.5, currency: "USDT", licenseKey })
    assert.deepInclude(purchase?.skill, { id: harness.items.skills.paid, name: "Mail Sorter", slug: "mail-sorter" })
    assert.deepStrictEqual(await buyer.purchases.get(purchaseId), purchase)
    assert.deepStrictEqual((await buyer.purchases.list({ page: 2, limit: 1 })).purchases, [])
  })

  it("skills.list() accepts every documented option, and returns { skills, pagination } (CLIENT-7)", async () => {
    const all = await buyer.skills.list()
    assert.deepStrictEqual(all.pagination, { page: 1, limit: 20, total: 3, totalPages: 1, hasMore: false })
    const names = async (options: Parameters<typeof buyer.skills.list>[0]) =>
      (await buyer.skills.list(options)).skills.map(({ title }) => title)
    assert.deepStrictEqual(await names({ query: "mail" }), ["Mail Sorter"])
    assert.deepStrictEqual(await names({ category: "data" }), [])
    assert.deepStrictEqual(await names({ maxPrice: 9.5 }), ["Unit Converter"])
    assert.sameMembers(await names({ minPrice: 0.01, maxPrice: "10" }), ["Mail Sorter", "Daily Digest"])
    assert.strictEqual((await names({ sortBy: "price", sortOrder: "asc" }))[0], "Unit Converter")
    assert.lengthOf(await names({ sortBy: "newest", page: 2, limit: 2 }), 1)
    const [first] = all.skills
    assert.includeMembers(Object.keys(first ?? {}), ["id", "title", "shortDesc", "price", "rating", "thumbnailUrl"])
  })

  it("skills.buy() is { purchaseId, skillId, licenseKey, status }, immediately or after the owner's approval (CLIENT-8)", async () => {
    const { skills } = harness.items
    const bought = await buyer.skills.buy({ skillId: skills.free, autoInstall: false })
    assert.deepStrictEqual([bought.status, bought.skillId], ["completed", skills.free])
    assert.match(bought.licenseKey ?? "", /^(\w{5}-){4}\w{5}$/)

    await buyer.wallet.policy.change({ autoApproveThreshold: 5 })
    assert.strictEqual((await buyer.wallet.policy.get()).autoApproveThreshold, 5)
    const waiting = await buyer.skills.buy({ skillId: skills.paid })
    assert.deepStrictEqual([waiting.status, waiting.licenseKey], ["pending_approval", null])
    const [approval] = await buyer.approvals.list({ status: "pending" })
    assert.strictEqual(approval?.purchaseId, waiting.purchaseId)
    assert.strictEqual((await buyer.approvals.approve(approval?.id ?? "")).status, "approved")
    assert.strictEqual((await buyer.purchases.get(waiting.purchaseId)).status, "completed")
  })

  it("skills.create() returns the created skill (CLIENT-10)", async () => {
    const { createdAt, id, ...skill } = await seller.skills.create({
      name: "CSV Cleaner",
      description: "Cleans CSV files of any size.",
      price: 2.5,
      category: "Data",
      shortDesc: "Cleans CSV.",
      thumbnailUrl: "https://cdn.example.com/csv.png",
      currency: "USDT",
      pricingModel: "one_time"
    })
    assert.match(id, /^lst_/)
    assert.isFalse(Number.isNaN(Date.parse(createdAt)))
    assert.deepStrictEqual(skill, {
      slug: "csv-cleaner",
      title: "CSV Cleaner",
      description: "Cleans CSV files of any size.",
      price: "2.50",
      currency: "USDT",
      category: "data",
      status: "pending_review"
    })
    assert.strictEqual((await seller.skills.update(id, { price: 3 })).price, "3.00")
    assert.strictEqual((await seller.skills.get("csv-cleaner")).id, id)
    assert.deepStrictEqual(await seller.skills.delete(id), { id, deleted: true })
  })

  it("webhooks.create() subscribes; verifyWebhook accepts the deliveries (CLIENT-11)", async () => {
    const received: Array<{ body: string; headers: Record<string, string | Array<string> | undefined> }> = []
    const receiver = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
        response.end("ok")
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    try {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
      const secret = "a secret of the buyer's own"
      const webhook = await buyer.webhooks.create({ url, events: ["purchase.completed"], secret })
      assert.deepStrictEqual([webhook.url, webhook.status, webhook.secret], [url, "active", undefined])
      const delivery = await buyer.webhooks.test(webhook.id)
      assert.strictEqual(delivery.status, "delivered")
      const [first] = received
      const event = await verifyWebhook(first?.body ?? "", first?.headers ?? {}, secret)
      assert.strictEqual(event.event, "webhook.test")
      if (event.event === "webhook.test") assert.strictEqual(event.data.webhookId, webhook.id)

      assert.deepStrictEqual(
        (await buyer.webhooks.deliveries(webhook.id)).map(({ id }) => id),
        [delivery.id]
      )
      assert.strictEqual((await buyer.webhooks.update(webhook.id, { events: ["*"] })).events[0], "*")
      assert.match((await buyer.webhooks.rotateSecret(webhook.id)).secret, /^whsec_/)
      assert.strictEqual((await buyer.webhooks.get(webhook.id)).id, webhook.id)
      assert.strictEqual((await buyer.webhooks.replay(delivery.id)).id, delivery.id)
      assert.isNumber((await buyer.webhooks.recover(webhook.id, { since: "2020-01-01T00:00:00.000Z" })).recovered)
      assert.deepStrictEqual(await buyer.webhooks.delete(webhook.id), { id: webhook.id, deleted: true })
      assert.deepStrictEqual(await buyer.webhooks.list(), [])
    } finally {
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    }
  })
})

describe("the other operations", () => {
  it("a sale can be refunded, validated and reviewed", async () => {
    const { skills } = harness.items
    const { licenseKey, purchaseId } = await buyer.skills.buy({ skillId: skills.paid })
    const license = { licenseKey: licenseKey ?? "" }
    assert.isTrue((await seller.licenses.validate(license)).valid)
    assert.strictEqual((await buyer.skills.review(skills.paid, { rating: 5 })).rating, 5)
    assert.strictEqual((await buyer.listings.reviews(skills.paid)).reviews[0]?.rating, 5)
    assert.strictEqual((await seller.sales.list())[0]?.id, purchaseId)
    assert.strictEqual((await seller.purchases.refund(purchaseId)).status, "refunded")
    assert.isFalse((await seller.licenses.validate(license)).valid)
    const lines = await buyer.wallet.transactions()
    assert.deepStrictEqual(
      lines.map(({ amount, type }) => `${type} ${amount}`),
      ["refund 10.00", "purchase -10.00", "deposit 1000.00"]
    )
  })

  it("a SOUL is published, listed, changed, downloaded, deleted", async () => {
    const { slug } = await seller.souls.create({
      name: "Ada",
      description: "Somebody with a name.",
      content: soulText,
      tags: ["math", "poetry"]
    })
    const { pagination, souls } = await buyer.souls.list({ tags: ["poetry", "prose"] })
    assert.deepStrictEqual(pagination, { total: 1, limit: 50, offset: 0, hasMore: false })
    assert.strictEqual(souls[0]?.slug, slug)
    assert.strictEqual((await buyer.souls.get(slug)).soul.content, soulText)
    assert.strictEqual((await seller.souls.update(slug, { content: `${soulText}More.` })).version, 2)
    assert.strictEqual((await buyer.souls.download(slug)).content, `${soulText}More.`)
    assert.isTrue((await seller.souls.delete(slug)).deleted)
  })

  it("a listing is created, found by both names of the search parameter, changed, deleted", async () => {
    const { id, status } = await seller.listings.create({
      name: "Contract Reader",
      description: "Reads contracts and marks what is odd.",
      price: "12.00",
      category: "productivity",
      installUrl: "https://example.com/reader"
    })
    assert.strictEqual(status, "pending_review")
    for (const options of [{ query: "contract" }, { search: "contract" }, { creator: "me", minPrice: 11 } as const]) {
      const { listings, pagination } = await seller.listings.list(options)
      assert.deepStrictEqual(
        listings.map((listing) => listing.id),
        [id]
      )
      assert.deepStrictEqual(pagination, { page: 1, limit: 20, total: 1, pages: 1 })
    }
    assert.strictEqual((await seller.listings.update(id, { videoUrl: null, price: 13 })).price, 13)
    assert.strictEqual((await buyer.listings.get(id)).installUrl, null)
    assert.isTrue((await seller.listings.delete(id)).deleted)
  })

  it("keys, agents and their policies, account, subscriptions and feed", async () => {
    const agent = await buyer.agents.create({ name: "Shopper" })
    const { key, ...issued } = await buyer.keys.create({ name: "CI", scope: "BUYER", agentId: agent.id })
    const shopper = new Marketplace({ apiKey: key, baseUrl: harness.baseUrl })
    await buyer.agents.policy.change(agent.id, { perTransactionLimit: 10 })
    assert.strictEqual((await shopper.agents.policy.get(agent.id)).perTransactionLimit, 10)
    await shopper.skills.buy({ skillId: harness.items.skills.subscription })
    const [subscription] = await buyer.subscriptions.list()
    assert.strictEqual(subscription?.price, 10)
    assert.isTrue((await buyer.subscriptions.cancel(subscription?.id ?? "")).cancelAtPeriodEnd)
    const renewed = await buyer.keys.rotate(issued.id, { graceSeconds: 0 })
    assert.strictEqual(renewed.agentId, agent.id)
    assert.strictEqual((await buyer.keys.deactivate(renewed.id)).status, "deactivated")
    assert.strictEqual((await buyer.account.update({ name: "Grace" })).name, "Grace")
    assert.strictEqual((await buyer.account.get()).name, "Grace")
    const { activities, stats } = await buyer.activity.live({ limit: 1 })
    assert.deepStrictEqual([activities.length, stats.tradesLast24h], [1, 1])
  })

  it("an id is one segment of the path, whatever it contains; an empty one sends no request", async () => {
    const ids = ["", ".", ".."]
    for (const id of ids) {
      const thrown = await buyer.purchases.get(id).catch((error: unknown) => error)
      assert.instanceOf(thrown, TypeError)
    }
    const thrown = (await buyer.skills.get("../wallet/balance?x=#/..").catch((error: unknown) => error)) as {
      statusCode: number
    }
    assert.strictEqual(thrown.statusCode, 404)
  })
})
