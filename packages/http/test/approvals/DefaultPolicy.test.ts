import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

describe("the spending policy of a new account", () => {
  it("approves automatically and limits nothing (POLICY-2)", async () => {
    const { key } = await market.account()
    const { body } = await market.send("GET", "/api/v1/wallet/policy", { key })
    assert.deepStrictEqual(body.data, {
      autoApprove: true,
      autoApproveThreshold: null,
      perTransactionLimit: null,
      dailyLimit: null,
      weeklyLimit: null,
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    })
  })
})
