import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { MarketFixture } from "../fixtures/startMarket.ts"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const started: Array<ReturnType<typeof startMarket>> = []
afterAll(() => Promise.all(started.map((market) => market.stop())))

const marketAt = (baseUrl: string, more: MarketFixture = {}) => {
  const market = startMarket({ ...more, http: { baseUrl, ...more.http } })
  started.push(market)
  return market
}

/** A page of the service in a browser that has signed in with the key. */
const signIn = async (market: ReturnType<typeof startMarket>, baseUrl: string, apiKey: string) => {
  const { headers, status, text } = await market.send("POST", "/api/v1/sessions", { body: { apiKey } })
  assert.strictEqual(status, 201, text)
  const setCookie = headers.get("set-cookie") ?? ""
  const cookie = setCookie.split(";")[0] ?? ""
  return { setCookie, headers: { cookie, origin: baseUrl, "x-requested-with": "console" } }
}

describe("the cookie of a session", () => {
  it("over HTTPS has the prefix __Host- and is Secure; only that origin may use it (SESSION-2, SESSION-4)", async () => {
    const baseUrl = "https://market.test"
    const market = marketAt(baseUrl)
    const { key } = await market.account()
    const { headers, setCookie } = await signIn(market, baseUrl, key)
    assert.match(
      setCookie,
      /^__Host-session=ams_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/
    )
    assert.strictEqual((await market.send("GET", "/api/v1/account", { headers })).status, 200)
    const plain = { ...headers, cookie: headers.cookie.replace("__Host-", "") }
    assert.strictEqual((await market.send("GET", "/api/v1/account", { headers: plain })).status, 401)
    for (const origin of ["http://market.test", "https://www.market.test", "https://market.test.evil.example"]) {
      const { status } = await market.send("GET", "/api/v1/account", { headers: { ...headers, origin } })
      assert.strictEqual(status, 403, origin)
    }
  })

  it("is not set over plain HTTP on a network, and sessions are off there (SESSION-21)", async () => {
    const market = marketAt("http://market.test")
    const { key } = await market.account()
    for (const body of [{ apiKey: key }, { adminToken }]) {
      const { body: answer, headers, status } = await market.send("POST", "/api/v1/sessions", { body })
      assert.deepStrictEqual([status, answer.error.details], [403, { required: ["https"] }])
      assert.isNull(headers.get("set-cookie"))
    }
    assert.strictEqual((await market.send("POST", "/api/v1/sessions/links", { key })).status, 403)
  })

  it("is ignored where a host identifies its own users, and nobody can sign in (SESSION-19)", async () => {
    const baseUrl = "https://market.test"
    const market = marketAt(baseUrl, { users: { recognise: () => Effect.succeed(null) } })
    const { key } = await market.account()
    const { body, status } = await market.send("POST", "/api/v1/sessions", { body: { apiKey: key } })
    assert.deepStrictEqual([status, body.error.details], [403, { required: ["host application"] }])
    assert.strictEqual((await market.send("POST", "/api/v1/sessions/links", { key })).status, 403)
    const headers = {
      cookie: `__Host-session=ams_${"A".repeat(43)}`,
      origin: baseUrl,
      "x-requested-with": "console"
    }
    const refused = await market.send("GET", "/api/v1/account", { headers })
    assert.deepStrictEqual([refused.status, refused.body.error.message], [401, "API key required"])
  })

  it("counts a session's requests with those of the account's keys (SESSION-20)", async () => {
    const baseUrl = "https://market.test"
    const market = marketAt(baseUrl, { limits: true })
    const { id, key } = await market.account()
    await market.send("PATCH", `/api/v1/admin/accounts/${id}`, { key: adminToken, body: { hourlyLimit: 5 } })
    const { headers } = await signIn(market, baseUrl, key)
    const remaining = async (caller: object): Promise<string | null> =>
      (await market.send("GET", "/api/v1/account", caller)).headers.get("x-ratelimit-remaining")
    assert.deepStrictEqual(
      [await remaining({ headers }), await remaining({ key }), await remaining({ headers })],
      ["4", "3", "2"]
    )
    await remaining({ key })
    await remaining({ headers })
    assert.strictEqual((await market.send("GET", "/api/v1/account", { headers })).status, 429)
    // Control of the account has a limit of its own.
    assert.strictEqual((await market.send("GET", "/api/v1/sessions", { headers })).status, 200)
  })

  it("a flood of forged cookies costs no more look-ups than the limit allows (LIMIT-12)", async () => {
    const baseUrl = "https://market.test"
    const market = marketAt(baseUrl, { limits: true })
    const forged = (i: number) => `__Host-session=ams_${String(i).padStart(43, "0")}`
    const statuses = new Map<number, number>()
    for (let i = 0; i < 80; i++) {
      const headers = { cookie: forged(i), origin: baseUrl, "x-requested-with": "console" }
      const { status } = await market.send("GET", "/api/v1/account", { headers, address: "203.0.113.7" })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepStrictEqual(Object.fromEntries(statuses), { 401: 60, 429: 20 })
  })
})
