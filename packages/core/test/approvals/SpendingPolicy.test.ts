import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { SpendingPolicy, SpentWindows } from "../../src/approvals/SpendingPolicy.ts"
import { checkLimits, defaultPolicy, needsApproval, nothingSpent } from "../../src/approvals/SpendingPolicy.ts"
import { Usdt } from "../../src/money/Usdt.ts"

const amount = fc.bigInt({ min: 0n, max: 1000n }).map(Usdt.of)
const limit = fc.option(amount, { nil: null })
const category = fc.constantFrom("data", "security", "creative")
const seller = fc.constantFrom("usr_1", "usr_2")

const policy: fc.Arbitrary<SpendingPolicy> = fc.record({
  autoApprove: fc.boolean(),
  autoApproveThreshold: limit,
  perTransactionLimit: limit,
  dailyLimit: limit,
  weeklyLimit: limit,
  monthlyLimit: limit,
  allowedCategories: fc.option(fc.subarray(["data", "security", "creative"]), { nil: null }),
  blockedSellers: fc.option(fc.subarray(["usr_1", "usr_2"]), { nil: null })
})

const spending = fc.record({ amount, category, sellerId: seller })

/** Longer windows include the amounts of shorter ones. */
const spent: fc.Arbitrary<SpentWindows> = fc
  .tuple(amount, amount, amount)
  .map(([day, week, month]) => ({ day, week: Usdt.of(day + week), month: Usdt.of(day + week + month) }))

const nothing = { amount: Usdt.of(1n), category: "data", sellerId: "usr_1" }

const refused = (rules: Partial<SpendingPolicy>, by: Partial<SpentWindows> = {}, one = nothing) => {
  const checked = checkLimits({ ...defaultPolicy, ...rules }, one, { ...nothingSpent, ...by })
  return Result.isFailure(checked) ? { ...checked.failure } : undefined
}

describe("checkLimits (POLICY-1)", () => {
  it("allows exactly the purchases within every limit, including categories and sellers", () => {
    fc.assert(
      fc.property(policy, spending, spent, (rules, one, before) => {
        const keeps = (bound: Usdt | null, already: Usdt) =>
          bound === null || one.amount === 0n || already + one.amount <= bound
        const allowed =
          keeps(rules.perTransactionLimit, Usdt.zero) &&
          keeps(rules.dailyLimit, before.day) &&
          keeps(rules.weeklyLimit, before.week) &&
          keeps(rules.monthlyLimit, before.month) &&
          (rules.allowedCategories?.includes(one.category) ?? true) &&
          !(rules.blockedSellers?.includes(one.sellerId) ?? false)
        assert.strictEqual(Result.isSuccess(checkLimits(rules, one, before)), allowed)
      })
    )
  })

  it("reports the remaining amount: it would be allowed, and a millionth more would not", () => {
    fc.assert(
      fc.property(policy, spending, spent, (rules, one, before) => {
        const checked = checkLimits({ ...rules, allowedCategories: null, blockedSellers: null }, one, before)
        if (Result.isSuccess(checked)) return
        const { allowed, limit: name, requested } = checked.failure
        assert.strictEqual(requested, one.amount)
        assert.isDefined(allowed)
        const only = { ...rules, allowedCategories: null, blockedSellers: null }
        const retry = checkLimits(only, { ...one, amount: allowed }, before)
        if (Result.isFailure(retry)) assert.notStrictEqual(retry.failure.limit, name, "only a later limit may refuse")
        const more = checkLimits(only, { ...one, amount: Usdt.of(allowed + 1n) }, before)
        assert.strictEqual(Result.isFailure(more) ? more.failure.limit : "passed", name)
      })
    )
  })

  it("never allows more after more was spent", () => {
    fc.assert(
      fc.property(policy, spending, spent, amount, (rules, one, before, extra) => {
        const after = {
          day: Usdt.of(before.day + extra),
          week: Usdt.of(before.week + extra),
          month: Usdt.of(before.month + extra)
        }
        if (Result.isFailure(checkLimits(rules, one, before))) {
          assert.isTrue(Result.isFailure(checkLimits(rules, one, after)))
        }
      })
    )
  })

  it("names the first limit that refuses, in the order of ERROR-7", () => {
    const zero = Usdt.zero
    const amounts = { perTransactionLimit: zero, dailyLimit: zero, weeklyLimit: zero, monthlyLimit: zero }
    const all = { ...amounts, allowedCategories: [], blockedSellers: ["usr_1"] }
    assert.strictEqual(refused(all)?.limit, "perTransaction")
    assert.strictEqual(refused({ ...all, perTransactionLimit: null })?.limit, "daily")
    assert.strictEqual(refused({ ...all, perTransactionLimit: null, dailyLimit: null })?.limit, "weekly")
    assert.strictEqual(refused({ monthlyLimit: zero, allowedCategories: [] })?.limit, "monthly")
    assert.strictEqual(refused({ allowedCategories: [], blockedSellers: ["usr_1"] })?.limit, "category")
    assert.strictEqual(refused({ blockedSellers: ["usr_1"] })?.limit, "seller")
    assert.isUndefined(refused({}))
  })

  it("never reports a negative remaining amount, even if a limit was lowered below the amount spent", () => {
    const over = refused({ dailyLimit: Usdt.of(5n) }, { day: Usdt.of(9n) })
    assert.strictEqual(over?.allowed, Usdt.zero)
  })
})

describe("needsApproval (POLICY-12, BUY-11)", () => {
  it("requires approval above the threshold, for every paid item without automatic approval, and never for free items", () => {
    fc.assert(
      fc.property(policy, amount, (rules, price) => {
        const threshold = rules.autoApproveThreshold
        const asks = price > 0n && (!rules.autoApprove || (threshold !== null && price > threshold))
        assert.strictEqual(needsApproval(rules, price), asks)
      })
    )
    assert.isFalse(needsApproval({ ...defaultPolicy, autoApprove: false }, Usdt.zero))
    assert.isFalse(needsApproval({ ...defaultPolicy, autoApproveThreshold: Usdt.of(5n) }, Usdt.of(5n)))
    assert.isTrue(needsApproval({ ...defaultPolicy, autoApproveThreshold: Usdt.of(5n) }, Usdt.of(6n)))
    assert.isFalse(needsApproval(defaultPolicy, Usdt.max))
  })
})
