import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Effect, Layer } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"
import type { Send } from "../fixtures/startMarket.ts"

const market = startMarket({ limits: true })
afterAll(() => market.stop())

const enterprise = async () => {
  const account = await market.account()
  await market.send("PATCH", `/api/v1/admin/accounts/${account.id}`, { key: adminToken, body: { tier: "enterprise" } })
  return account
}

/** Sends `times` requests in sequence and returns their statuses and the last response. */
const repeat = async (times: number, method: string, path: string, send: Send) => {
  const statuses: Array<number> = []
  for (let i = 1; i < times; i++) statuses.push((await market.send(method, path, send)).status)
  const last = await market.send(method, path, send)
  return { statuses: [...statuses, last.status], last }
}

const limited = (statuses: ReadonlyArray<number>): number => statuses.filter((status) => status === 429).length

describe("limits of an endpoint, for each key (LIMIT-1, LIMIT-2, LIMIT-3, LIMIT-6)", () => {
  const cases: ReadonlyArray<readonly [string, string, string, number]> = [
    ["SOUL list", "GET", "/api/souls", 100],
    ["SOUL get", "GET", "/api/souls/nothing", 200],
    ["SOUL create", "POST", "/api/v1/souls/create", 10]
  ]
  for (const [name, method, path, limit] of cases) {
    it(`${name}: ${limit} a minute, the next is 429 { error } with headers`, async () => {
      const { key } = await enterprise()
      const send = method === "GET" ? { key } : { key, body: {} }
      const { last, statuses } = await repeat(limit + 1, method, path, send)
      assert.strictEqual(limited(statuses), 1)
      assert.strictEqual(last.status, 429)
      assert.deepStrictEqual(last.body, { error: "Rate limit exceeded" })
      assert.strictEqual(last.headers.get("x-ratelimit-limit"), String(limit))
      assert.strictEqual(last.headers.get("x-ratelimit-remaining"), "0")
      const wait = Number(last.headers.get("retry-after"))
      assert.isTrue(wait >= 1 && wait <= 60)
      const resets = Number(last.headers.get("x-ratelimit-reset"))
      assert.isTrue(Number.isInteger(resets) && resets > 1_700_000_000)
    })
  }

  it("limits are counted for each key and each endpoint separately (LIMIT-6, LIMIT-11)", async () => {
    const { key } = await enterprise()
    const second = await market.keyOf(key, { scope: "FULL" })
    await repeat(11, "POST", "/api/v1/souls/create", { key, body: {} })
    assert.strictEqual((await market.send("POST", "/api/v1/souls/create", { key: second, body: {} })).status, 400)
    assert.strictEqual((await market.send("GET", "/api/souls", { key })).status, 200)
  })

  it("the limit takes precedence over a malformed body, and a new window opens after the old one ends", async () => {
    const { key } = await enterprise()
    await repeat(11, "POST", "/api/v1/souls/create", { key, body: {} })
    assert.strictEqual((await market.send("POST", "/api/v1/souls/create", { key, raw: "{" })).status, 429)
    await market.send("POST", "/api/v1/admin/clock", { key: adminToken, body: { advanceSeconds: 60 } })
    const again = await market.send("POST", "/api/v1/souls/create", { key, raw: "{" })
    assert.strictEqual(again.status, 400)
    assert.strictEqual(again.headers.get("x-ratelimit-remaining"), "9")
  })
})

describe("tiers, for each account (LIMIT-5)", () => {
  it("free: 100 an hour over all its keys, the next is 429 in the general envelope", async () => {
    const { key } = await market.account()
    const other = await market.keyOf(key, { scope: "READ" })
    const { statuses } = await repeat(100, "GET", "/api/v1/account", { key })
    assert.strictEqual(limited(statuses), 0)
    const past = await market.send("GET", "/api/v1/account", { key: other })
    assert.strictEqual(past.status, 429)
    const { code, details } = past.body.error
    assert.strictEqual(code, "RATE_LIMIT_EXCEEDED")
    assert.strictEqual(details.limit, 100)
    assert.strictEqual(details.window, "1h")
    assert.match(details.resetAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.strictEqual(Math.ceil(Date.parse(details.resetAt) / 1000), Number(past.headers.get("x-ratelimit-reset")))
  })

  it("a number set by the operator replaces the tier's, and null restores the tier's", async () => {
    const { id, key } = await market.account()
    const set = (hourlyLimit: number | null) =>
      market.send("PATCH", `/api/v1/admin/accounts/${id}`, { key: adminToken, body: { hourlyLimit } })
    const limitNow = async () => {
      for (let tries = 0; ; tries++) {
        const { headers } = await market.send("GET", "/api/v1/skills", { key })
        const limit = headers.get("x-ratelimit-limit")
        if (tries > 5 || limit !== "100") return limit
      }
    }
    await set(7)
    assert.strictEqual(await limitNow(), "7")
    await set(null)
    assert.strictEqual(await limitNow(), "100")
  })

  it("enterprise without a number is unlimited and carries no headers", async () => {
    const { key } = await enterprise()
    const { last } = await repeat(150, "GET", "/api/v1/account", { key })
    assert.strictEqual(last.status, 200)
    assert.isNull(last.headers.get("x-ratelimit-limit"))
  })

  it("a route with its own limit does not count against the hourly limit, and allows exactly its own (LIMIT-2, LIMIT-6)", async () => {
    const { key } = await market.account()
    const { statuses } = await repeat(200, "GET", "/api/souls/nothing", { key })
    assert.strictEqual(limited(statuses), 0)
    const { headers } = await market.send("GET", "/api/v1/account", { key })
    assert.deepStrictEqual(
      ["limit", "remaining"].map((name) => headers.get(`x-ratelimit-${name}`)),
      ["100", "99"]
    )
  })
})

describe("agents and their owner (LIMIT-7, LIMIT-8, LIMIT-9)", () => {
  const agentOf = async (owner: string, name: string) => {
    const { body } = await market.send("POST", "/api/v1/agents", { key: owner, body: { name } })
    return market.keyOf(owner, { scope: "FULL", agentId: body.data.id as string })
  }

  it("an agent that exhausts its hourly limit does not affect those of its owner and of other agents", async () => {
    const { key } = await market.account()
    const [busy, idle] = [await agentOf(key, "Busy"), await agentOf(key, "Idle")]
    const { statuses } = await repeat(101, "GET", "/api/v1/skills", { key: busy })
    assert.deepStrictEqual([limited(statuses), statuses.at(-1)], [1, 429])
    assert.strictEqual((await market.send("GET", "/api/v1/skills", { key: idle })).status, 200)
    const own = await market.send("GET", "/api/v1/skills", { key })
    assert.deepStrictEqual([own.status, own.headers.get("x-ratelimit-remaining")], [200, "99"])
  })

  it("all agents of an owner together have ten times the account's hourly limit (LIMIT-8, LIMIT-10)", async () => {
    const { id, key } = await market.account()
    await market.send("PATCH", `/api/v1/admin/accounts/${id}`, { key: adminToken, body: { hourlyLimit: 2 } })
    const statuses: Array<number> = []
    for (let i = 0; i < 11; i++) {
      const agent = await agentOf(key, `Agent ${i}`)
      for (let n = 0; n < 2; n++) statuses.push((await market.send("GET", "/api/v1/skills", { key: agent })).status)
    }
    assert.deepStrictEqual([limited(statuses), statuses.slice(0, 20).every((status) => status === 200)], [2, true])
  })

  it("an owner with exhausted hourly limits still has 60 control operations a minute (LIMIT-9)", async () => {
    const { key } = await market.account()
    const agent = await agentOf(key, "Shopper")
    await repeat(101, "GET", "/api/v1/skills", { key })
    await repeat(70, "GET", "/api/v1/approvals", { key: agent })
    assert.strictEqual((await market.send("GET", "/api/v1/account", { key })).status, 429)
    const control = await market.send("GET", "/api/v1/keys", { key })
    assert.strictEqual(control.status, 200)
    assert.strictEqual(control.headers.get("x-ratelimit-limit"), "60")
    const controls = ["approvals", "wallet/policy", "wallet/withdrawal-rules", "wallet/addresses", "agents"]
    for (const path of controls)
      assert.strictEqual((await market.send("GET", `/api/v1/${path}`, { key })).status, 200, path)
    const exported = await market.send("GET", "/api/v1/account/export", { key })
    assert.deepStrictEqual([exported.status, exported.body.error.details.window], [429, "1h"])
    const { last, statuses } = await repeat(60, "GET", "/api/v1/approvals", { key })
    assert.isAbove(limited(statuses), 0)
    assert.deepStrictEqual([last.status, last.body.error.details.window], [429, "1m"])
  })
})

describe("open sign-up (LIMIT-13)", () => {
  const signUp = (address: string, body: object = { name: "Eve" }, on = market) =>
    on.send("POST", "/api/v1/accounts", { address, body })

  it("allows 10 new accounts an hour for each address; failed requests are not counted", async () => {
    const address = "203.0.113.50"
    for (let i = 0; i < 12; i++) assert.strictEqual((await signUp(address, { name: "" })).status, 400)
    for (let i = 0; i < 10; i++) assert.strictEqual((await signUp(address)).status, 201)
    const refused = await signUp(address)
    assert.deepStrictEqual([refused.status, refused.body.error.details.window], [429, "1h"])
    assert.strictEqual((await signUp("203.0.113.51")).status, 201)
    assert.strictEqual(
      (await market.send("POST", "/api/v1/accounts", { key: adminToken, address, body: { name: "B" } })).status,
      201
    )
  })

  it("RATE_LIMITS=off removes the limit", async () => {
    const open = startMarket()
    for (let i = 0; i < 12; i++) assert.strictEqual((await signUp("203.0.113.52", { name: "Eve" }, open)).status, 201)
    await open.stop()
  })
})

describe("forged keys", () => {
  it("well-formed ones cost at most 60 queries a minute for each address, and valid keys keep working (LIMIT-11, LIMIT-12)", async () => {
    let queries = 0
    const counted = Layer.effect(
      IdentityStore,
      Effect.map(IdentityStore, (store) => ({
        ...store,
        findCaller: (hash: string) => Effect.suspend(() => (queries++, store.findCaller(hash)))
      }))
    ).pipe(Layer.provideMerge(MemoryStores.layer))
    const guarded = startMarket({ limits: true, stores: counted })
    const { key } = await guarded.account()
    const address = "203.0.113.60"
    const send = (forged: string) => guarded.send("GET", "/api/v1/skills", { key: forged, address })
    assert.strictEqual((await send(key)).status, 200)
    queries = 0
    const forged = Array.from({ length: 90 }, (_, i) => ApiKeyToken.make(Uint8Array.from({ length: 24 }, () => i + 1)))
    const answers = await Promise.all(forged.map(send))
    assert.isAtMost(queries, 60)
    assert.strictEqual(answers.filter(({ status }) => status === 429).length >= 30, true)
    for (let i = 0; i < 90; i++) await send(`amk_${"0".repeat(39)}`)
    assert.isAtMost(queries, 60)
    assert.strictEqual((await send(key)).status, 200)
    await guarded.stop()
  })

  it("a burst of many valid keys from one address is served though no process knows them yet (LIMIT-11)", async () => {
    const slow = Layer.effect(
      IdentityStore,
      Effect.map(IdentityStore, (store) => ({
        ...store,
        findCaller: (hash: string) => Effect.delay(store.findCaller(hash), "5 millis")
      }))
    ).pipe(Layer.provideMerge(MemoryStores.layer))
    const restarted = startMarket({ limits: true, stores: slow })
    const keys: Array<string> = []
    for (let i = 0; i < 100; i++) keys.push((await restarted.account()).key)
    const statuses = await Promise.all(
      keys.map(async (key) => (await restarted.send("GET", "/api/v1/skills", { key, address: "203.0.113.61" })).status)
    )
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
    await restarted.stop()
  })
})

describe("requests without a valid key (LIMIT-12)", () => {
  it("share 60 a minute for each address, whatever key they send, and 429 takes precedence over 401", async () => {
    const send = (key?: string, address = "198.51.100.7") => market.send("GET", "/api/v1/skills", { key, address })
    for (let i = 0; i < 60; i++) assert.strictEqual((await send(i % 2 === 0 ? undefined : `guess-${i}`)).status, 401)
    assert.strictEqual((await send()).status, 429)
    assert.strictEqual((await send("another-guess")).status, 429)
    const create = await market.send("POST", "/api/v1/agents/register", {
      address: "198.51.100.7",
      body: { name: "A" }
    })
    assert.strictEqual(create.status, 429)
    assert.strictEqual((await send(undefined, "198.51.100.8")).status, 401)
    const { key } = await market.account()
    assert.strictEqual((await send(key)).status, 200)
  })

  it("feed, health, documents and QR images are not counted against it", async () => {
    const address = "198.51.100.9"
    await repeat(61, "GET", "/api/v1/skills", { address })
    for (const path of ["/api/activity/live", "/healthz", "/readyz", "/openapi.json", "/docs", "/metrics"]) {
      assert.strictEqual((await market.send("GET", path, { address })).status, 200, path)
    }
    assert.strictEqual((await market.send("GET", "/api/v1/wallet/deposit/T/qr.png", { address })).status, 404)
  })

  it("an IPv6 network counts as one address", async () => {
    await repeat(60, "GET", "/api/v1/skills", { address: "2001:db8:1:2:3:4:5:6" })
    const neighbour = await market.send("GET", "/api/v1/skills", { address: "2001:db8:1:2::1" })
    assert.strictEqual(neighbour.status, 429)
    assert.strictEqual((await market.send("GET", "/api/v1/skills", { address: "2001:db8:1:3::1" })).status, 401)
  })

  it("X-Forwarded-For is used only if a trusted proxy sent it", async () => {
    const behind = startMarket({ limits: true, http: { trustedProxies: ["10.0.0.1"] } })
    const send = async (address: string, forwarded: string) => {
      const headers = { "x-forwarded-for": forwarded }
      const answer = await behind.send("GET", "/api/v1/skills", { address, headers })
      return answer.headers.get("x-ratelimit-remaining")
    }
    assert.strictEqual(await send("10.0.0.1", "203.0.113.1"), "59")
    assert.strictEqual(await send("10.0.0.1", "203.0.113.2"), "59")
    assert.strictEqual(await send("10.0.0.1", "203.0.113.9, 203.0.113.1"), "58")
    assert.strictEqual(await send("192.0.2.9", "203.0.113.77"), "59")
    assert.strictEqual(await send("192.0.2.9", "203.0.113.78"), "58")
    await behind.stop()
  })
})

describe("RATE_LIMITS=off", () => {
  it("limits nothing and sends no limit headers (CONFIG-8)", async () => {
    const open = startMarket()
    for (let i = 0; i < 130; i++) {
      const { headers, status } = await open.send("GET", "/api/souls")
      assert.strictEqual(status, 401)
      assert.isNull(headers.get("x-ratelimit-limit"))
    }
    await open.stop()
  })
})

describe("GET /api/v1/account/usage", () => {
  it("reports the hour and the quotas, and counts itself against neither (ACCOUNT-11, LIMIT-9)", async () => {
    const market = startMarket({ limits: true })
    const { key } = await market.account()
    const usage = async () => (await market.send("GET", "/api/v1/account/usage", { key })).body.data
    for (let i = 0; i < 3; i++) await market.send("GET", "/api/v1/account", { key })
    const first = await usage()
    assert.deepInclude(first.hourly, { limit: 100, used: 3 })
    assert.strictEqual(first.tier, "free")
    assert.deepInclude(first.quotas, { keys: { limit: 50, used: 1 }, agents: { limit: 20, used: 0 } })
    await market.send("POST", "/api/v1/agents", { key, body: { name: "Helper" } })
    const second = await usage()
    assert.deepStrictEqual([second.hourly.used, second.quotas.agents.used], [3, 1])
    await market.stop()
  })
})
