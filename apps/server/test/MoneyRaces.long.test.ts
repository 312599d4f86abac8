import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf, makeClient } from "./fixtures/Client.ts"
import type { Client, Reply } from "./fixtures/Client.ts"
import { openLocks } from "./fixtures/DatabaseLocks.ts"
import type { DatabaseLocks } from "./fixtures/DatabaseLocks.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "./fixtures/Market.ts"
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
  let locks: DatabaseLocks

  beforeAll(async () => {
    const url = await createDatabase()
    const env = { DATABASE_URL: url, LISTING_REVIEW: "auto", TEST_CLOCK: "true" }
    locks = await openLocks(url)
    servers = await Promise.all([startServer(env), startServer(env)])
    market = onMarket(servers[0]!.baseUrl, { testClock: true })
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await locks?.close()
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

  it("no purchase of an item is made after its quarantine has returned, with buyers at full speed (QUARANTINE-1)", async () => {
    const seller = await market.member({ seller: true })
    const buyers = await Promise.all(times(40, () => market.fundedMember(10)))
    for (const skillId of await Promise.all(
      times(3, (round) => market.listing(seller, `Bought while quarantining ${round}`, 2))
    )) {
      const buys = buyers.map((buyer, i) => turns(buyer.key)(i).post("/api/v1/purchases", { skillId }))
      const path = `/api/v1/admin/items/${skillId}/quarantine`
      dataOf(await market.operator.post(path, { reason: "reported" }))
      const sold = async () =>
        dataOf<ReadonlyArray<unknown>>(await market.operator.get(`/api/v1/admin/purchases?item=${skillId}&limit=100`))
      const before = (await sold()).length
      const replies = await Promise.all(buys)
      assert.strictEqual((await sold()).length, before)
      for (const reply of replies) assert.include(["201", "LISTING_NOT_FOUND"], codeOf(reply), reply.text)
      assert.strictEqual(replies.filter(({ status }) => status === 201).length, before)
    }
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

  describe("in an order that a held lock determines", () => {
    afterEach(() => locks.release())

    /**
     * Sends requests with one key whose settlements wait for a held lock, and returns once all of them have passed the check of their caller.
     */
    const inFlight = async (key: string, requests: ReadonlyArray<(client: Client) => Promise<Reply>>) => {
      const replies = Promise.all(requests.map((request, i) => request(turns(key)(i))))
      await locks.blocked(Math.min(requests.length, servers.length))
      // A process reads requests in the order in which they arrive, and these are the last.
      for (const i of servers.keys()) dataOf(await turns(key)(i).get("/api/v1/account"))
      return { replies }
    }

    const purchaseOf = (skillId: string, more: object = {}) => {
      const body = { skillId, ...more }
      return (client: Client) => client.post("/api/v1/purchases", body)
    }

    const freeze = ({ id }: Member) => market.operator.post(`/api/v1/admin/accounts/${id}/freeze`, { reason: "stolen" })

    it("50 purchases that wait while their buyer is frozen are all refused (OPERATOR-8)", async () => {
      const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(500)])
      const all = await items(seller, "Frozen in flight", 50, 2)
      await locks.holdWallets([buyer.id])
      const { replies } = await inFlight(
        buyer.key,
        all.map((skillId) => purchaseOf(skillId))
      )
      const frozen = freeze(buyer)
      await locks.frozen(buyer.id)
      await locks.release()
      for (const reply of await replies) assert.strictEqual(codeOf(reply), "ACCOUNT_FROZEN", reply.text)
      dataOf(await frozen)
      assert.deepInclude(await market.balanceOf(buyer), { balance: 500, availableBalance: 500 })
    })

    it("50 purchases of an agent that wait while the agent is frozen are all refused (AGENT-8)", async () => {
      const [seller, owner] = await Promise.all([market.member({ seller: true }), market.fundedMember(500)])
      const { id: agentId } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Shopper" }), 201)
      const { key } = dataOf<IssuedKey>(
        await owner.post("/api/v1/keys", { name: "its key", scope: "FULL", agentId }),
        201
      )
      const all = await items(seller, "Frozen with its agent", 50, 2)
      await locks.holdWallets([owner.id])
      const { replies } = await inFlight(
        key,
        all.map((skillId) => purchaseOf(skillId))
      )
      const frozen = owner.post(`/api/v1/agents/${agentId}/freeze`, { reason: "it ran away" })
      await locks.frozen(agentId)
      await locks.release()
      for (const reply of await replies) assert.strictEqual(codeOf(reply), "AGENT_FROZEN", reply.text)
      dataOf(await frozen)
      assert.strictEqual((await market.balanceOf(owner)).balance, 500)
    })

    it("50 purchases that wait while the seller is frozen are all refused (OPERATOR-8, LISTING-23)", async () => {
      const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(500)])
      const all = await items(seller, "Sold in flight", 50, 2)
      await locks.holdWallets([buyer.id])
      const { replies } = await inFlight(
        buyer.key,
        all.map((skillId) => purchaseOf(skillId))
      )
      const frozen = freeze(seller)
      await locks.frozen(seller.id)
      await locks.release()
      for (const reply of await replies) assert.strictEqual(codeOf(reply), "LISTING_NOT_FOUND", reply.text)
      dataOf(await frozen)
      assert.strictEqual((await market.balanceOf(seller)).totalEarned, 0)
    })

    it("a freeze returns only after the sales that were decided before it are committed (OPERATOR-8)", async () => {
      const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(10)])
      const [skillId = ""] = await items(seller, "Decided before", 1, 2)
      // The sale is decided, and waits only to be added to the trades of its minute.
      await locks.hold("LOCK TABLE trade_minutes IN SHARE MODE")
      const sale = buyer.post("/api/v1/purchases", { skillId })
      await locks.blocked(1)
      let returned = false
      const frozen = freeze(seller).finally(() => (returned = true))
      await locks.frozen(seller.id)
      await waitFor("the freeze waits for open transactions", async () => returned || locks.hasRun("backend_xid::text"))
      assert.isFalse(returned, "the sale may still be committed")
      await locks.release()
      dataOf(await sale, 201)
      dataOf(await frozen)
    })

    it("a quarantine returns only after the sales that were decided before it are committed (QUARANTINE-1)", async () => {
      const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(10)])
      const [skillId = ""] = await items(seller, "Decided before a quarantine", 1, 2)
      await locks.hold("LOCK TABLE trade_minutes IN SHARE MODE")
      const sale = buyer.post("/api/v1/purchases", { skillId })
      await locks.blocked(1)
      let returned = false
      const quarantined = market.operator
        .post(`/api/v1/admin/items/${skillId}/quarantine`, { reason: "reported" })
        .finally(() => (returned = true))
      await waitFor("the item is quarantined", async () => (await buyer.get(`/v1/listings/${skillId}`)).status === 404)
      await waitFor(
        "the quarantine waits for open transactions",
        async () => returned || locks.hasRun("backend_xid::text")
      )
      assert.isFalse(returned, "the sale may still be committed")
      await locks.release()
      dataOf(await sale, 201)
      dataOf(await quarantined)
      const late = await (await market.fundedMember(10)).post("/api/v1/purchases", { skillId })
      failureOf(late, 404, "LISTING_NOT_FOUND")
    })

    it("purchases with maxPrice or pricingModel that wait while both change are refused (BUY-4, BUY-5, BUY-6)", async () => {
      const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(2000)])
      const all = await items(seller, "Changed in flight", 10, 2)
      await locks.holdWallets([buyer.id])
      const { replies } = await inFlight(
        buyer.key,
        all.map((skillId, i) => purchaseOf(skillId, i < 5 ? { maxPrice: 2 } : { pricingModel: "one_time" }))
      )
      const change = (i: number) => (i < 5 ? { price: 900 } : { pricingModel: "subscription" })
      await Promise.all(
        all.map(async (skillId, i) => dataOf(await turns(seller.key)(i).patch(`/api/v1/skills/${skillId}`, change(i))))
      )
      await locks.release()
      for (const reply of await replies) assert.strictEqual(codeOf(reply), "PRICE_CHANGED", reply.text)
      assert.strictEqual((await market.balanceOf(buyer)).balance, 2000)
    })

    describe("approval, expiry and freeze of one pending purchase", () => {
      const price = 3

      const pending = async (name: string) => {
        const [seller, owner] = await Promise.all([market.member({ seller: true }), market.fundedMember(10)])
        dataOf(await owner.patch("/api/v1/wallet/policy", { autoApprove: false }))
        const [skillId, another] = await items(seller, name, 2, price)
        const { purchaseId } = dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId }), 201)
        const [approval] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/approvals?status=pending"))
        await market.advance(7 * day - 60)
        // A later one that stays pending: its hold is what a second release would take.
        dataOf(await owner.post("/api/v1/purchases", { skillId: another }), 201)
        await locks.holdWallets([owner.id])
        return {
          owner,
          approve: (i: number) => turns(owner.key)(i).post(`/api/v1/approvals/${approval!.id}/approve`),
          /** Moves the time past the expiry, and waits until the job that expires approvals is the next in the queue. */
          expire: async (blockedBefore: number) => {
            await market.advance(120)
            await locks.blocked(blockedBefore + 1)
          },
          /** Returns when every approval that is due has been decided. */
          ended: async (state: object, balance: number, lockedBalance: number) => {
            await waitFor("nothing is due", async () => {
              const waiting = dataOf<ReadonlyArray<object>>(await owner.get("/api/v1/approvals?status=pending"))
              return waiting.length === lockedBalance / price
            })
            assert.deepInclude(dataOf<object>(await owner.get(`/api/v1/purchases/${purchaseId}`)), state)
            assert.deepInclude(await market.balanceOf(owner), { balance, lockedBalance })
            await market.assertBalanced()
          }
        }
      }

      it("the approval that is first completes it; a second one and the expiry change nothing (APPROVAL-3, APPROVAL-5)", async () => {
        const { approve, ended, expire } = await pending("Approved first")
        const first = approve(0)
        await locks.blocked(1)
        const second = approve(1)
        await locks.blocked(2)
        await expire(2)
        await locks.release()
        assert.deepStrictEqual([codeOf(await first), codeOf(await second)], ["200", "CONFLICT"])
        await locks.idle()
        await ended({ status: "completed" }, 10 - price, price)
      })

      it("the expiry that is first ends it; an approval and the rejection by a freeze change nothing (APPROVAL-5, OPERATOR-8)", async () => {
        const { approve, ended, expire, owner } = await pending("Expired first")
        await expire(0)
        const approved = approve(1)
        await locks.blocked(2)
        const frozen = freeze(owner)
        await locks.frozen(owner.id)
        await locks.blocked(3)
        await locks.release()
        assert.strictEqual(codeOf(await approved), "CONFLICT")
        dataOf(await frozen)
        await ended({ status: "failed", failureReason: "expired" }, 10, 0)
      })

      it("the freeze that is first rejects it; an approval that was already checked and the expiry change nothing (OPERATOR-8)", async () => {
        const { approve, ended, expire, owner } = await pending("Frozen first")
        const approved = approve(1)
        await locks.blocked(1)
        const frozen = freeze(owner)
        await locks.frozen(owner.id)
        await locks.blocked(2)
        await expire(2)
        await locks.release()
        assert.strictEqual(codeOf(await approved), "ACCOUNT_FROZEN")
        dataOf(await frozen)
        await ended({ status: "failed", failureReason: "frozen" }, 10, 0)
      })
    })

    describe("refund and release of the same proceeds", () => {
      const sold = async (name: string) => {
        const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(10)])
        const [skillId] = await items(seller, name, 1, 10)
        const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
        await market.fund(seller, 20)
        assert.deepInclude(await market.balanceOf(seller), { balance: 29.5, lockedBalance: 9.5 })
        await locks.holdWallets([seller.id])
        return {
          refund: (i: number) => turns(seller.key)(i).post(`/api/v1/purchases/${purchaseId}/refund`),
          /** Moves the time past the escrow, and waits until the job that releases proceeds is the next in the queue. */
          releaseDue: async (blockedBefore: number) => {
            await market.advance(7 * day)
            await locks.blocked(blockedBefore + 1)
          },
          paidOnce: async () => {
            await waitFor("nothing is locked", async () => (await market.balanceOf(seller)).lockedBalance === 0)
            assert.deepInclude(await market.balanceOf(seller), { balance: 20, availableBalance: 20 })
            assert.strictEqual((await market.balanceOf(buyer)).balance, 10)
            await market.assertBalanced()
          }
        }
      }

      it("the refund that is first takes the proceeds; a second one and the release find nothing (ESCROW-2, REFUND-6)", async () => {
        const { paidOnce, refund, releaseDue } = await sold("Refunded first")
        const first = refund(0)
        await locks.blocked(1)
        const second = refund(1)
        await locks.blocked(2)
        await releaseDue(2)
        await locks.release()
        assert.deepStrictEqual([codeOf(await first), codeOf(await second)], ["200", "CONFLICT"])
        await paidOnce()
      })

      it("after a release that is first, the refund takes the available balance (ESCROW-2, REFUND-6)", async () => {
        const { paidOnce, refund, releaseDue } = await sold("Released first")
        await releaseDue(0)
        const refunded = refund(1)
        await locks.blocked(2)
        await locks.release()
        assert.strictEqual(codeOf(await refunded), "200")
        await paidOnce()
      })
    })
  })
})
