import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert, describe, it } from "vitest"
import type { TestMarket } from "../fixtures/startMarket.ts"
import { startMarket } from "../fixtures/startMarket.ts"

/** What a buyer without money would have to pay for an item of 10 in each currency. */
const requiredFor = async (market: TestMarket): Promise<Readonly<Record<string, unknown>>> => {
  const [seller, buyer] = [await market.account({ seller: true }), await market.account()]
  const skill = async (currency: string) => {
    const body = { name: `Priced in ${currency}`, description: "Costs ten of something.", price: 10, currency }
    return (await market.send("POST", "/api/v1/skills", { key: seller.key, body })).body.data.id as string
  }
  const soul = async () => {
    const body = { name: "Priced soul", description: "Costs ten of something.", content: "# SOUL", price: 10 }
    return (await market.send("POST", "/api/v1/souls/create", { key: seller.key, body })).body.id as string
  }
  const items = [
    ["USD", await skill("USD")],
    ["USDT", await skill("USDT")],
    ["USDC", await skill("USDC")],
    ["soul", await soul()]
  ] as const
  const required: Record<string, unknown> = {}
  for (const [name, skillId] of items) {
    const refused = await market.send("POST", "/api/v1/purchases", { key: buyer.key, body: { skillId } })
    assert.strictEqual(refused.status, 402, refused.text)
    required[name] = refused.body.error.details.required
  }
  return required
}

describe("prices in USDT (MONEY-7, MONEY-9)", () => {
  it("1 USD = 1 USDC = 1 USDT by default", async () => {
    const market = startMarket()
    assert.deepStrictEqual(await requiredFor(market), {
      USD: "10.00 USDT",
      USDT: "10.00 USDT",
      USDC: "10.00 USDT",
      soul: "10.00 USDT"
    })
    await market.stop()
  })

  it("a configured rate replaces the default for every purchase, and souls are priced in USDC", async () => {
    const rates = ExchangeRates.fixed({ USD: Usdt.of(2_000_000n), USDC: Usdt.of(3_000_000n) })
    const market = startMarket({ rates })
    assert.deepStrictEqual(await requiredFor(market), {
      USD: "20.00 USDT",
      USDT: "10.00 USDT",
      USDC: "30.00 USDT",
      soul: "30.00 USDT"
    })
    await market.stop()
  })

  it("lists filter and sort prices by their value in USDT (MONEY-8)", async () => {
    const rates = ExchangeRates.fixed({ USD: Usdt.of(2_000_000n), USDC: Usdt.of(3_000_000n) })
    const market = startMarket({ rates })
    const seller = await market.account({ seller: true })
    // The values are 20, 12 and 30 USDT.
    for (const [currency, price] of [
      ["USD", 10],
      ["USDT", 12],
      ["USDC", 10]
    ] as const) {
      const body = { name: `${price} ${currency}`, description: "Priced in something.", price, currency }
      await market.send("POST", "/api/v1/skills", { key: seller.key, body })
    }
    const soul = { name: "Four USDC", description: "Costs four of them.", content: "# SOUL", price: 4 }
    await market.send("POST", "/api/v1/souls/create", { key: seller.key, body: soul })
    const names = (items: ReadonlyArray<{ readonly name?: string; readonly title?: string }>) =>
      items.map(({ name, title }) => title ?? name)
    const listings = async (query: string) =>
      names((await market.send("GET", `/v1/listings?${query}`, seller)).body.listings)
    const skills = async (query: string) =>
      names((await market.send("GET", `/api/v1/skills?${query}`, seller)).body.data.skills)
    const souls = async (query: string) => names((await market.send("GET", `/api/souls?${query}`, seller)).body.souls)
    assert.deepStrictEqual(await listings("sortBy=price"), ["12 USDT", "10 USD", "10 USDC"])
    assert.deepStrictEqual(await listings("sortBy=price&sortOrder=desc"), ["10 USDC", "10 USD", "12 USDT"])
    assert.deepStrictEqual(await listings("minPrice=12&maxPrice=20&sortBy=price"), ["12 USDT", "10 USD"])
    assert.deepStrictEqual(await listings("maxPrice=19.999999"), ["12 USDT"])
    assert.deepStrictEqual(await skills("sortBy=price&minPrice=20"), ["10 USD", "10 USDC"])
    assert.deepStrictEqual(await skills("query=priced&sortBy=price&sortOrder=desc&maxPrice=20"), ["10 USD", "12 USDT"])
    assert.deepStrictEqual(await souls("minPrice=12&maxPrice=12"), ["Four USDC"])
    assert.deepStrictEqual(await souls("maxPrice=11.999999"), [])
    await market.stop()
  })
})
