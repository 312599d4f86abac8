import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { bodyOf, dataOf, failureOf, makeClient } from "./fixtures/Client.ts"
import type { Client, Reply } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "./fixtures/Market.ts"
import { soulMarkdown } from "./fixtures/soulMarkdown.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"

interface Limit {
  readonly limit: number
  readonly remaining: number
  readonly reset: number
}

const limitOf = ({ headers }: Reply): Limit => {
  const read = (name: string) => {
    const value = headers.get(`x-ratelimit-${name}`)
    assert.isNotNull(value, name)
    assert.match(value!, /^\d+$/)
    return Number(value)
  }
  return { limit: read("limit"), remaining: read("remaining"), reset: read("reset") }
}

/** Sends the given number of requests one after the other and returns the last response; all others must succeed. */
const drain = async (n: number, ask: () => Promise<Reply>): Promise<Reply> => {
  for (let i = 1; i < n; i++) assert.isBelow((await ask()).status, 429)
  return ask()
}

describe("rate limits (LIMIT-5, LIMIT-6, LIMIT-10)", () => {
  let server: RunningServer
  let market: Market

  beforeAll(async () => {
    // A proxy header sets the client address, so that tests do not share a limit.
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      RATE_LIMITS: "on",
      TRUSTED_PROXIES: "127.0.0.1"
    })
    market = onMarket(server.baseUrl)
  })
  afterAll(() => server?.stop())

  const pro = async (): Promise<Member> => {
    const member = await market.member()
    dataOf(await market.operator.patch(`/api/v1/admin/accounts/${member.id}`, { tier: "enterprise" }))
    return member
  }

  const anotherKey = async (of: Member, scope = "FULL"): Promise<Client> =>
    makeClient(server.baseUrl, dataOf<IssuedKey>(await of.post("/api/v1/keys", { name: "k", scope }), 201).key)

  const near = (seconds: number, window: number): void => {
    const left = seconds - Date.now() / 1000
    assert.isAbove(left, 0)
    assert.isAtMost(left, window + 2)
  }

  /** Asserts a 429 in the general envelope whose headers and details agree. */
  const assertRefused = (reply: Reply, limit: number, window: string, seconds: number): void => {
    const details = failureOf(reply, 429, "RATE_LIMIT_EXCEEDED")
    assert.hasAllKeys(details, ["resetAt", "limit", "window"])
    assert.deepInclude(details, { limit, window })
    const shown = limitOf(reply)
    assert.deepInclude(shown, { limit, remaining: 0 })
    assert.strictEqual(Math.ceil(Date.parse(String(details["resetAt"])) / 1000), shown.reset)
    near(shown.reset, seconds)
    const retry = reply.headers.get("retry-after") ?? ""
    assert.match(retry, /^\d+$/)
    assert.isAtLeast(Number(retry), 1)
  }

  it("soul list: 100 a minute for each key, in the soul routes' error format (LIMIT-1, WIRE-15)", async () => {
    const member = await pro()
    const first = await member.get("/api/souls")
    assert.deepInclude(limitOf(first), { limit: 100, remaining: 99 })
    near(limitOf(first).reset, 60)
    assert.deepInclude(limitOf(await drain(99, () => member.get("/api/souls"))), { remaining: 0 })
    const refused = await member.get("/api/souls")
    assert.deepStrictEqual(bodyOf(refused, 429), { error: "Rate limit exceeded" })
    assert.deepInclude(limitOf(refused), { limit: 100, remaining: 0 })
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
    const other = await anotherKey(member)
    assert.deepInclude(limitOf(await other.get("/api/souls")), { limit: 100, remaining: 99 })
    const single = await member.get("/api/souls/none")
    assert.strictEqual(single.status, 404)
    assert.deepInclude(limitOf(single), { limit: 200, remaining: 199 })
  })

  it("soul get: 200 a minute (LIMIT-2)", async () => {
    const member = await pro()
    assert.strictEqual((await drain(200, () => member.get("/api/souls/none"))).status, 404)
    assert.deepStrictEqual(bodyOf(await member.get("/api/souls/none"), 429), { error: "Rate limit exceeded" })
  })

  it("soul create: 10 a minute, including refused requests (LIMIT-3)", async () => {
    const member = await pro()
    const soul = { name: "One of ten", description: "Ten in a minute.", content: soulMarkdown("One of ten") }
    for (const body of [soul, {}]) {
      assert.isBelow((await drain(5, () => member.post("/api/v1/souls/create", body))).status, 429)
    }
    const refused = await member.post("/api/v1/souls/create", soul)
    assert.deepStrictEqual(bodyOf(refused, 429), { error: "Rate limit exceeded" })
    assert.deepInclude(limitOf(refused), { limit: 10, remaining: 0 })
  })

  it("free tier: 100 an hour for all keys of the account together; pro: 1,000 (LIMIT-5, ERROR-19)", async () => {
    const member = await market.member()
    const other = await anotherKey(member)
    const start = limitOf(await member.get("/api/v1/account"))
    assert.strictEqual(start.limit, 100)
    near(start.reset, 3600)
    await drain(start.remaining, () => other.get("/api/v1/account"))
    for (const one of [member, other]) assertRefused(await one.get("/api/v1/account"), 100, "1h", 3600)
    const path = `/api/v1/admin/accounts/${member.id}`
    dataOf(await market.operator.patch(path, { tier: "pro" }))
    const raised = await member.get("/api/v1/account")
    assert.strictEqual(raised.status, 200)
    assert.strictEqual(limitOf(raised).limit, 1000)
    dataOf(await market.operator.patch(path, { tier: "enterprise" }))
    assert.isNull((await member.get("/api/v1/account")).headers.get("x-ratelimit-limit"))
    dataOf(await market.operator.patch(path, { hourlyLimit: 103 }))
    assert.strictEqual(limitOf(await member.get("/api/v1/account")).limit, 103)
  })

  it("requests without a valid key have a separate limit of 60 a minute for each address (LIMIT-11, LIMIT-12)", async () => {
    const from = (address: string, key = "amk_nothing") => ({
      "x-forwarded-for": address,
      authorization: `Bearer ${key}`
    })
    const member = await pro()
    const paths = ["/api/v1/account", "/v1/listings", "/nowhere"]
    for (let i = 0; i < 60; i++) {
      const reply = await market.guest.get(paths[i % 2]!, from("203.0.113.1"))
      assert.strictEqual(reply.status, 401, reply.text)
    }
    assertRefused(await market.guest.get("/api/v1/account", from("203.0.113.1")), 60, "1m", 60)
    failureOf(await market.guest.get("/api/v1/account", from("203.0.113.2")), 401, "INVALID_API_KEY")
    assert.strictEqual((await market.guest.get("/v1/listings", from("203.0.113.1", member.key))).status, 200)
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs", "/api/activity/live"]) {
      const reply = await market.guest.get(path, { "x-forwarded-for": "203.0.113.1" })
      assert.strictEqual(reply.status, 200, path)
    }
    const souls = await market.guest.get("/api/souls", { "x-forwarded-for": "203.0.113.1" })
    assert.deepStrictEqual(bodyOf(souls, 429), { error: "Rate limit exceeded" })
  })

  it("the feed's limit is soft: after 60 a minute it still returns 200, with 0 remaining (LIMIT-4)", async () => {
    const ask = (address: string) => market.guest.get("/api/activity/live", { "x-forwarded-for": address })
    const last = await drain(60, () => ask("203.0.113.9"))
    assert.deepInclude(limitOf(last), { limit: 60, remaining: 0 })
    for (let i = 0; i < 5; i++) {
      const past = await ask("203.0.113.9")
      assert.strictEqual(past.status, 200)
      assert.deepInclude(limitOf(past), { limit: 60, remaining: 0 })
      assert.hasAllKeys(past.body as object, ["activities", "stats"])
    }
    assert.deepInclude(limitOf(await ask("203.0.113.10")), { limit: 60, remaining: 59 })
  })

  it("registrations of agents count against the limit of the address", async () => {
    const register = () =>
      market.guest.post("/api/v1/agents/register", { name: "Many" }, { "x-forwarded-for": "203.0.113.20" })
    assert.strictEqual((await drain(60, register)).status, 201)
    assertRefused(await register(), 60, "1m", 60)
  })
})
