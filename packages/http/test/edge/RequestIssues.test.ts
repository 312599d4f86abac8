import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const owner = await market.account({ seller: true })

const issuesOf = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
  const sent = typeof body === "string" ? { raw: body } : { body }
  const answer = await market.send(method, path, { key: owner.key, headers, ...sent })
  assert.strictEqual(answer.status, 400, answer.text)
  const issues = answer.body.error.details.issues as ReadonlyArray<{ readonly path: string; readonly message: string }>
  return issues.map(({ message, path: field }) => `${field}: ${message}`).toSorted()
}

const past = "2001-01-01T00:00:00.000Z"
const plain = "http://example.com/hook"
const tooLong = "k".repeat(256)

describe("all issues together (ERROR-2), those of business rules and those of the schema", () => {
  it("a key: the time is past and the scope unknown", async () => {
    const issues = await issuesOf("POST", "/api/v1/keys", { name: "CI", scope: "ALL", expiresAt: past })
    assert.deepStrictEqual(issues, [
      "expiresAt: must be in the future",
      "scope: must be one of: READ, BUYER, SELLER, FULL"
    ])
  })

  it("a webhook: its URL is not HTTPS and no event is named", async () => {
    const created = await issuesOf("POST", "/api/v1/webhooks", { url: plain, events: [] })
    assert.lengthOf(created, 2)
    assert.strictEqual(created[0], "events: must name at least one event")
    assert.strictEqual(created[1], "url: must be an HTTPS URL")
    const changed = await issuesOf("PATCH", "/api/v1/webhooks/whk_1", { url: plain, status: "asleep" })
    assert.deepStrictEqual(changed[0], "status: must be one of: active, disabled")
    assert.strictEqual(changed[1], created[1])
  })

  it("a withdrawal: header, amount and address, also if one of them is valid", async () => {
    const path = "/api/v1/wallet/withdrawals"
    const address = "destinationAddress: must be a valid TRON address"
    const key = { "idempotency-key": tooLong }
    const amount = "amount: must have at most 6 decimals"
    assert.deepStrictEqual(await issuesOf("POST", path, { amount: "1.0000001", destinationAddress: "T1" }), [
      amount,
      address
    ])
    const low = await issuesOf("POST", path, { amount: "0.01", destinationAddress: "" })
    assert.match(low[0]!, /^amount: must be at least 5.00 USDT/)
    assert.match(low[1]!, /^destinationAddress: /)
    const all = await issuesOf("POST", path, { amount: "1.0000001", destinationAddress: "T1" }, key)
    assert.deepStrictEqual(all.slice(0, 2), [amount, address])
    assert.match(all[2]!, /^idempotency-key: /)
    const cut = await issuesOf("POST", path, '{"amount":', key)
    assert.strictEqual(cut[0], "body: must be valid JSON")
    assert.match(cut[1]!, /^idempotency-key: /)
  })

  it("a policy: limits out of order and an invalid flag", async () => {
    const issues = await issuesOf("PUT", "/api/v1/wallet/policy", {
      autoApprove: "yes",
      autoApproveThreshold: null,
      perTransactionLimit: 10,
      dailyLimit: 5,
      weeklyLimit: "x",
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    })
    assert.lengthOf(issues, 3)
    assert.strictEqual(issues[0], "autoApprove: must be true or false")
    assert.strictEqual(issues[1], "dailyLimit: must be at least perTransactionLimit")
    assert.match(issues[2]!, /^weeklyLimit: /)
  })

  it("a skill: a price that does not fit its pricing model, and no name", async () => {
    const draft = { description: "Cleans CSV files of any size.", price: 3, pricingModel: "free" }
    const issues = await issuesOf("POST", "/api/v1/skills", draft)
    assert.deepStrictEqual(issues, ["name: is required", "price: must be 0 where pricingModel is free"])
  })

  it("a change of one's own item: a price that does not fit what the item is", async () => {
    const draft = { name: "CSV cleaner", description: "Cleans CSV files of any size." }
    const item = async (more: object) =>
      (await market.send("POST", "/api/v1/skills", { key: owner.key, body: { ...draft, ...more } })).body.data
        .id as string
    const name = "name: must be 3 to 100 characters"
    const paid = `/api/v1/skills/${await item({ price: 5 })}`
    const free = await item({ price: 0, pricingModel: "free" })
    const mustBeFree = "price: must be 0 where pricingModel is free"
    assert.deepStrictEqual(await issuesOf("PATCH", paid, { pricingModel: "free", name: "x" }), [name, mustBeFree])
    const listing = await issuesOf("PATCH", `/v1/listings/${free}`, { price: 5, tags: "x" })
    assert.deepStrictEqual(listing, [mustBeFree, "tags: must be a list"])
    const another = await market.account({ seller: true })
    const response = await market.send("PATCH", paid, { key: another.key, body: { pricingModel: "free", name: "x" } })
    assert.lengthOf(response.body.error.details.issues, 1, "nothing is revealed about another account's item")
  })

  it("a simulated deposit: no amount and no valid address", async () => {
    const path = "/api/v1/admin/simulated-chain/deposits"
    const { body } = await market.send("POST", path, { key: adminToken, body: { address: "T1", amount: 0 } })
    assert.deepStrictEqual(body.error.details.issues, [
      { path: "amount", message: "must be greater than 0" },
      { path: "address", message: "must be a valid TRON address" }
    ])
  })

  it("a URL: parameters that do not decode with those that do, each once and by its name", async () => {
    assert.deepStrictEqual(
      await issuesOf("GET", "/v1/listings?search=%ff&limit=0&page=%00&%73earch=%c3&sortBy=zz", undefined),
      [
        "limit: must be a whole number from 1 to 100",
        "page: must not contain NUL",
        "search: must be percent-encoded UTF-8",
        "sortBy: must be one of: price, rating, popular, newest"
      ]
    )
    assert.deepStrictEqual(await issuesOf("PATCH", "/api/v1/webhooks/%00", { url: plain, status: "asleep" }), [
      "path: must not contain NUL",
      "status: must be one of: active, disabled",
      `url: must be an HTTPS URL`
    ])
  })
})

describe("unknown parameters and fields are ignored (WIRE-19, WIRE-20)", () => {
  it("an unknown parameter, whatever its value", async () => {
    for (const query of ["utm=%00", "utm=%ff", "%ff=1", "utm=%", "a=%zz&limit=5"]) {
      const { status, text } = await market.send("GET", `/v1/listings?${query}`, { key: owner.key })
      assert.strictEqual(status, 200, `${query}: ${text}`)
    }
  })
})
