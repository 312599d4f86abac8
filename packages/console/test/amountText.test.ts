import { assert, describe, it } from "vitest"
import { amountText } from "../web/ui/amountText.ts"

describe("amountText (CONSOLE-98)", () => {
  it("writes at least two decimals, and more only if the amount has them", () => {
    assert.strictEqual(amountText("20"), "20.00 USDT")
    assert.strictEqual(amountText(20), "20.00 USDT")
    assert.strictEqual(amountText("24.5"), "24.50 USDT")
    assert.strictEqual(amountText("24.500000"), "24.50 USDT")
    assert.strictEqual(amountText(2.375), "2.375 USDT")
    assert.strictEqual(amountText(0.000001), "0.000001 USDT")
    assert.strictEqual(amountText(0.1 + 0.2), "0.30 USDT")
    assert.strictEqual(amountText(0), "0.00 USDT")
  })

  it("groups thousands, but not decimals", () => {
    assert.strictEqual(amountText("1234567.123456", "USDC"), "1,234,567.123456 USDC")
    assert.strictEqual(amountText(1000), "1,000.00 USDT")
    assert.strictEqual(amountText("-1250.5"), "-1,250.50 USDT")
    assert.strictEqual(amountText("-125"), "-125.00 USDT")
  })

  it("leaves typed text that is not an amount as it is", () => {
    assert.strictEqual(amountText("ten"), "ten USDT")
    assert.strictEqual(amountText("1.2.3"), "1.2.3 USDT")
  })
})
