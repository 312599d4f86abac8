import { windows } from "@agent-marketplace/core/approvals/SpendingWindows"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { SpendingLog } from "../../src/settlement/SpendingLog.ts"

const step = fc.record({
  wait: fc.oneof(fc.constantFrom(0, 1, windows.day - 1, windows.day, windows.week), fc.nat(windows.day)),
  amount: fc.nat(1000),
  takeBack: fc.option(fc.nat(30))
})

describe("SpendingLog", () => {
  it("sums in each rolling window the payments of that period that were not refunded (POLICY-7, POLICY-10)", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log = new SpendingLog()
        const payments = new Map<string, { readonly amount: bigint; readonly at: number }>()
        let now = 0
        steps.forEach(({ amount, takeBack, wait }, i) => {
          now += wait
          log.add(String(i), Usdt.of(BigInt(amount)), now)
          payments.set(String(i), { amount: BigInt(amount), at: now })
          if (takeBack !== null) {
            log.remove(String(takeBack))
            payments.delete(String(takeBack))
          }
          const spent = log.spent(now)
          for (const name of ["day", "week", "month"] as const) {
            let expected = 0n
            for (const payment of payments.values()) {
              if (now - payment.at < windows[name]) expected += payment.amount
            }
            assert.strictEqual(spent[name], expected)
          }
        })
      })
    )
  })
})
