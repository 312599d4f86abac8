import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { platformFee } from "../../src/money/Fee.ts"
import { Usdt } from "../../src/money/Usdt.ts"

describe("platformFee (SALE-1)", () => {
  it("rounds half to even at 6 decimals", () => {
    const cases: ReadonlyArray<readonly [bigint, number, bigint]> = [
      [12_500_000n, 500, 625_000n],
      [10n, 500, 0n],
      [30n, 500, 2n],
      [50n, 500, 2n],
      [70n, 500, 4n],
      [11n, 500, 1n],
      [9n, 500, 0n],
      [1n, 10_000, 1n],
      [1n, 0, 0n]
    ]
    for (const [amount, bps, fee] of cases) assert.strictEqual(platformFee(Usdt.of(amount), bps), Usdt.of(fee))
  })

  it("is rounded to the nearest unit, ties to even, and never exceeds the price", () => {
    const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 1_000_000n }), fc.bigInt({ min: 0n, max: Usdt.max }))
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
        const fee = platformFee(Usdt.of(amount), bps)
        const off = 2n * (fee * 10_000n - amount * BigInt(bps))
        assert.isTrue(off <= 10_000n && off >= -10_000n)
        if (off === 10_000n || off === -10_000n) assert.strictEqual(fee % 2n, 0n)
        assert.isTrue(fee >= 0n && fee <= amount)
      })
    )
  })
})
