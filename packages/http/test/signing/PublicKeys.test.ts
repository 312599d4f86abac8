import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const path = "/.well-known/agent-marketplace-keys.json"

describe("the market's public keys over HTTP (SIGN-4)", () => {
  let market: ReturnType<typeof startMarket>
  beforeAll(() => {
    market = startMarket({ limits: true })
  })
  afterAll(() => market.stop())

  it("are readable without a key and from every origin, and copies stay valid", async () => {
    const { body, headers, status } = await market.send("GET", path)
    assert.strictEqual(status, 200)
    assert.lengthOf(body.keys, 1)
    const [key] = body.keys
    assert.deepInclude(key, { kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA", retiredAt: null })
    assert.sameMembers(Object.keys(key), ["kty", "crv", "x", "kid", "use", "alg", "createdAt", "retiredAt"])
    assert.strictEqual(headers.get("access-control-allow-origin"), "*")
    assert.strictEqual(headers.get("cache-control"), "public, max-age=300")
    const etag = headers.get("etag") ?? ""
    const again = await market.send("GET", path, { headers: { "if-none-match": etag } })
    assert.strictEqual(again.status, 304)
    assert.strictEqual((await market.send("OPTIONS", path)).status, 204)
    assert.strictEqual((await market.send("POST", path, { body: {} })).status, 405)
  })

  it("are not limited, so that no client runs out of keys", async () => {
    for (let requests = 0; requests < 70; requests += 1)
      assert.strictEqual((await market.send("GET", path)).status, 200)
  })
})
