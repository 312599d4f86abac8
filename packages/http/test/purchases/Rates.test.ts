import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Layer } from "effect"
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

  it("another rate takes the place of the default for every purchase, and souls are priced in USDC", async () => {
    const rates = Layer.succeed(ExchangeRates, {
      toUsdt: (price, currency) => Usdt.of(price * { USD: 2n, USDC: 3n, USDT: 1n }[currency])
    })
    const market = startMarket({ rates })
    assert.deepStrictEqual(await requiredFor(market), {
      USD: "20.00 USDT",
      USDT: "10.00 USDT",
      USDC: "30.00 USDT",
      soul: "30.00 USDT"
    })
    await market.stop()
  })
})
