import { afterAll, assert, describe, it } from "vitest"
import { literalIssues } from "../../src/edge/NumberLiterals.ts"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const message = "must have at most 6 decimals"

describe("amounts as JSON numbers (MONEY-5)", () => {
  it("are checked in their written form", () => {
    const refused = ["5.00000000000000000001", "0.0000001", "1e-7", "12e-7", "1.0000001e0", "1e-400", "100.00000001e1"]
    for (const text of refused)
      assert.deepStrictEqual(literalIssues(`{"price":${text}}`), [{ path: "price", message }], text)
    const accepted = ["5", "5.000000", "5.0000000000", "1e-6", "1.5e3", "1000000e-12", "0.1234560e0", "12.50"]
    for (const text of accepted) assert.deepStrictEqual(literalIssues(`{"price":${text}}`), [], text)
  })

  it("are found anywhere in the body, and strings that look like them are ignored", () => {
    const nested = '{"a":{"list":[{"x":1},{"x":0.00000001}]},"text":"5.00000000000000000001","b":1.00000001}'
    assert.deepStrictEqual(
      literalIssues(nested).map(({ path }) => path),
      ["a.list.1.x", "b"]
    )
    assert.deepStrictEqual(literalIssues('{"price":5.00000001'), [])
  })

  it("are refused over HTTP, not rounded", async () => {
    const { key } = await market.account({ seller: true })
    const draft =
      '"name":"CSV Cleaner","description":"Cleans CSV files of any size.","category":"data","installUrl":"https://code.example/x"'
    const raw = `{${draft},"price":5.00000000000000000001}`
    for (const path of ["/v1/listings", "/api/v1/skills"]) {
      const { body, status } = await market.send("POST", path, { key, raw })
      assert.deepStrictEqual([status, body.error.details], [400, { issues: [{ path: "price", message }] }], path)
    }
    const policy = await market.send("PUT", "/api/v1/wallet/policy", { key, raw: '{"dailyLimit":1.00000001}' })
    assert.strictEqual(policy.status, 400)
    assert.deepInclude(policy.body.error.details.issues, { path: "dailyLimit", message })
    assert.strictEqual(
      (await market.send("POST", "/v1/listings", { key, raw: `{${draft},"price":5.0000000000}` })).status,
      201
    )
  })
})
