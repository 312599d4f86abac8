import { assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime } from "../fixtures/assertShape.ts"
import type { Shape } from "../fixtures/assertShape.ts"
import { bodyOf, dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import type { Client } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { startServer } from "../fixtures/startServer.ts"

const token = /^amk_[0-9A-Za-z]{39}$/

const issuedKey = (known: Readonly<Record<string, Shape>> = {}): Shape => ({
  id: /^key_/,
  name: (name) => typeof name === "string" && name !== "",
  scope: "FULL",
  prefix: /^amk_/,
  status: "active",
  agentId: null,
  expiresAt: null,
  lastUsedAt: null,
  createdAt: isoTime,
  rotatedFrom: null,
  rotationDueAt: isoTime,
  key: token,
  ...known
})

const agentShape = (name: string, claimed: boolean): Shape => ({
  id: /^agt_/,
  name,
  claimed,
  source: "api",
  createdAt: isoTime,
  frozenAt: null,
  frozenReason: null,
  retiredAt: null
})

interface Registered {
  readonly agent: { readonly id: string }
  readonly apiKey: IssuedKey
  readonly claimCode: string
}

describe("accounts, agents and keys (ACCOUNT-1, AGENT-1, KEY-1)", () => {
  let server: SharedServer
  let market: Market
  let owner: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    owner = await market.member({ name: "Owner" })
  })

  const as = (key: string): Client => makeClient(server.baseUrl, key)

  const keyOf = async (scope: string, more: Readonly<Record<string, unknown>> = {}): Promise<IssuedKey> =>
    dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: `a ${scope} key`, scope, ...more }), 201)

  it("anybody signs up and gets an account with a FULL key (ACCOUNT-1, ACCOUNT-2, KEY-3, WIRE-14)", async () => {
    const made = await market.guest.post("/api/v1/accounts", { name: "Ada", email: "ada@example.com" })
    const data = dataOf<{ apiKey: IssuedKey; account: unknown }>(made, 201)
    const account = {
      id: /^usr_/,
      name: "Ada",
      email: "ada@example.com",
      seller: false,
      tier: "free",
      createdAt: isoTime
    }
    assertShape(data, { account, apiKey: issuedKey() })
    assertShape(dataOf(await as(data.apiKey.key).get("/api/v1/account")), account)
  })

  it("an account changes its name, its e-mail and becomes a seller (ACCOUNT-3, WIRE-12)", async () => {
    const one = await market.member()
    const changed = dataOf<Record<string, unknown>>(
      await one.patch("/api/v1/account", { name: "  Grace ", email: "grace@example.com", seller: true })
    )
    assert.include(changed, { name: "Grace", email: "grace@example.com", seller: true })
    assert.deepStrictEqual(dataOf(await one.get("/api/v1/account")), changed)
  })

  it("an agent can register itself and, while unclaimed, only reads the public catalog (AGENT-1, AGENT-12, SOUL-28)", async () => {
    const registered = dataOf<Registered>(await market.guest.post("/api/v1/agents/register", { name: "Crab" }), 201)
    assertShape(registered, {
      agent: agentShape("Crab", false),
      apiKey: issuedKey({ agentId: registered.agent.id }),
      claimCode: (code) => typeof code === "string" && code.length >= 8
    })
    const agent = as(registered.apiKey.key)
    for (const path of ["/api/souls", "/v1/listings", "/api/v1/listings", "/api/v1/skills"]) {
      assert.strictEqual((await agent.get(path)).status, 200, path)
    }
    for (const path of ["/api/v1/account", "/api/v1/wallet/balance", "/api/v1/purchases"]) {
      assert.deepStrictEqual(failureOf(await agent.get(path), 403, "AGENT_NOT_CLAIMED"), {}, path)
    }
    const soul = { name: "Crab soul", description: "A soul by a crab.", content: soulMarkdown("Crab") }
    const refused = await agent.post("/api/v1/souls/create", soul)
    assert.deepStrictEqual(bodyOf(refused, 403), { error: "Agent not claimed - cannot create SOULs" })
  })

  it("a claim code works once, and then the agent acts for its owner (AGENT-2, AGENT-13, AGENT-14, SOUL-32)", async () => {
    const registered = dataOf<Registered>(await market.guest.post("/api/v1/agents/register", { name: "Squid" }), 201)
    const agent = as(registered.apiKey.key)
    assert.strictEqual((await agent.get("/api/v1/account")).status, 403)
    const claimed = await owner.post("/api/v1/agents/claim", { claimCode: registered.claimCode })
    assertShape(dataOf(claimed), { agent: agentShape("Squid", true) })
    failureOf(
      await owner.post("/api/v1/agents/claim", { claimCode: registered.claimCode }),
      404,
      "CLAIM_CODE_NOT_FOUND"
    )
    assert.strictEqual(dataOf<{ id: string }>(await agent.get("/api/v1/account")).id, owner.id)
    const soul = { name: "Squid soul", description: "A soul by a squid.", content: soulMarkdown("Squid") }
    assert.include(bodyOf<object>(await agent.post("/api/v1/souls/create", soul), 201), { author: "Owner" })
    const refused = failureOf(await agent.get("/api/v1/keys"), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(refused, { required: ["owner"] })
  })

  it("an owner creates agents that need no claim, and lists them (AGENT-4, WIRE-10)", async () => {
    const one = await market.member()
    assertShape(dataOf(await one.post("/api/v1/agents", { name: "Lobster" }), 201), agentShape("Lobster", true))
    const listed = await one.get("/api/v1/agents")
    assertShape(dataOf(listed), [agentShape("Lobster", true)])
    assert.deepInclude(listed.body as object, { meta: { page: 1, limit: 20, total: 1 } })
  })

  it("a key is shown once and listed without its secret (KEY-4, KEY-5)", async () => {
    const made = await keyOf("SELLER")
    assertShape(made, issuedKey({ scope: "SELLER", name: "a SELLER key" }))
    const listed = await owner.get("/api/v1/keys?limit=100")
    const entry = dataOf<ReadonlyArray<{ id: string }>>(listed).find(({ id }) => id === made.id)
    const { key, ...shown } = made
    assert.deepStrictEqual<unknown>(entry, shown)
    assert.notInclude(listed.text, key)
  })

  it("each scope permits exactly its operations (SCOPE-1, SCOPE-2, SCOPE-3, SCOPE-4)", async () => {
    const [read, buyer, seller] = await Promise.all(
      ["READ", "BUYER", "SELLER"].map(async (scope) => (await keyOf(scope)).key)
    )
    const writes = [
      ["/api/v1/purchases", { skillId: "lst_none" }, ["BUYER", "FULL"]],
      ["/api/v1/skills", { name: "A skill", description: "Ten characters.", price: 0 }, ["SELLER", "FULL"]],
      ["/api/v1/licenses/validate", { licenseKey: "none" }, ["SELLER", "FULL"]]
    ] as const
    for (const [path, body, required] of writes) {
      for (const [scope, key] of [
        ["READ", read!],
        ["BUYER", buyer!],
        ["SELLER", seller!]
      ] as const) {
        const reply = await as(key).post(path, body)
        if ((required as ReadonlyArray<string>).includes(scope)) assert.notStrictEqual(reply.status, 401, reply.text)
        else assert.deepStrictEqual(failureOf(reply, 403, "INSUFFICIENT_PERMISSIONS"), { required: [...required] })
      }
    }
    for (const key of [read!, buyer!, seller!]) {
      assert.strictEqual((await as(key).get("/api/v1/wallet/balance")).status, 200)
      failureOf(await as(key).post("/api/v1/wallet/withdrawals", {}), 403, "INSUFFICIENT_PERMISSIONS")
      failureOf(await as(key).patch("/api/v1/account", { name: "x" }), 403, "INSUFFICIENT_PERMISSIONS")
      failureOf(await as(key).put("/api/v1/wallet/policy", {}), 403, "INSUFFICIENT_PERMISSIONS")
    }
  })

  it("a rotated key works until its grace period ends, the new one immediately (KEY-7)", async () => {
    const old = await keyOf("READ")
    const next = dataOf<IssuedKey>(await owner.post(`/api/v1/keys/${old.id}/rotate`, { graceSeconds: 3600 }), 201)
    assertShape(next, issuedKey({ scope: "READ", name: "a READ key", rotatedFrom: old.id }))
    assert.notStrictEqual(next.key, old.key)
    assert.strictEqual((await as(next.key).get("/api/v1/account")).status, 200)
    assert.strictEqual((await as(old.key).get("/api/v1/account")).status, 200)
    await market.advance(3601)
    failureOf(await as(old.key).get("/api/v1/account"), 401, "INVALID_API_KEY")
    assert.strictEqual((await as(next.key).get("/api/v1/account")).status, 200)
  })

  it("rotated and refreshed keys expire no later than the first key (KEY-8)", async () => {
    const expiresAt = "2099-01-01T00:00:00.000Z"
    const limited = { name: "of a month", scope: "READ", expiresAt }
    for (const first of [await keyOf("READ"), dataOf<IssuedKey>(await owner.post("/api/v1/keys", limited), 201)]) {
      const rotate = (id: string) => owner.post(`/api/v1/keys/${id}/rotate`, { graceSeconds: 60 })
      const once = dataOf<IssuedKey>(await rotate(first.id), 201)
      // During its grace period the first key may be rotated again.
      const again = dataOf<IssuedKey>(await rotate(first.id), 201)
      const later = dataOf<IssuedKey>(await as(once.key).post("/api/v1/keys/refresh"), 201)
      for (const next of [once, again, later]) assert.strictEqual(next["expiresAt"], first["expiresAt"])
      assert.deepStrictEqual([once["rotatedFrom"], later["rotatedFrom"]], [first.id, once.id])
    }
  })

  it("any key can refresh itself, without a grace period if requested (KEY-7, KEY-8, SCOPE-4)", async () => {
    const old = await keyOf("READ")
    const next = dataOf<IssuedKey>(await as(old.key).post("/api/v1/keys/refresh", { graceSeconds: 0 }), 201)
    assertShape(next, issuedKey({ scope: "READ", name: "a READ key", rotatedFrom: old.id }))
    failureOf(await as(old.key).get("/api/v1/account"), 401, "INVALID_API_KEY")
    assert.strictEqual((await as(next.key).get("/api/v1/account")).status, 200)
    const unbodied = await as(next.key).post("/api/v1/keys/refresh")
    assert.strictEqual(unbodied.status, 201, unbodied.text)
    const issues = issuesOf(await owner.post(`/api/v1/keys/${next.id}/rotate`, { graceSeconds: 604_801 }))
    assert.deepStrictEqual(issues, ["graceSeconds"])
  })

  it("a deactivated key and an expired one are refused (ERROR-3, KEY-6, KEY-13, WIRE-13)", async () => {
    const gone = await keyOf("READ")
    assert.strictEqual((await as(gone.key).get("/api/v1/account")).status, 200)
    const deleted = dataOf(await owner.delete(`/api/v1/keys/${gone.id}`))
    assert.deepStrictEqual(deleted, { id: gone.id, status: "deactivated" })
    failureOf(await as(gone.key).get("/api/v1/account"), 401, "INVALID_API_KEY")
    failureOf(await owner.delete("/api/v1/keys/key_nobody"), 404, "KEY_NOT_FOUND")
    failureOf(await (await market.member()).delete(`/api/v1/keys/${owner.keyId}`), 404, "KEY_NOT_FOUND")

    const { createdAt } = await keyOf("READ")
    const expiresAt = new Date(Date.parse(String(createdAt)) + 60_000).toISOString()
    const short = await keyOf("READ", { expiresAt })
    assert.strictEqual(short["expiresAt"], expiresAt)
    assert.strictEqual((await as(short.key).get("/api/v1/account")).status, 200)
    await market.advance(61)
    failureOf(await as(short.key).get("/api/v1/account"), 401, "INVALID_API_KEY")
  })

  it("an agent's key names its agent and has no owner permissions (AGENT-14, SCOPE-6)", async () => {
    const agent = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Whale" }), 201)
    const key = await keyOf("FULL", { agentId: agent.id })
    assert.strictEqual(key["agentId"], agent.id)
    for (const [path, body] of [
      ["/api/v1/wallet/withdrawals", { amount: 5, destinationAddress: "T" }],
      ["/api/v1/keys", { name: "x", scope: "READ" }],
      ["/api/v1/agents", { name: "x" }],
      ["/api/v1/agents/claim", { claimCode: "x" }]
    ] as const) {
      const refused = failureOf(await as(key.key).post(path, body), 403, "INSUFFICIENT_PERMISSIONS")
      assert.deepStrictEqual(refused, { required: ["owner"] }, path)
    }
    failureOf(
      await owner.post("/api/v1/keys", { name: "x", scope: "READ", agentId: "agt_none" }),
      404,
      "AGENT_NOT_FOUND"
    )
  })

  it("signing up requires the operator's token with SIGNUP=admin (ACCOUNT-1, CONFIG-6)", async () => {
    const closed = await startServer({ DATABASE_URL: await createDatabase(), SIGNUP: "admin" })
    try {
      const guest = makeClient(closed.baseUrl)
      failureOf(await guest.post("/api/v1/accounts", { name: "Eve" }), 401, "INVALID_API_KEY")
      const member = await onMarket(closed.baseUrl).member()
      const asMember = makeClient(closed.baseUrl, member.key)
      assert.include([401, 403], (await asMember.post("/api/v1/accounts", { name: "Eve" })).status)
    } finally {
      await closed.stop()
    }
  })
})
