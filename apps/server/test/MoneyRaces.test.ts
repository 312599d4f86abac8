import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, makeClient } from "./fixtures/Client.ts"
import type { Client, Reply } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member, Purchase } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const day = 86_400

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

const codeOf = (reply: Reply): string =>
  (reply.body as { error?: { code?: string } }).error?.code ?? String(reply.status)

interface Listed {
  readonly purchases: ReadonlyArray<{ readonly id: string; readonly amount: number; readonly status: string }>
}

describe("two server processes with one database: concurrent changes of the same money", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market

  beforeAll(async () => {
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", TEST_CLOCK: "true" }
    servers = await Promise.all([startServer(env), startServer(env)])
    market = onMarket(servers[0]!.baseUrl, { testClock: true })
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await Promise.all(servers.map((server) => server.stop()))
  })

  /** Uses the same key on the processes in turn. */
  const turns = (key: string): ((i: number) => Client) => {
    const clients = servers.map(({ baseUrl }) => makeClient(baseUrl, key))
    return (i) => clients[i % clients.length]!
  }

  const items = async (seller: Member, name: string, n: number, price: number): Promise<ReadonlyArray<string>> => {
    const made: Array<string> = []
    for (let i = 0; i < n; i += 10) {
      made.push(...(await Promise.all(times(10, (k) => market.listing(seller, `${name} ${i + k}`, price)))))
    }
    return made
  }

  const listOf = async (of: Client) => dataOf<Listed>(await of.get("/api/v1/purchases?limit=100")).purchases

  it("no purchase is made after the freeze of its buyer has returned, with 50 purchases in flight (OPERATOR-8)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(500)])
    const on = turns(buyer.key)
    const all = await items(seller, "Bought while freezing", 50, 2)
    const buys = all.map((skillId, i) => on(i).post("/api/v1/purchases", { skillId }))
    dataOf(await market.operator.post(`/api/v1/admin/accounts/${buyer.id}/freeze`, { reason: "stolen" }))
    const before = (await listOf(buyer)).length
    const replies = await Promise.all(buys)
    assert.strictEqual((await listOf(buyer)).length, before)
    for (const reply of replies) assert.include(["201", "ACCOUNT_FROZEN"], codeOf(reply), reply.text)
    assert.strictEqual((await market.balanceOf(buyer)).balance, 500 - 2 * before)
  })

  it("no item of a seller is sold after the seller's freeze has returned, with 50 purchases in flight (OPERATOR-8)", async () => {
    const seller = await market.member({ seller: true })
    const buyers = await Promise.all(times(5, () => market.fundedMember(100)))
    const all = await items(seller, "Sold while freezing", 50, 2)
    const buys = all.map((skillId, i) => turns(buyers[i % 5]!.key)(i).post("/api/v1/purchases", { skillId }))
    dataOf(await market.operator.post(`/api/v1/admin/accounts/${seller.id}/freeze`, { reason: "stolen" }))
    const before = await market.balanceOf(seller)
    const replies = await Promise.all(buys)
    assert.deepStrictEqual(await market.balanceOf(seller), before)
    for (const reply of replies) assert.include(["201", "LISTING_NOT_FOUND"], codeOf(reply), reply.text)
  })

  it("a buyer that stated the old price never pays a price that is raised concurrently (BUY-4, BUY-6)", async () => {
    const seller = await market.member({ seller: true })
    const buyers = await Promise.all(times(10, () => market.fundedMember(2000)))
    for (const [round, skillId] of (await items(seller, "Raised concurrently", 10, 2)).slice(0, 3).entries()) {
      const buys = buyers.map((buyer, i) =>
        turns(buyer.key)(i + round).post("/api/v1/purchases", { skillId, maxPrice: 2 })
      )
      const changed = turns(seller.key)(round).patch(`/api/v1/skills/${skillId}`, { price: 900 })
      const replies = await Promise.all(buys)
      dataOf(await changed)
      for (const reply of replies) assert.include(["201", "PRICE_CHANGED"], codeOf(reply), reply.text)
      const late = await turns(buyers[0]!.key)(round).post("/api/v1/purchases", { skillId, maxPrice: 2 })
      assert.include(["PRICE_CHANGED", "ALREADY_PURCHASED"], codeOf(late))
    }
    for (const buyer of buyers) for (const { amount } of await listOf(buyer)) assert.strictEqual(amount, 2)
  })

  it("concurrent approval, expiry and freeze end each purchase in exactly one way (APPROVAL-3, APPROVAL-5, OPERATOR-8)", async () => {
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(100)
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApprove: false }))
    const all = (await items(seller, "Decided concurrently", 10, 3)).slice(0, 8)
    const bought = await Promise.all(
      all.map(async (skillId) => dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId }), 201))
    )
    const approvals = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/approvals?status=pending"))
    assert.strictEqual(approvals.length, 8)
    await market.advance(7 * day - 1)
    const on = turns(owner.key)
    const decisions = approvals.flatMap(({ id }, i) =>
      times(2, (n) => on(i + n).post(`/api/v1/approvals/${id}/approve`))
    )
    const frozen = market.operator.post(`/api/v1/admin/accounts/${owner.id}/freeze`, { reason: "stolen" })
    const expired = market.advance(2)
    for (const reply of await Promise.all(decisions)) {
      assert.include(["200", "CONFLICT", "ACCOUNT_FROZEN"], codeOf(reply), reply.text)
    }
    dataOf(await frozen)
    await expired
    const records = await Promise.all(
      bought.map(async ({ purchaseId }) =>
        dataOf<{ status: string; failureReason: string | null }>(await owner.get(`/api/v1/purchases/${purchaseId}`))
      )
    )
    const completed = records.filter(({ status }) => status === "completed").length
    for (const { failureReason, status } of records) {
      assert.include(["completed", "failed"], status)
      if (status === "failed") assert.include(["frozen", "expired"], failureReason)
    }
    assert.deepInclude(await market.balanceOf(owner), { balance: 100 - 3 * completed, lockedBalance: 0 })
  })

  it("refunds during the release of the same proceeds pay each amount once (ESCROW-2, REFUND-6)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    const all = await items(seller, "Refunded when due", 20, 2)
    const bought = await Promise.all(
      all.map(async (skillId) => dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201))
    )
    assert.deepInclude(await market.balanceOf(seller), { balance: 38, lockedBalance: 38 })
    const on = turns(seller.key)
    const advanced = market.advance(7 * day)
    const refunds = bought
      .slice(0, 15)
      .flatMap(({ purchaseId }, i) => times(2, (n) => on(i + n).post(`/api/v1/purchases/${purchaseId}/refund`)))
    const replies = await Promise.all(refunds)
    await advanced
    assert.strictEqual(replies.filter(({ status }) => status === 200).length, 15)
    await waitFor("the rest is released", async () => (await market.balanceOf(seller)).lockedBalance === 0)
    assert.deepInclude(await market.balanceOf(seller), { balance: 9.5, availableBalance: 9.5 })
    assert.strictEqual((await market.balanceOf(buyer)).balance, 90)
  })
})
