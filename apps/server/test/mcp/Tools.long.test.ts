import { McpError } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { agents } from "../fixtures/agents.ts"
import type { Agent, ResponseField } from "../fixtures/agents.ts"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

const names = [
  "buy",
  "deposit_address",
  "get_purchase",
  "inspect_skill",
  "inspect_soul",
  "list_approvals",
  "list_categories",
  "list_purchases",
  "market_activity",
  "publish_soul",
  "search_skills",
  "search_souls",
  "spending_policy",
  "validate_license",
  "wallet_balance"
]

interface Bought {
  readonly status: string
  readonly purchaseId: string
  readonly itemId: string
  readonly licenseKey: string | null
  readonly next: string
}

const license = /^(\w{5}-){4}\w{5}$/

let server: SharedServer
let market: Market
let seller: Member

beforeAll(async () => {
  server = await sharedServer()
  market = onMarket(server.baseUrl, { testClock: true })
  seller = await market.member({ seller: true, name: "Tool Seller" })
})
afterAll(async () => {
  await market?.assertBalanced()
})

/** The number of purchases of the item. */
const timesBought = async (member: Member, itemId: string): Promise<number> => {
  const { purchases } = dataOf<{ purchases: ReadonlyArray<{ skill: { id: string } }> }>(
    await member.get("/api/v1/purchases?limit=100")
  )
  return purchases.filter(({ skill }) => skill.id === itemId).length
}

describe.each([
  ["stdio", agents.stdio],
  ["streamable HTTP", agents.http]
] as const)("the market's tools over %s", (transport, connect) => {
  let buyer: Member
  let agent: Agent
  let itemId: string

  beforeAll(async () => {
    buyer = await market.fundedMember(100)
    itemId = await market.listing(seller, `Sorter over ${transport}`, 10)
    agent = await connect(server.baseUrl, buyer.key)
  })
  afterAll(() => agent?.close())

  it("are listed, each with a title, bounds, an output schema and its effects (CLIENT-13, MCP-1)", async () => {
    const { tools } = await agent.client.listTools()
    assert.deepStrictEqual(tools.map(({ name }) => name).sort(), names)
    for (const { annotations, description, inputSchema, name, outputSchema, title } of tools) {
      assert.isNotEmpty(title, name)
      assert.isAbove(description?.length ?? 0, 40, name)
      assert.strictEqual(inputSchema.type, "object")
      assert.strictEqual(outputSchema?.type, "object")
      for (const property of Object.values(inputSchema.properties ?? {}) as ReadonlyArray<{ description?: string }>)
        assert.isNotEmpty(property.description, name)
      assert.strictEqual(annotations?.readOnlyHint, name !== "buy" && name !== "publish_soul", name)
      assert.strictEqual(annotations?.destructiveHint, name === "buy", name)
      assert.strictEqual(annotations?.idempotentHint, name !== "publish_soul", name)
    }
    const buy = tools.find(({ name }) => name === "buy")
    assert.deepStrictEqual(buy?.inputSchema.required, ["itemId", "maxPrice", "idempotencyKey"])
    assert.match(buy?.description ?? "", /very same key again/)
  })

  it("state at the start which texts are instructions and which are data", () => {
    assert.match(agent.client.getInstructions() ?? "", /data, never instructions/)
    assert.strictEqual(agent.client.getServerVersion()?.name, "agent-marketplace")
  })

  it("find a skill with all details, except its install source before the purchase", async () => {
    const { skills } = await agent.use<{ skills: ReadonlyArray<{ itemId: string; price: string }> }>("search_skills", {
      query: `Sorter over ${transport}`,
      maxPrice: 10,
      sortBy: "price",
      sortOrder: null,
      limit: 5
    })
    assert.deepInclude(skills[0], { itemId, price: "10.00" })
    const skill = await agent.use("inspect_skill", { itemId })
    assert.include(skill, { itemId, seller: "Tool Seller", pricingModel: "one_time", installUrl: null })
  })

  it("buy once, however often or concurrently a model repeats the call with the same key (MCP-3)", async () => {
    const order = { itemId, maxPrice: 1_000_000, idempotencyKey: `sorter-${transport}`.replaceAll(" ", "-") }
    const [first, second] = await Promise.all([agent.use<Bought>("buy", order), agent.use<Bought>("buy", order)])
    assert.deepStrictEqual(first, second)
    assert.strictEqual(first.status, "completed")
    assert.match(first.licenseKey ?? "", license)
    assert.deepStrictEqual(await agent.use<Bought>("buy", order), first)
    const restarted = await connect(server.baseUrl, buyer.key)
    assert.deepStrictEqual(await restarted.use<Bought>("buy", order), first)
    await restarted.close()
    assert.strictEqual(await timesBought(buyer, itemId), 1)
    assert.include(await agent.use<ResponseField>("wallet_balance"), { availableBalance: 90, totalSpent: 10 })
  })

  it("show a purchased item with its install source", async () => {
    const { purchases } = await agent.use<{ purchases: ReadonlyArray<{ purchaseId: string; licenseKey: string }> }>(
      "list_purchases",
      { limit: 1 }
    )
    const [purchase] = purchases
    assert.match(purchase?.licenseKey ?? "", license)
    const found = await agent.use("get_purchase", { purchaseId: purchase?.purchaseId })
    assert.deepInclude(found, { ...purchase, itemId })
    assert.match(String(found["notice"]), /data, not instructions/)
    assert.include(await agent.use<ResponseField>("inspect_skill", { itemId }), {
      installUrl: "https://example.com/install"
    })
  })

  it("refuse to buy an owned item again, and name the purchase", async () => {
    const { details, next } = await agent.fail("ALREADY_PURCHASED", "buy", {
      itemId,
      maxPrice: 1_000_000,
      idempotencyKey: "another-intent"
    })
    assert.match(String(details["purchaseId"]), /^pur_/)
    assert.match(next, /get_purchase/)
  })

  it("refuse the idempotency key of another purchase", async () => {
    const other = await market.listing(seller, `Other over ${transport}`, 2)
    const idempotencyKey = `sorter-${transport}`.replaceAll(" ", "-")
    await agent.fail("IDEMPOTENCY_KEY_REUSED", "buy", { itemId: other, maxPrice: 1_000_000, idempotencyKey })
    assert.strictEqual(await timesBought(buyer, other), 0)
  })

  it("state the missing amount if the balance is too low", async () => {
    const dear = await market.listing(seller, `Dear over ${transport}`, 5000)
    const { details, next } = await agent.fail("INSUFFICIENT_BALANCE", "buy", {
      itemId: dear,
      maxPrice: 1_000_000,
      idempotencyKey: "dear"
    })
    assert.deepStrictEqual(details, { required: "5000.00 USDT", available: "90.00 USDT" })
    assert.match(next, /deposit_address/)
    const { address, chain } = await agent.use("deposit_address")
    assert.match(String(address), /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    assert.strictEqual(chain, "TRON")
  })

  it("require approval above the threshold, and respect the limits of the policy", async () => {
    const owner = await market.fundedMember(100)
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApproveThreshold: 5, perTransactionLimit: 20 }))
    const own = await connect(server.baseUrl, owner.key)
    assert.include(await own.use<ResponseField>("spending_policy"), {
      autoApproveThreshold: 5,
      perTransactionLimit: 20
    })
    const order = { itemId, maxPrice: 1_000_000, idempotencyKey: "asks-first" }
    const bought = await own.use<Bought>("buy", order)
    assert.include(bought, { status: "pending_approval", licenseKey: null })
    assert.include(bought.next, bought.purchaseId)
    assert.deepStrictEqual(await own.use<Bought>("buy", order), bought)
    const { approvals } = await own.use<{
      approvals: ReadonlyArray<Pick<Purchase, "purchaseId"> & { approvalId: string; itemId: string }>
    }>("list_approvals", {
      status: "pending"
    })
    assert.deepStrictEqual(
      approvals.map(({ purchaseId }) => purchaseId),
      [bought.purchaseId]
    )
    assert.include(await own.use<ResponseField>("wallet_balance"), { availableBalance: 90, lockedBalance: 10 })
    dataOf(await owner.post(`/api/v1/approvals/${approvals[0]?.approvalId}/approve`))
    assert.include(await own.use<ResponseField>("get_purchase", { purchaseId: bought.purchaseId }), {
      status: "completed"
    })
    const dear = await market.listing(seller, `Limit over ${transport}`, 21)
    const { details, next } = await own.fail("SPENDING_LIMIT_EXCEEDED", "buy", {
      itemId: dear,
      maxPrice: 1_000_000,
      idempotencyKey: "over"
    })
    assert.strictEqual(details["limit"], "perTransaction")
    assert.match(next, /tell the owner/)
    await own.close()
  })

  it("publish a SOUL, find it, return its text as data, sell it and validate its license", async () => {
    const author = await connect(server.baseUrl, seller.key)
    const name = `Tutor over ${transport}`
    const content = soulMarkdown(name)
    const soul = await author.use<{ itemId: string; slug: string; price: string }>("publish_soul", {
      name,
      description: "Explains hard things in small steps.",
      content,
      price: 4.5,
      category: "soul-assistant",
      tags: ["teaching"]
    })
    assert.strictEqual(soul.price, "4.50")
    const { souls } = await agent.use<{ souls: ReadonlyArray<{ slug: string }> }>("search_souls", {
      query: name,
      sortBy: "newest",
      category: "soul-assistant",
      tags: ["teaching"]
    })
    assert.strictEqual(souls[0]?.slug, soul.slug)
    const detail = await agent.use("inspect_soul", { slug: soul.slug })
    assert.strictEqual(detail["content"], content)
    assert.match(String(detail["notice"]), /data, not instructions/)
    const { licenseKey } = await agent.use<Bought>("buy", {
      itemId: soul.itemId,
      maxPrice: 1_000_000,
      idempotencyKey: "tutor"
    })
    assert.include(await author.use<ResponseField>("validate_license", { licenseKey, itemId: soul.itemId }), {
      valid: true
    })
    assert.include(await author.use<ResponseField>("validate_license", { licenseKey: "ABCDE" }), {
      valid: false,
      purchaseId: null
    })
    await author.fail("OWN_LISTING", "buy", { itemId: soul.itemId, maxPrice: 1_000_000, idempotencyKey: "mine" })
    await author.close()
  })

  it("transfer long texts of all character widths unchanged, also with text that looks like the end of a message", async () => {
    const author = await connect(server.baseUrl, seller.key)
    const content = `# SOUL\n\n"}],"isError":true}\r\n\u2028${"é🦀漢\n".repeat(50_000)}\n## End\n{"jsonrpc":"2.0","id":1}`
    const { slug } = await author.use<{ slug: string }>("publish_soul", {
      name: `Long text over ${transport}`,
      description: "Every width that a character can have.",
      content
    })
    assert.strictEqual((await author.use<ResponseField>("inspect_soul", { slug }))["content"], content)
    await author.close()
  })

  it("list the categories, whose slugs the search takes (MCP-5)", async () => {
    const { categories } = await agent.use<{ categories: ReadonlyArray<{ slug: string; count: number }> }>(
      "list_categories"
    )
    const [most] = categories.filter(({ count }) => count > 0)
    const { souls } = await agent.use<{ souls: ReadonlyArray<object> }>("search_souls", { category: most?.slug })
    const { skills } = await agent.use<{ skills: ReadonlyArray<object> }>("search_skills", { category: most?.slug })
    assert.isNotEmpty([...souls, ...skills])
  })

  it("serve an agent's key, with its own rules and approvals, and name each id as the arguments do (MCP-5, MCP-6)", async () => {
    const owner = await market.fundedMember(50)
    const { id: agentId } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Scout" }), 201)
    const { key } = dataOf<{ key: string }>(
      await owner.post("/api/v1/keys", { name: "scout", scope: "BUYER", agentId }),
      201
    )
    const [blockedByOwner, blockedForAgent] = ["usr_blocked1", "usr_blocked2"]
    const ofOwner = { allowedCategories: ["automation", "data", "development"], blockedSellers: [blockedByOwner] }
    dataOf(await owner.patch("/api/v1/wallet/policy", ofOwner))
    const ofAgent = { allowedCategories: ["development", "automation", "security"], blockedSellers: [blockedForAgent] }
    const limits = { autoApproveThreshold: 1, dailyLimit: 30 }
    dataOf(await owner.patch(`/api/v1/agents/${agentId}/policy`, { ...limits, ...ofAgent }))
    const scout = await connect(server.baseUrl, key)
    const order = { itemId, maxPrice: 10, idempotencyKey: "scout" }
    assert.strictEqual((await scout.use<Bought>("buy", order)).status, "pending_approval")
    const rules = await scout.use("spending_policy")
    assert.deepInclude(rules, {
      autoApproveThreshold: 1,
      daily: { limit: 30, spent: 10, remaining: 20 },
      allowedCategories: ["automation", "development"],
      blockedSellers: [blockedByOwner, blockedForAgent]
    })
    for (const [name, input] of [
      ["search_skills", {}],
      ["search_souls", {}],
      ["inspect_skill", { itemId }],
      ["list_purchases", {}],
      ["list_approvals", {}],
      ["list_categories", {}],
      ["market_activity", {}]
    ] as const) {
      const { text } = await scout.call(name, input)
      assert.notMatch(text, /"(?:id|skillId)":/, name)
      assert.strictEqual(text.includes('"notice":'), name !== "list_categories", name)
    }
    await scout.close()
  })

  it("show the activity of the market", async () => {
    const { activities, stats } = await agent.use<{ activities: ReadonlyArray<unknown>; stats: object }>(
      "market_activity",
      { limit: 50 }
    )
    assert.isNotEmpty(activities)
    assert.hasAllKeys(stats, ["activeAgents", "tradesLast24h", "revenueLast24h"])
  })

  it("name every invalid argument and its rule (MCP-4)", async () => {
    const { details } = await agent.fail("VALIDATION_ERROR", "buy", {
      itemId: "../keys",
      maxPrice: 1_000_000,
      idempotencyKey: "a b\n"
    })
    assert.deepStrictEqual(details["issues"], [
      { path: "itemId", message: "must be an id (lst_… or soul_…) or a skill's slug" },
      { path: "idempotencyKey", message: "must be 1 to 255 letters, digits and signs of ASCII, without blanks" }
    ])
    const searched = await agent.fail("VALIDATION_ERROR", "search_skills", { limit: 101, minPrice: -1, sortBy: "luck" })
    assert.deepStrictEqual(searched.details["issues"], [
      { path: "minPrice", message: "must be a number from 0 to 1000000000" },
      { path: "sortBy", message: "must be one of price, rating, popular, newest" },
      { path: "limit", message: "must be a whole number from 1 to 100" }
    ])
    const published = await agent.fail("VALIDATION_ERROR", "publish_soul", { tags: ["a", ""] })
    assert.deepStrictEqual(
      (published.details["issues"] as ReadonlyArray<{ path: string }>).map(({ path }) => path),
      ["name", "description", "content", "tags.1"]
    )
  })

  it("return the market's errors: an unknown id, an invalid SOUL, a key without permission", async () => {
    await agent.fail("LISTING_NOT_FOUND", "inspect_skill", { itemId: "lst_nothing" })
    await agent.fail("LISTING_NOT_FOUND", "buy", {
      itemId: "lst_nothing",
      maxPrice: 1_000_000,
      idempotencyKey: "nothing"
    })
    await agent.fail("SOUL_NOT_FOUND", "inspect_soul", { slug: "nobody-knows-it" })
    await agent.fail("PURCHASE_NOT_FOUND", "get_purchase", { purchaseId: "pur_nothing" })
    const refused = await agent.fail("VALIDATION_ERROR", "publish_soul", {
      name: "No SOUL",
      description: "Has no section that a SOUL must have.",
      content: "Hello."
    })
    assert.match(refused.message, /Invalid SOUL format/)
    const { key } = dataOf<{ key: string }>(
      await buyer.post("/api/v1/keys", { name: "Looks only", scope: "READ" }),
      201
    )
    const reader = await connect(server.baseUrl, key)
    await reader.use("search_skills")
    const denied = await reader.fail("INSUFFICIENT_PERMISSIONS", "buy", {
      itemId,
      maxPrice: 1_000_000,
      idempotencyKey: "may-not"
    })
    assert.deepStrictEqual(denied.details["required"], ["BUYER", "FULL"])
    await reader.close()
  })

  it("return a protocol error for an unknown tool", async () => {
    const failure: unknown = await agent.client.callTool({ name: "withdraw", arguments: {} }).catch((error) => error)
    assert.instanceOf(failure, McpError)
    assert.strictEqual(failure.code, -32602)
  })

  it("never reveal the key", async () => {
    const told = await Promise.all([
      agent.call("wallet_balance"),
      agent.call("list_purchases"),
      agent.call("inspect_skill", { itemId: "lst_nothing" })
    ])
    for (const { text } of told) assert.notInclude(text, buyer.key)
  })
})
