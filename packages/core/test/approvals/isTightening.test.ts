import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "vitest"
import type { SpendingPolicy } from "../../src/approvals/SpendingPolicy.ts"
import { defaultPolicy, isTightening } from "../../src/approvals/SpendingPolicy.ts"

const before: SpendingPolicy = {
  ...defaultPolicy,
  autoApproveThreshold: usdt(10),
  perTransactionLimit: usdt(20),
  dailyLimit: usdt(30),
  allowedCategories: ["data", "security"],
  blockedSellers: ["usr_1"]
}

describe("isTightening (ACCOUNT-12)", () => {
  it("is true if the new policy allows no more than the old one", () => {
    const tighter: ReadonlyArray<Partial<SpendingPolicy>> = [
      {},
      { autoApprove: false, autoApproveThreshold: null },
      { autoApproveThreshold: usdt(9) },
      { dailyLimit: usdt(30), weeklyLimit: usdt(30) },
      { allowedCategories: ["data"] },
      { allowedCategories: [] },
      { blockedSellers: ["usr_2", "usr_1"] }
    ]
    for (const change of tighter) assert.isTrue(isTightening(before, { ...before, ...change }))
  })

  it("is false if the new policy allows anything more", () => {
    const looser: ReadonlyArray<Partial<SpendingPolicy>> = [
      { autoApproveThreshold: null },
      { perTransactionLimit: usdt(21) },
      { dailyLimit: null },
      { allowedCategories: null },
      { allowedCategories: ["data", "other"] },
      { blockedSellers: null },
      { blockedSellers: ["usr_2"] }
    ]
    for (const change of looser) assert.isFalse(isTightening(before, { ...before, ...change }))
    assert.isFalse(isTightening({ ...before, autoApprove: false }, before))
  })
})
