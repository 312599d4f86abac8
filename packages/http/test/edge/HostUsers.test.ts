import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const people: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  alice: { id: "1", name: "Alice" },
  bob: { id: "2", name: "Bob" }
}

/** Sessions in a cookie, tokens in a header; `agent=` and `scope=` say more of the session. */
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

const market = startMarket({ users })
const { account, send } = market
afterAll(market.stop)

const session = (cookie: string, more: Readonly<Record<string, string>> = {}) => ({ headers: { cookie, ...more } })
const me = "/api/v1/account"

describe("users of the host over HTTP", () => {
  it("a session or a token of the host's is an account, the same one for both", async () => {
    const first = await send("GET", me, session("a=b; user=alice"))
    assert.deepStrictEqual([first.status, first.body.data.name, first.body.data.seller], [200, "Alice", false])
    const again = await send("GET", me, { key: "jwt-alice" })
    assert.strictEqual(again.body.data.id, first.body.data.id)
    const other = await send("GET", me, session("user=bob"))
    assert.notStrictEqual(other.body.data.id, first.body.data.id)
  })

  it("whom the host does not know is told what everybody is told", async () => {
    const stranger = await send("GET", me, session("user=eve"))
    assert.deepStrictEqual([stranger.status, stranger.body.error.message], [401, "API key required"])
    const token = await send("GET", me, { key: "jwt-eve" })
    assert.deepStrictEqual([token.status, token.body.error.message], [401, "Invalid or inactive API key"])
  })

  it("a key of the market's own is looked at by the market alone, also when it is wrong", async () => {
    const { key } = await account({ name: "Keyholder" })
    const own = await send("GET", me, { key, headers: { cookie: "user=alice" } })
    assert.strictEqual(own.body.data.name, "Keyholder")
    const wrong = await send("GET", me, { key: `${key.slice(0, -1)}!`, headers: { cookie: "user=alice" } })
    assert.strictEqual(wrong.status, 401)
  })

  it("the operator's token and nothing of the host's opens the operator's side", async () => {
    const path = "/api/v1/admin/ledger/audit"
    assert.strictEqual((await send("GET", path, session("user=alice"))).status, 403)
    assert.strictEqual((await send("GET", path, { key: adminToken, headers: { cookie: "user=alice" } })).status, 200)
  })

  it("scopes and agents are held to as those of keys are (SCOPE-5, AGENT-14)", async () => {
    const soul = { name: "A soul", description: "Described at length.", content: "# SOUL" }
    const reading = { ...session("user=alice; scope=READ"), body: soul }
    assert.strictEqual((await send("POST", "/api/v1/souls/create", reading)).status, 403)
    const made = await send("POST", "/api/v1/agents", { ...session("user=alice"), body: { name: "Shopper" } })
    const agent = made.body.data.id as string
    assert.strictEqual((await send("GET", "/api/v1/agents", session(`user=alice; agent=${agent}`))).status, 403)
    assert.strictEqual((await send("GET", me, session(`user=alice; agent=${agent}`))).status, 200)
    assert.strictEqual((await send("GET", me, session(`user=bob; agent=${agent}`))).status, 401)
  })

  it("another site's page cannot write with the cookie that a browser sends along", async () => {
    const crossSite = { "sec-fetch-site": "cross-site" }
    const patch = (more: Readonly<Record<string, string>>) =>
      send("PATCH", me, { ...session("user=alice", more), body: { seller: true } })
    assert.strictEqual((await patch(crossSite)).status, 401)
    assert.strictEqual((await patch({ ...crossSite, authorization: "Bearer jwt-alice" })).status, 200)
    assert.strictEqual((await patch({ "sec-fetch-site": "same-origin" })).status, 200)
    assert.strictEqual((await send("GET", me, session("user=alice", crossSite))).status, 200)
  })

  it("a host that cannot tell now is a 503, and keys go on working", async () => {
    assert.strictEqual((await send("GET", me, session("away"))).status, 503)
    const { key } = await account()
    assert.strictEqual((await send("GET", me, { key, headers: { cookie: "away" } })).status, 200)
  })

  it("sessions of one user share that user's limits, and take none from another", async () => {
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
