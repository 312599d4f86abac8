import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { dataOf, failureOf, makeClient } from "./fixtures/Client.ts"
import type { Client, Reply } from "./fixtures/Client.ts"
import { openDatabase } from "./fixtures/DatabaseReader.ts"
import type { DatabaseReader } from "./fixtures/DatabaseReader.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

const count = (replies: ReadonlyArray<Reply>, status: number): number =>
  replies.filter((reply) => reply.status === status).length

describe("two server processes with one database", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  let seller: Member
  let database: DatabaseReader

  beforeAll(async () => {
    const url = await createDatabase()
    const env = { DATABASE_URL: url, LISTING_REVIEW: "auto", TEST_CLOCK: "true" }
    database = await openDatabase(url)
    servers = await Promise.all([startServer(env), startServer(env)])
    market = onMarket(servers[0]!.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })
  afterAll(async () => {
    await database?.close()
    await Promise.all(servers.map((server) => server.stop()))
  })

  /** Uses the same key on the processes in turn. */
  const turns = (key: string): ((i: number) => Client) => {
    const clients = servers.map(({ baseUrl }) => makeClient(baseUrl, key))
    return (i) => clients[i % clients.length]!
  }

  const listings = async (name: string, n: number, price: number): Promise<ReadonlyArray<string>> => {
    const made: Array<string> = []
    for (let i = 0; i < n; i += 10) {
      const some = times(Math.min(10, n - i), (k) => market.listing(seller, `${name} ${i + k}`, price))
      made.push(...(await Promise.all(some)))
    }
    return made
  }

  it("50 concurrent purchases of one item by one buyer result in one sale (BUY-14)", async () => {
    const buyer = await market.fundedMember(500)
    const on = turns(buyer.key)
    for (const skillId of await listings("Wanted once", 3, 7)) {
      const replies = await Promise.all(times(50, (i) => on(i).post("/api/v1/purchases", { skillId })))
      assert.deepStrictEqual([count(replies, 201), count(replies, 409)], [1, 49])
      const { purchaseId } = dataOf<Purchase>(
        replies.find(({ status }) => status === 201)!,
        201
      )
      for (const reply of replies.filter(({ status }) => status === 409)) {
        assert.deepStrictEqual(failureOf(reply, 409, "ALREADY_PURCHASED"), { purchaseId })
      }
    }
    assert.strictEqual((await market.balanceOf(buyer)).balance, 500 - 21)
    await market.assertBalanced()
  })

  it("of 50 concurrent purchases exactly the 10 that the balance covers complete", async () => {
    const buyer = await market.fundedMember(30)
    const on = turns(buyer.key)
    const items = await listings("Ten of fifty", 50, 3)
    const replies = await Promise.all(items.map((skillId, i) => on(i).post("/api/v1/purchases", { skillId })))
    assert.deepStrictEqual([count(replies, 201), count(replies, 402)], [10, 40])
    assert.deepInclude(await market.balanceOf(buyer), { balance: 0, totalSpent: 30 })
    await market.assertBalanced()
  })

  it("a daily limit for 7 purchases allows exactly 7", async () => {
    const buyer = await market.fundedMember(100)
    dataOf(await buyer.patch("/api/v1/wallet/policy", { dailyLimit: 14.99 }))
    const on = turns(buyer.key)
    const items = await listings("Seven of forty", 40, 2)
    const replies = await Promise.all(items.map((skillId, i) => on(i).post("/api/v1/purchases", { skillId })))
    assert.deepStrictEqual([count(replies, 201), count(replies, 403)], [7, 33])
    for (const reply of replies.filter(({ status }) => status === 403)) {
      assert.strictEqual(failureOf(reply, 403, "SPENDING_LIMIT_EXCEEDED")["limit"], "daily")
    }
    assert.strictEqual((await market.balanceOf(buyer)).balance, 86)
    await market.assertBalanced()
  })

  it("20 concurrent requests with one Idempotency-Key make one purchase and get 20 equal responses (IDEMPOTENCY-3)", async () => {
    const buyer = await market.fundedMember(100)
    const on = turns(buyer.key)
    for (const [i, skillId] of (await listings("One of twenty", 4, 5)).entries()) {
      const key = { "idempotency-key": `race-${i}` }
      const replies = await Promise.all(times(20, (n) => on(n).post("/api/v1/purchases", { skillId }, key)))
      assert.strictEqual(count(replies, 201), 20, replies.map(({ text }) => text).join("\n"))
      assert.strictEqual(new Set(replies.map(({ text }) => text)).size, 1)
      const replayed = replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")
      assert.strictEqual(replayed.length, 19)
    }
    assert.strictEqual((await market.balanceOf(buyer)).balance, 80)
    await market.assertBalanced()
  })

  it("20 concurrent requests with one Idempotency-Key make one withdrawal", async () => {
    const owner = await market.fundedMember(100)
    const on = turns(owner.key)
    const wish = { amount: 5, destinationAddress: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC" }
    const key = { "idempotency-key": "race-withdrawal" }
    const replies = await Promise.all(times(20, (n) => on(n).post("/api/v1/wallet/withdrawals", wish, key)))
    assert.strictEqual(count(replies, 201), 20, replies[0]?.text)
    assert.strictEqual(new Set(replies.map((reply) => dataOf<{ id: string }>(reply, 201).id)).size, 1)
    const { withdrawals } = dataOf<{ withdrawals: ReadonlyArray<unknown> }>(
      await owner.get("/api/v1/wallet/withdrawals")
    )
    assert.strictEqual(withdrawals.length, 1)
    assert.strictEqual((await market.balanceOf(owner)).availableBalance, 94)
  })

  it("20 concurrent refunds of one purchase refund it once", async () => {
    const buyer = await market.fundedMember(10)
    const [skillId] = await listings("Refunded once", 1, 10)
    const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const on = turns(seller.key)
    const replies = await Promise.all(times(20, (n) => on(n).post(`/api/v1/purchases/${purchaseId}/refund`)))
    assert.deepStrictEqual([count(replies, 200), count(replies, 409)], [1, 19])
    assert.strictEqual((await market.balanceOf(buyer)).balance, 10)
    await market.assertBalanced()
  })

  it("20 concurrent decisions on one approval decide it once", async () => {
    const buyer = await market.fundedMember(50)
    dataOf(await buyer.patch("/api/v1/wallet/policy", { autoApprove: false }))
    const [skillId] = await listings("Decided once", 1, 10)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const [approval] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/approvals?status=pending"))
    const on = turns(buyer.key)
    const replies = await Promise.all(
      times(20, (n) => on(n >> 1).post(`/api/v1/approvals/${approval!.id}/${n % 2 === 0 ? "approve" : "reject"}`))
    )
    assert.deepStrictEqual([count(replies, 200), count(replies, 409)], [1, 19])
    const approved = replies.findIndex(({ status }) => status === 200) % 2 === 0
    assert.deepInclude(await market.balanceOf(buyer), { balance: approved ? 40 : 50, lockedBalance: 0 })
    await market.assertBalanced()
  })

  it("100 concurrent souls of one name get 100 slugs that no other name uses (TEXT-6)", async () => {
    const on = turns(seller.key)
    for (const n of [7, 50]) await market.soul(seller, `Popular Name ${n}`)
    const body = {
      name: "Popular Name",
      description: "One of a hundred souls.",
      content: "# SOUL\n"
    }
    const replies = await Promise.all(times(100, (i) => on(i).post("/api/v1/souls/create", body)))
    assert.strictEqual(count(replies, 201), 100, replies.find(({ status }) => status !== 201)?.text)
    const slugs = replies.map(({ body }) => (body as { slug: string }).slug)
    const suffixes = times(101, (i) => i + 2).filter((n) => n !== 7 && n !== 50)
    assert.sameMembers(slugs, ["popular-name", ...suffixes.map((n) => `popular-name-${n}`)])
  })

  it("a key deactivated on one process is immediately refused by the other (KEY-6)", async () => {
    for (let round = 0; round < 5; round++) {
      const made = dataOf<IssuedKey>(await seller.post("/api/v1/keys", { name: "short", scope: "READ" }), 201)
      const on = turns(made.key)
      for (const i of [0, 1, 0, 1]) assert.strictEqual((await on(i).get("/api/v1/account")).status, 200)
      dataOf(await turns(seller.key)(round).delete(`/api/v1/keys/${made.id}`))
      failureOf(await on(round).get("/api/v1/account"), 401, "INVALID_API_KEY")
      // "Immediately" means after one notification, far less than the lifetime of a cache entry.
      await waitFor(
        "the other process refuses",
        async () => (await on(round + 1).get("/api/v1/account")).status === 401,
        500
      )
      for (const i of [0, 1, 0, 1]) failureOf(await on(i).get("/api/v1/account"), 401, "INVALID_API_KEY")
    }
  })

  it("a new policy applies to the next purchase on the other process", async () => {
    const buyer = await market.fundedMember(50)
    const on = turns(buyer.key)
    const items = await listings("Under a policy", 6, 4)
    for (const [i, skillId] of items.entries()) {
      const allowed = i % 2 === 0
      dataOf(await on(i).patch("/api/v1/wallet/policy", { perTransactionLimit: allowed ? 4 : 3 }))
      const reply = await on(i + 1).post("/api/v1/purchases", { skillId })
      assert.strictEqual(reply.status, allowed ? 201 : 403, reply.text)
    }
  })

  it("purchases of one item by twenty buyers, and refunds, keep the ledger balanced", async () => {
    const [skillId] = await listings("Viral", 1, 2)
    const buyers = await Promise.all(times(20, () => market.fundedMember(4)))
    const bought = await Promise.all(
      buyers.map((buyer, i) => turns(buyer.key)(i).post("/api/v1/purchases", { skillId }))
    )
    assert.strictEqual(count(bought, 201), 20)
    const on = turns(seller.key)
    const refunds = await Promise.all(
      bought.slice(0, 10).map((reply, i) => {
        const { purchaseId } = dataOf<Purchase>(reply, 201)
        return on(i).post(`/api/v1/purchases/${purchaseId}/refund`)
      })
    )
    assert.strictEqual(count(refunds, 200), 10)
    await market.assertBalanced()
  })

  it("a hundred concurrent listings of one seller are all created, without a deadlock", async () => {
    const on = turns(seller.key)
    const replies = await Promise.all(
      times(100, (i) => on(i).post("/v1/listings", listingDraft(`Simultaneous ${i % 50}`, 2)))
    )
    assert.strictEqual(count(replies, 201), 100, replies.find(({ status }) => status !== 201)?.text)
    const own = await seller.get("/v1/listings?creator=me&limit=100&search=simultaneous")
    assert.strictEqual((own.body as { pagination: { total: number } }).pagination.total, 100)
    assert.strictEqual(await database.deadlocks(), 0)
  })
})
