import { Effect } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Currency, FixedRates } from "../../src/money/ExchangeRates.ts"
import { ExchangeRates } from "../../src/money/ExchangeRates.ts"
import { Usdt } from "../../src/money/Usdt.ts"

const convert = (layer: typeof ExchangeRates.layer, price: bigint, currency: Currency): bigint =>
  Effect.runSync(
    Effect.provide(
      Effect.map(ExchangeRates, ({ toUsdt }) => toUsdt(Usdt.of(price), currency)),
      layer
    )
  )

const rates = (USD: bigint, USDC: bigint): FixedRates => ({ USD: Usdt.of(USD), USDC: Usdt.of(USDC) })

describe("ExchangeRates (MONEY-7)", () => {
  it("by default all currencies have the same value", () => {
    for (const currency of ["USD", "USDC", "USDT"] as const) {
      assert.strictEqual(convert(ExchangeRates.layer, 12_345_678n, currency), 12_345_678n)
    }
  })

  it("fixed rates apply to their own currency, and never to USDT", () => {
    const fixed = ExchangeRates.fixed(rates(1_250_000n, 500_000n))
    assert.strictEqual(convert(fixed, 10_000_000n, "USD"), 12_500_000n)
    assert.strictEqual(convert(fixed, 10_000_000n, "USDC"), 5_000_000n)
    assert.strictEqual(convert(fixed, 10_000_000n, "USDT"), 10_000_000n)
  })

  it("rounds half to even at 6 decimals", () => {
    const half = ExchangeRates.fixed(rates(500_000n, 500_000n))
    assert.deepStrictEqual(
      [1n, 3n, 5n, 7n].map((price) => convert(half, price, "USD")),
      // 0.5 would round to 0, which is free.
      [1n, 2n, 2n, 4n]
    )
  })

  it("at any rate, a paid item stays paid and a free item stays free", () => {
    const positive = fc.bigInt({ min: 1n, max: 1_000_000_000_000_000n })
    fc.assert(
      fc.property(positive, fc.bigInt({ min: 1n, max: 1_000_000_000n }), (price, rate) => {
        const fixed = ExchangeRates.fixed(rates(rate, rate))
        assert.isTrue(convert(fixed, price, "USD") > 0n)
        assert.strictEqual(convert(fixed, 0n, "USD"), 0n)
      })
    )
  })
})
