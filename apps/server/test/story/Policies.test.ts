import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

const unlimited = {
  autoApprove: true,
  autoApproveThreshold: null,
  perTransactionLimit: null,
  dailyLimit: null,
  weeklyLimit: null,
  monthlyLimit: null,
  allowedCategories: null,
  blockedSellers: null
}

const path = "/api/v1/wallet/policy"

describe("spending policies and budgets", () => {
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

  const issuesOf = (refused: Readonly<Record<string, unknown>>) => refused["issues"]

  /** An agent of the owner, and the agent's key. */
  const agentOf = async (owner: Member) => {
    const { id } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Buyer" }), 201)
    const { key } = dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "b", scope: "BUYER", agentId: id }), 201)
    return { id, client: makeClient(server.baseUrl, key) }
  }

  it("a PUT with a misspelt or missing field is refused by name and leaves every limit in force (POLICY-4, POLICY-6)", async () => {
    const owner = await market.fundedMember(50)
    const { id } = await agentOf(owner)
    const limited = { ...unlimited, dailyLimit: 5 }
    for (const at of [path, `/api/v1/agents/${id}/policy`]) {
      dataOf(await owner.put(at, limited))
      const { dailyLimit: _, ...without } = limited
      const misspelt = failureOf(await owner.put(at, { ...without, dailylimit: 100 }), 400, "VALIDATION_ERROR")
      assert.sameDeepMembers(issuesOf(misspelt) as Array<unknown>, [
        { path: "dailylimit", message: "is not a known field" },
        { path: "dailyLimit", message: "is required" }
      ])
      failureOf(await owner.put(at, {}), 400, "VALIDATION_ERROR")
      assert.deepStrictEqual(
        issuesOf(failureOf(await owner.patch(at, { dailylimit: null }), 400, "VALIDATION_ERROR")),
        [{ path: "dailylimit", message: "is not a known field" }]
      )
      assert.deepStrictEqual(dataOf(await owner.get(at)), limited)
    }
    const skillId = await market.listing(seller, "Over the limit", 6)
    failureOf(await owner.post("/api/v1/purchases", { skillId }), 403, "SPENDING_LIMIT_EXCEEDED")
  })

  it("a PATCH changes only the given fields, and is checked together with the limits in force (POLICY-4, POLICY-5)", async () => {
    const owner = await market.member()
    dataOf(await owner.put(path, { ...unlimited, dailyLimit: 10, weeklyLimit: 20 }))
    const changed = dataOf(await owner.patch(path, { perTransactionLimit: 5, blockedSellers: [seller.id] }))
    assert.deepStrictEqual(changed, {
      ...unlimited,
      perTransactionLimit: 5,
      dailyLimit: 10,
      weeklyLimit: 20,
      blockedSellers: [seller.id]
    })
    const refused = failureOf(await owner.patch(path, { dailyLimit: 21 }), 400, "VALIDATION_ERROR")
    assert.deepStrictEqual(issuesOf(refused), [{ path: "weeklyLimit", message: "must be at least dailyLimit" }])
    assert.deepStrictEqual(dataOf(await owner.get(path)), changed)
    assert.deepInclude(dataOf<object>(await owner.patch(path, { dailyLimit: null })), {
      dailyLimit: null,
      weeklyLimit: 20
    })
  })

  it("claiming with a policy that has an unknown field is refused: the agent stays unclaimed (POLICY-6)", async () => {
    const owner = await market.member()
    const made = dataOf<{ claimCode: string }>(
      await makeClient(server.baseUrl).post("/api/v1/agents/register", { name: "Stray" }),
      201
    )
    const policy = { ...unlimited, dailyLimits: 5 }
    const refused = failureOf(
      await owner.post("/api/v1/agents/claim", { claimCode: made.claimCode, policy, comment: "ignored" }),
      400,
      "VALIDATION_ERROR"
    )
    assert.deepStrictEqual(issuesOf(refused), [{ path: "policy.dailyLimits", message: "is not a known field" }])
    dataOf(
      await owner.post("/api/v1/agents/claim", { claimCode: made.claimCode, policy: unlimited, comment: "ignored" })
    )
  })

  it("a budget shows the rule with less remaining, to the owner and to the agent itself (BUDGET-1, BUDGET-2, BUDGET-3)", async () => {
    const owner = await market.fundedMember(100)
    const { client, id } = await agentOf(owner)
    const none = { daily: null, weekly: null, monthly: null, perTransaction: null, autoApproveThreshold: null }
    assert.deepStrictEqual(dataOf(await owner.get("/api/v1/wallet/budget")), none)
    dataOf(await owner.put(path, { ...unlimited, autoApproveThreshold: 9, dailyLimit: 10, monthlyLimit: 40 }))
    dataOf(await owner.put(`/api/v1/agents/${id}/policy`, { ...unlimited, perTransactionLimit: 8, dailyLimit: 8 }))
    dataOf(await owner.post("/api/v1/purchases", { skillId: await market.listing(seller, "Budget one", 7) }), 201)
    dataOf(await client.post("/api/v1/purchases", { skillId: await market.listing(seller, "Budget two", 2) }), 201)
    const monthly = { limit: 40, spent: 9, remaining: 31 }
    const owners = { daily: { limit: 10, spent: 9, remaining: 1 }, weekly: null, monthly, perTransaction: null }
    assert.deepStrictEqual(dataOf(await owner.get("/api/v1/wallet/budget")), { ...owners, autoApproveThreshold: 9 })
    const agents = { ...owners, perTransaction: 8, autoApproveThreshold: 9 }
    assert.deepStrictEqual(dataOf(await client.get("/api/v1/wallet/budget")), agents)
    assert.deepStrictEqual(dataOf(await client.get(`/api/v1/agents/${id}/budget`)), agents)
    assert.deepStrictEqual(dataOf(await owner.get(`/api/v1/agents/${id}/budget`)), agents)
    const other = await agentOf(owner)
    failureOf(await client.get(`/api/v1/agents/${other.id}/budget`), 404, "AGENT_NOT_FOUND")
    failureOf(await seller.get(`/api/v1/agents/${id}/budget`), 404, "AGENT_NOT_FOUND")
    dataOf(await owner.patch(path, { autoApprove: false }))
    assert.deepInclude(dataOf<object>(await owner.get("/api/v1/wallet/budget")), { autoApproveThreshold: 0 })
  })

  it("an agent sees the results of only its own approvals (APPROVAL-1, APPROVAL-2)", async () => {
    const owner = await market.fundedMember(100)
    const [one, two] = [await agentOf(owner), await agentOf(owner)]
    dataOf(await owner.patch(path, { autoApprove: false }))
    const skillId = await market.listing(seller, "Waits for the owner", 5)
    const purchase = dataOf<Purchase>(await one.client.post("/api/v1/purchases", { skillId }), 201)
    assert.strictEqual(purchase.status, "pending_approval")
    const listed = async (client: { get: Member["get"] }) =>
      dataOf<ReadonlyArray<{ id: string; status: string }>>(await client.get("/api/v1/approvals"))
    const [approval] = await listed(one.client)
    assert.strictEqual(approval?.status, "pending")
    assert.deepStrictEqual(await listed(two.client), [])
    const at = `/api/v1/approvals/${approval?.id}`
    failureOf(await two.client.get(at), 404, "APPROVAL_NOT_FOUND")
    failureOf(await seller.get(at), 404, "APPROVAL_NOT_FOUND")
    failureOf(await one.client.post(`${at}/approve`), 403, "INSUFFICIENT_PERMISSIONS")
    dataOf(await owner.post(`${at}/reject`))
    for (const client of [owner, one.client]) {
      assert.deepInclude(dataOf<object>(await client.get(at)), { id: approval?.id, status: "rejected" })
    }
  })
})
