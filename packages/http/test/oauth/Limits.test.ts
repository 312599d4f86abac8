import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket({ limits: true, http: { baseUrl: "http://market.test", openRegistration: true } })
const { send } = market
afterAll(market.stop)

const registration = { client_name: "Self-made", redirect_uris: ["https://app.example.com/callback"] }

describe("the limits of OAuth's own endpoints (OAUTH-21)", () => {
  it("count each client address, and refuse in the form of OAuth with the time to wait", async () => {
    const ask = (address: string) => send("GET", "/oauth/authorize?client_id=oac_unknown", { address })
    for (let n = 0; n < 60; n++) assert.strictEqual((await ask("192.0.2.1")).status, 401)
    const refused = await ask("192.0.2.1")
    assert.strictEqual(refused.status, 429)
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    assert.strictEqual(refused.headers.get("x-ratelimit-limit"), "60")
    assert.strictEqual((await ask("192.0.2.2")).status, 401)
    const exchange = await send("POST", "/oauth/token", {
      address: "192.0.2.1",
      raw: "grant_type=authorization_code&client_id=oac_unknown",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
    assert.deepStrictEqual([exchange.status, exchange.body.error], [401, "invalid_client"])
    assert.strictEqual(exchange.headers.get("x-ratelimit-limit"), "300")
  })

  it("ten applications an hour register themselves; refused ones do not count", async () => {
    const register = (body: object) => send("POST", "/oauth/register", { address: "192.0.2.3", body })
    for (let n = 0; n < 12; n++) assert.strictEqual((await register({ redirect_uris: ["/callback"] })).status, 400)
    for (let n = 0; n < 10; n++) assert.strictEqual((await register(registration)).status, 201)
    const refused = await register(registration)
    assert.deepStrictEqual([refused.status, refused.body.error], [429, "temporarily_unavailable"])
  })
})

it("a method that an endpoint of OAuth does not have is refused in its form (OAUTH-21)", async () => {
  for (const [method, path, allow] of [
    ["GET", "/oauth/token", "POST"],
    ["PUT", "/oauth/token", "POST"],
    ["GET", "/oauth/revoke", "POST"],
    ["DELETE", "/oauth/introspect", "POST"],
    ["GET", "/oauth/register", "POST"],
    ["GET", "/oauth/device_authorization", "POST"],
    ["PUT", "/oauth/authorize", "HEAD, GET"],
    ["POST", "/.well-known/oauth-authorization-server", "HEAD, GET"]
  ] as const) {
    const { body, headers, status } = await send(method, path)
    assert.deepStrictEqual([status, headers.get("allow")], [405, allow], `${method} ${path}`)
    assert.deepStrictEqual(Object.keys(body), ["error", "error_description"], `${method} ${path}`)
    assert.strictEqual(body.error, "invalid_request")
  }
  const general = await send("PUT", "/api/v1/oauth/grants")
  assert.deepStrictEqual([general.status, general.body.error.code], [405, "METHOD_NOT_ALLOWED"])
})
