import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { priceRange } from "../../src/catalogue/priceRange.ts"
import { currencies, equalRates, valueOf } from "../../src/money/ExchangeRates.ts"
import { Usdt } from "../../src/money/Usdt.ts"

const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }).map(Usdt.of),
  fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n }).map(Usdt.of)
)

const rate = fc
  .oneof(fc.constantFrom(1_000_000n, 500_000n, 333_333n, 3_000_000n), fc.bigInt({ min: 1n, max: 1_000_000_000_000n }))
  .map(Usdt.of)

describe("priceRange (MONEY-8)", () => {
  it("contains exactly the prices whose value is within the bounds, at any rate", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.record({ USD: rate, USDC: rate }),
        fc.option(amount, { nil: undefined }),
        fc.option(amount, { nil: undefined }),
        amount,
        (currency, rates, minPrice, maxPrice, sample) => {
          const { least, most } = priceRange({ minPrice, maxPrice, rates }, currency)
          // The prices beside the bounds decide.
          for (const price of [sample, least - 1n, least, least + 1n, most - 1n, most, most + 1n].map(Usdt.of)) {
            if (price < 0n || price >= 2n ** 63n - 2n) continue
            const value = valueOf(rates, price, currency)
            const within =
              (minPrice === undefined || value >= minPrice) && (maxPrice === undefined || value <= maxPrice)
            assert.strictEqual(price >= least && price <= most, within, `${price} ${currency}`)
          }
        }
      ),
      { numRuns: 500 }
    )
  })

  it("is the bounds themselves at equal rates", () => {
    const bounds = { minPrice: Usdt.of(3n), maxPrice: Usdt.of(5n) }
    for (const currency of currencies) {
      assert.deepStrictEqual(priceRange({ ...bounds, rates: equalRates }, currency), { least: 3n, most: 5n })
      assert.deepStrictEqual(priceRange(bounds, currency), { least: 3n, most: 5n })
    }
  })
})
