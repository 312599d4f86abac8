import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Usdt } from "../../src/money/Usdt.ts"
import { automaticFee } from "../../src/wallets/WithdrawalFees.ts"

describe("the automatic fee (WITHDRAWAL-11)", () => {
  it("is the cost and a fifth more, rounded up to cents", () => {
    for (const [coin, rate, fee] of [
      [3_000_000n, 300_000n, 1_080_000n],
      [13_900_000n, 300_000n, 5_010_000n],
      [1n, 1n, 10_000n],
      [0n, 300_000n, 0n]
    ] as const) {
      assert.strictEqual(automaticFee(coin, Usdt.of(rate)), Usdt.of(fee))
    }
  })

  it("never falls short of the cost with its margin, and never exceeds it by more than a cent and what rounding adds", () => {
    const coin = fc.bigInt({ min: 0n, max: 10n ** 12n })
    const rate = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(
      fc.property(coin, rate, (coin, rate) => {
        const fee = automaticFee(coin, Usdt.of(rate))
        // In units of 10⁻¹² USDT, times five.
        const exact = coin * rate * 6n
        assert.isTrue(fee * 5_000_000n >= exact)
        assert.isTrue((fee - 10_002n) * 5_000_000n < exact)
        assert.strictEqual(fee % 10_000n, 0n)
      })
    )
  })
})
