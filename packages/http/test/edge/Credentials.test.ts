import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const { key } = await market.account()

const messageFor = async (path: string, authorization: string) => {
  const { body, status } = await market.send("GET", path, { headers: { authorization } })
  assert.strictEqual(status, 401)
  return body.error.message ?? body.error
}

describe("the body of a 401 (ERROR-3)", () => {
  it("a key without Bearer gets an explanation of the header", async () => {
    for (const value of [key, `Basic ${key}`, `Token ${key}`])
      assert.include(await messageFor("/api/v1/account", value), "`Authorization: Bearer <key>`", value)
  })

  it("the operator's token on a user's route is identified as such", async () => {
    assert.include(await messageFor("/api/v1/account", `Bearer ${adminToken}`), "operator's token")
  })

  it("a wrong key is not explained, and the routes of souls keep their two messages (WIRE-3)", async () => {
    assert.strictEqual(await messageFor("/api/v1/account", `Bearer ${key}x`), "Invalid or inactive API key")
    for (const value of [key, `Bearer ${adminToken}`])
      assert.strictEqual(await messageFor("/api/souls", value), "Invalid or inactive API key")
  })
})

describe("the operator's token", () => {
  it("is accepted when it looks like a key of the market", async () => {
    const token = "amk_an-operators-token-of-40-characters-0001"
    const own = startMarket({ http: { adminToken: Redacted.make(token) } })
    assert.strictEqual((await own.send("GET", "/api/v1/admin/accounts", { key: token })).status, 200)
    await own.stop()
  })
})
