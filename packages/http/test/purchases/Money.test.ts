import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const seller = await market.account({ seller: true })
const buyer = await market.account()

const listing = async (name: string, price: number) => {
  const { body } = await market.send("POST", "/v1/listings", {
    key: seller.key,
    body: { name, description: "Does one thing well.", price, category: "data", installUrl: "https://example.com/x" }
  })
  return body.id as string
}

const balance = async (): Promise<number> =>
  (await market.send("GET", "/api/v1/wallet/balance", { key: buyer.key })).body.data.availableBalance

const buy = (skillId: string, idempotencyKey?: string, more: object = {}) =>
  market.send("POST", "/api/v1/purchases", {
    key: buyer.key,
    body: { skillId, ...more },
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })

describe("buying without money", () => {
  it("402 with the required and the available amount (ERROR-4, BUY-10)", async () => {
    const { body, status } = await buy(await listing("Costly", 12.5))
    assert.strictEqual(status, 402)
    assert.deepStrictEqual(body.error.details, { required: "12.50 USDT", available: "0.00 USDT" })
  })

  it("a refusal keeps no Idempotency-Key (IDEMPOTENCY-6)", async () => {
    const id = await listing("Costly too", 3)
    assert.strictEqual((await buy(id, "again")).status, 402)
    const again = await buy(id, "again")
    assert.strictEqual(again.status, 402)
    assert.isNull(again.headers.get("idempotent-replayed"))
  })
})

describe("free items, which need no deposit", () => {
  const free = async (name: string) => {
    const { body } = await market.send("POST", "/api/v1/skills", {
      key: seller.key,
      body: { name, description: "Costs nothing at all.", price: 0, pricingModel: "free" }
    })
    return body.data.id as string
  }

  it("the same key and request gives the first answer again, marked as replayed (IDEMPOTENCY-1)", async () => {
    const id = await free("Free one")
    const first = await buy(id, "order-1")
    assert.strictEqual(first.status, 201)
    assert.isNull(first.headers.get("idempotent-replayed"))
    const again = await buy(id, "order-1")
    assert.deepStrictEqual([again.status, again.body], [201, first.body])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
  })

  it("autoInstall is accepted and changes nothing on the server (BUY-18)", async () => {
    const plain = await buy(await free("Free, not installed"))
    const installed = await buy(await free("Free, installed"), undefined, { autoInstall: true })
    assert.deepStrictEqual([plain.status, installed.status], [201, 201])
    assert.deepStrictEqual(Object.keys(installed.body.data), Object.keys(plain.body.data))
    assert.strictEqual(installed.body.data.status, "completed")
    const wrong = await buy(await free("Free, wrong"), undefined, { autoInstall: "yes" })
    assert.deepStrictEqual([wrong.status, wrong.body.error.details.issues[0].path], [400, "autoInstall"])
  })

  it("even if both arrive at the same time", async () => {
    const id = await free("Free two")
    const answers = await Promise.all(Array.from({ length: 5 }, () => buy(id, "order-2")))
    assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
    assert.strictEqual(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1)
  })

  it("the same key with another request is 422, and buying twice 409", async () => {
    const one = await free("Free three")
    const two = await free("Free four")
    const bought = await buy(one, "order-3")
    const reused = await buy(two, "order-3")
    assert.deepStrictEqual([reused.status, reused.body.error.code], [422, "IDEMPOTENCY_KEY_REUSED"])
    const owned = await buy(one)
    assert.deepStrictEqual([owned.status, owned.body.error.code], [409, "ALREADY_PURCHASED"])
    assert.deepStrictEqual(owned.body.error.details, { purchaseId: bought.body.data.purchaseId })
  })

  it("a key of 0 or 256 characters is a VALIDATION_ERROR at its header", async () => {
    const id = await free("Free five")
    for (const key of ["", "k".repeat(256)]) {
      const { body, status } = await buy(id, key)
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.details.issues[0].path, "idempotency-key")
    }
    assert.strictEqual((await buy(id, "k".repeat(255))).status, 201)
  })

  it("the license is valid only for its seller", async () => {
    const { licenseKey } = (await buy(await free("Free six"))).body.data
    const validate = async (key: string) =>
      (await market.send("POST", "/api/v1/licenses/validate", { key, body: { licenseKey } })).body.data.valid
    assert.isTrue(await validate(seller.key))
    assert.isFalse(await validate(buyer.key))
  })

  it("the purchases' list carries pagination and meta (WIRE-9)", async () => {
    const { body } = await market.send("GET", "/api/v1/purchases?limit=2", { key: buyer.key })
    assert.lengthOf(body.data.purchases, 2)
    assert.isTrue(body.data.pagination.hasMore)
    assert.deepStrictEqual(Object.keys(body.meta), ["page", "limit", "total"])
  })
})

describe("the operator (OPERATOR-17, OPERATOR-18)", () => {
  it("moves the test clock, and refuses where there is none", async () => {
    const move = (of: typeof market) =>
      of.send("POST", "/api/v1/admin/clock", { key: adminToken, body: { advanceSeconds: 60 } })
    assert.strictEqual((await move(market)).status, 200)
    const strict = startMarket({ http: { testClock: false } })
    const refused = await move(strict)
    assert.deepStrictEqual([refused.status, refused.body.error.code], [404, "NOT_FOUND"])
    await strict.stop()
  })

  it("a deposit to an invalid address is a VALIDATION_ERROR", async () => {
    const { body, status } = await market.send("POST", "/api/v1/admin/simulated-chain/deposits", {
      key: adminToken,
      body: { address: "nowhere", amount: "5.00" }
    })
    assert.deepStrictEqual([status, body.error.details.issues[0].path], [400, "address"])
    assert.strictEqual(await balance(), 0)
  })

  it("a deposit of zero is a VALIDATION_ERROR", async () => {
    const deposit = await market.send("GET", "/api/v1/wallet/deposit", { key: buyer.key })
    for (const amount of [0, "0.00"]) {
      const { body, status } = await market.send("POST", "/api/v1/admin/simulated-chain/deposits", {
        key: adminToken,
        body: { address: deposit.body.data.address, amount }
      })
      assert.deepStrictEqual([status, body.error.details?.issues?.[0].path], [400, "amount"])
    }
  })
})

describe("the wallet (WALLET-1, DEPOSIT-1)", () => {
  it("the export is CSV with a header line, for the caller's wallet alone", async () => {
    const { headers, status, text } = await market.send("GET", "/api/v1/wallet/transactions?format=csv", {
      key: buyer.key
    })
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
    assert.match(text, /^id,type,amount,balanceAfter,reference,createdAt,agentId\r\n/)
  })

  it("a deposit address has a picture without a key; no other address has", async () => {
    const deposit = await market.send("GET", "/api/v1/wallet/deposit", { key: buyer.key })
    const { pathname } = new URL(deposit.body.data.qrCode)
    const picture = await market.send("GET", pathname)
    assert.deepStrictEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"])
    assert.include(picture.text, "PNG")
    assert.strictEqual((await market.send("GET", pathname.replace("/T", "/X"))).status, 404)
  })
})
