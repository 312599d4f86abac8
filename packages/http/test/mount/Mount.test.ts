import { assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const at = (path: string, stripped = false) => startMarket({ mount: { path, stripped } })

describe("a market mounted below a path", () => {
  it("answers there, with and without a query, and nowhere else (EMBED-5)", async () => {
    const { send, stop } = at("/shop/market")
    for (const path of ["/shop/market/healthz", "/shop/market/healthz?x=1", "/shop/market/api/activity/live?limit=2"]) {
      assert.strictEqual((await send("GET", path)).status, 200, path)
    }
    for (const path of ["/healthz", "/shop/markets/healthz", "/shop/marke", "/shop/market", "/shop/market?x=1", "/"]) {
      const { body, headers, status } = await send("GET", path)
      assert.deepStrictEqual([status, body.error.code], [404, "NOT_FOUND"], path)
      assert.isNotNull(headers.get("x-request-id"))
    }
    await stop()
  })

  it("says which methods a path below it has, and what is wrong with its encoding", async () => {
    const { send, stop } = at("/market")
    const signUp = await send("POST", "/market/api/v1/accounts", { body: { name: "Ada" } })
    const { key } = signUp.body.data.apiKey
    const wrong = await send("PUT", "/market/api/souls")
    assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "HEAD, GET"])
    const unreadable = await send("GET", "/market/api/souls/%ff", { key })
    assert.deepStrictEqual(unreadable, { ...unreadable, status: 400 })
    await stop()
  })

  it("includes the mount path in its documents", async () => {
    const { send, stop } = at("/market")
    assert.deepStrictEqual((await send("GET", "/market/openapi.json")).body.servers, [{ url: "/market" }])
    assert.include((await send("GET", "/market/docs")).text, 'href="/market/docs/reference/purchases"')
    await stop()
  })

  it("answers without the path if a proxy removes it, and still includes it in its documents", async () => {
    const { send, stop } = at("/market", true)
    assert.strictEqual((await send("GET", "/healthz")).status, 200)
    assert.strictEqual((await send("GET", "/market/healthz")).status, 404)
    assert.deepStrictEqual((await send("GET", "/openapi.json")).body.servers, [{ url: "/market" }])
    await stop()
  })

  it("can be mounted below a path with which its own routes start", async () => {
    const { send, stop } = at("/api")
    assert.strictEqual((await send("GET", "/api/api/activity/live")).status, 200)
    assert.strictEqual((await send("GET", "/api/activity/live")).status, 404)
    await stop()
  })
})
