import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const people: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  alice: { id: "1", name: "Alice" },
  bob: { id: "2", name: "Bob" }
}

/** Sessions in a cookie, tokens in a header; `agent=` and `scope=` refine the session. */
const users: HostUserSource = {
  recognise: ({ authorization = "", cookie = "" }) => {
    if (cookie.includes("away")) return Effect.fail(new StoreUnavailable({}))
    const name = /user=(\w+)/.exec(cookie)?.[1] ?? /^Bearer jwt-(\w+)$/.exec(authorization)?.[1]
    const person = name === undefined ? undefined : people[name]
    if (person === undefined) return Effect.succeed(null)
    const scope = /scope=(\w+)/.exec(cookie)?.[1] as "READ" | undefined
    const agentId = /agent=(\w+)/.exec(cookie)?.[1]
    return Effect.succeed({ ...person, scope, agentId })
  }
}

const market = startMarket({ users, http: { baseUrl: "http://market.test", allowedHosts: ["inside.test"] } })
const { account, send } = market
afterAll(market.stop)

const own = "http://market.test"

/** From a page of the market's own origin. */
const session = (cookie: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { cookie, origin: own, ...more }
})
const me = "/api/v1/account"

describe("users of the host over HTTP", () => {
  it("a session and a token of the host's user identify the same account", async () => {
    const first = await send("GET", me, session("a=b; user=alice"))
    assert.deepStrictEqual([first.status, first.body.data.name, first.body.data.seller], [200, "Alice", false])
    const again = await send("GET", me, { key: "jwt-alice" })
    assert.strictEqual(again.body.data.id, first.body.data.id)
    const other = await send("GET", me, session("user=bob"))
    assert.notStrictEqual(other.body.data.id, first.body.data.id)
  })

  it("a user that the host does not know gets the usual refusal", async () => {
    const stranger = await send("GET", me, session("user=eve"))
    assert.deepStrictEqual([stranger.status, stranger.body.error.message], [401, "API key required"])
    const token = await send("GET", me, { key: "jwt-eve" })
    assert.deepStrictEqual([token.status, token.body.error.message], [401, "Invalid or inactive API key"])
  })

  it("a key of the market is checked only by the market, even if it is wrong", async () => {
    const { key } = await account({ name: "Keyholder" })
    const own = await send("GET", me, { key, headers: { cookie: "user=alice" } })
    assert.strictEqual(own.body.data.name, "Keyholder")
    const wrong = await send("GET", me, { key: `${key.slice(0, -1)}!`, headers: { cookie: "user=alice" } })
    assert.strictEqual(wrong.status, 401)
  })

  it("only the operator's token, and no session of the host, opens the operator's routes", async () => {
    const path = "/api/v1/admin/ledger/audit"
    assert.strictEqual((await send("GET", path, session("user=alice"))).status, 403)
    assert.strictEqual((await send("GET", path, { key: adminToken, headers: { cookie: "user=alice" } })).status, 200)
  })

  it("scopes and agents are enforced as for keys (SCOPE-5, AGENT-14)", async () => {
    const soul = { name: "A soul", description: "Described at length.", content: "# SOUL" }
    const reading = { ...session("user=alice; scope=READ"), body: soul }
    assert.strictEqual((await send("POST", "/api/v1/souls/create", reading)).status, 403)
    const made = await send("POST", "/api/v1/agents", { ...session("user=alice"), body: { name: "Shopper" } })
    const agent = made.body.data.id as string
    assert.strictEqual((await send("GET", "/api/v1/agents", session(`user=alice; agent=${agent}`))).status, 403)
    assert.strictEqual((await send("GET", me, session(`user=alice; agent=${agent}`))).status, 200)
    assert.strictEqual((await send("GET", me, session(`user=bob; agent=${agent}`))).status, 401)
  })

  describe("a write with the cookie of the host's user", () => {
    const write = async (headers: Readonly<Record<string, string>>) =>
      (await send("PATCH", me, { headers: { cookie: "user=alice", ...headers }, body: { seller: true } })).status

    it("must come from a page of the same origin", async () => {
      for (const site of [{}, { "sec-fetch-site": "same-origin" }])
        assert.strictEqual(await write({ origin: own, ...site }), 200, JSON.stringify(site))
      assert.strictEqual(await write({ "sec-fetch-site": "same-origin" }), 200)
    })

    const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      "another site, by a browser without fetch metadata": { origin: "https://evil.example" },
      "a sibling subdomain": { origin: "http://blog.market.test", "sec-fetch-site": "same-site" },
      "a subdomain, by a browser without fetch metadata": { origin: "http://blog.market.test" },
      "another port of the host": { origin: "http://market.test:8080" },
      "another scheme": { origin: "https://market.test" },
      "a sandboxed frame": { origin: "null" },
      "a sandboxed frame of the site itself": { origin: "null", "sec-fetch-site": "same-origin" },
      "nowhere: neither origin nor fetch metadata": {},
      "a link or a form without an origin": { "sec-fetch-site": "cross-site" },
      "the address bar": { "sec-fetch-site": "none" },
      "an origin that the metadata contradict": { origin: own, "sec-fetch-site": "cross-site" }
    }
    for (const [name, headers] of Object.entries(attacks)) {
      it(`is refused from ${name}`, async () => {
        const { body, status } = await send("PATCH", me, {
          headers: { cookie: "user=alice", ...headers },
          body: { seller: true }
        })
        assert.deepStrictEqual([status, body.error.details], [403, { required: ["same origin"] }])
      })
    }

    it("must be JSON: a simple body of a form or script is refused, and so is one without a type (ERROR-17)", async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        assert.strictEqual(await write({ origin: own, "content-type": type }), 415, type)
      const bare = await send("PATCH", me, {
        headers: { cookie: "user=alice", origin: own },
        raw: new TextEncoder().encode('{"seller":true}'),
        bare: true
      })
      assert.strictEqual(bare.status, 415)
    })

    it("is not restricted with a token, which no browser sends by itself; neither is reading", async () => {
      assert.strictEqual(await write({ origin: "https://evil.example", authorization: "Bearer jwt-alice" }), 200)
      const crossSite = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
      assert.strictEqual((await send("GET", me, session("user=alice", crossSite))).status, 200)
    })
  })

  it("a foreign name that resolves to the market is refused for the host's users, even to read (ERROR-18)", async () => {
    const to = async (host: string, method = "GET") => {
      const request = new Request(`http://${host}${me}`, {
        method,
        headers: { cookie: "user=alice", origin: `http://${host}` }
      })
      return (await market.fetch(request)).status
    }
    assert.strictEqual(await to("market.test"), 200)
    assert.strictEqual(await to("inside.test"), 200)
    for (const host of ["evil.example", "market.test.evil.example", "127.0.0.1"])
      assert.strictEqual(await to(host), 421, host)
  })

  it("a host that cannot decide now causes a 503, and keys still work", async () => {
    assert.strictEqual((await send("GET", me, session("away"))).status, 503)
    const { key } = await account()
    assert.strictEqual((await send("GET", me, { key, headers: { cookie: "away" } })).status, 200)
  })

  it("sessions of one user share that user's limits, and do not affect other users", async () => {
    const limited = startMarket({ users, limits: true })
    const left = async (cookie: string) =>
      Number((await limited.send("GET", me, session(cookie))).headers.get("x-ratelimit-remaining"))
    assert.deepStrictEqual(
      [await left("user=alice"), await left("user=alice; scope=READ"), await left("user=bob")],
      [99, 98, 99]
    )
    await limited.stop()
  })
})
