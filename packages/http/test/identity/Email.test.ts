import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const email = "ada.lovelace@example.com"

describe("an account's e-mail address (ACCOUNT-5)", () => {
  it("need not be unique, at creation or by a change", async () => {
    const [one, two, three] = [
      await market.account({ email }),
      await market.account({ email }),
      await market.account({ email: "other@example.com" })
    ]
    assert.notStrictEqual(one.id, two.id)
    const changed = await market.send("PATCH", "/api/v1/account", { key: three.key, body: { email } })
    assert.deepStrictEqual([changed.status, changed.body.data.email], [200, email])
  })

  it("does not appear in any response to another account", async () => {
    const [seller, reader] = [await market.account({ email, seller: true }), await market.account()]
    const soul = { name: "Quiet soul", description: "Says who made it.", content: "# SOUL\n\nQuiet." }
    const created = (await market.send("POST", "/api/v1/souls/create", { key: seller.key, body: soul })).body
    const skill = { name: "Quiet skill", description: "Says who made it.", price: 0, pricingModel: "free" }
    const { id } = (await market.send("POST", "/api/v1/skills", { key: seller.key, body: skill })).body.data
    const bought = await market.send("POST", "/api/v1/purchases", { key: reader.key, body: { skillId: id } })
    assert.strictEqual(bought.status, 201)
    const paths = [
      "/api/souls",
      `/api/souls/${created.slug}`,
      "/v1/listings",
      `/v1/listings/${id}`,
      "/api/v1/skills",
      `/api/v1/skills/${id}`,
      "/api/v1/purchases",
      "/api/activity/live"
    ]
    for (const path of paths) {
      const response = await market.send("GET", path, { key: reader.key })
      assert.strictEqual(response.status, 200, path)
      assert.notInclude(response.text, email, path)
    }
    const own = await market.send("GET", "/api/v1/account", { key: seller.key })
    assert.include(own.text, email, "the account's owner sees it")
  })
})
