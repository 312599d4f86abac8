import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { needsOwnerApproval, withinBudgets } from "../../src/approvals/Budgets.ts"
import { spentWith, windows } from "../../src/approvals/SpendingWindows.ts"
import type { SpendingPolicy } from "../../src/approvals/SpendingPolicy.ts"
import { defaultPolicy, nothingSpent } from "../../src/approvals/SpendingPolicy.ts"
import { Timestamp } from "../../src/clock/Timestamp.ts"
import type { AccountId, AgentId } from "../../src/ids/Ids.ts"
import { Usdt } from "../../src/money/Usdt.ts"
import type { Budget, MarketState } from "../../src/settlement/MarketState.ts"

const owner = "usr_1" as AccountId
const agent = "agt_1" as AgentId
const now = 1_700_000_000_000

const budget = (policy: Partial<SpendingPolicy>, day = 0n): Budget => ({
  policy: { ...defaultPolicy, ...policy },
  spent: { day: Usdt.of(day), week: Usdt.of(day), month: Usdt.of(day) }
})

const stateWith = (budgets: ReadonlyArray<readonly [AccountId | AgentId, Budget]>): MarketState => ({
  now,
  wallets: new Map(),
  budgets: new Map(budgets),
  frozen: new Map(),
  items: new Map(),
  entitlements: new Map(),
  purchases: new Map(),
  approvals: new Map(),
  subscriptions: new Map(),
  renewals: new Map(),
  escrow: new Map(),
  withdrawals: new Map(),
  standings: new Map(),
  payoutPause: null,
  heldDeposits: new Map(),
  credited: new Set(),
  usedTransactions: new Set(),
  cursors: new Map(),
  results: new Map()
})

const ten = { amount: Usdt.of(10n), category: "data", sellerId: "usr_2" }

const allows = (state: MarketState, by: AgentId | null, own?: { readonly amount: Usdt; readonly at: number }) =>
  Result.isSuccess(withinBudgets(state, { owner, agent: by }, ten, own))

describe("rolling windows (POLICY-7)", () => {
  it("a payment counts while it is younger than the window, to the millisecond", () => {
    for (const [name, length] of Object.entries(windows)) {
      const at = (age: number) => spentWith(nothingSpent, Usdt.of(5n), now - age, now, 1n)[name as "day"]
      assert.strictEqual(at(length - 1), 5n)
      assert.strictEqual(at(length), 0n)
      assert.strictEqual(at(0), 5n)
      assert.strictEqual(at(-5), 5n, "setting the clock back gives no new budget")
    }
  })

  it("incremental sums equal recomputed ones, after any payments and refunds", () => {
    const payment = fc.record({ amount: fc.bigInt({ min: 0n, max: 99n }), age: fc.nat({ max: 40 * Timestamp.day }) })
    fc.assert(
      fc.property(fc.array(payment), fc.array(fc.nat()), (payments, returned) => {
        const back = new Set(returned.map((n) => (payments.length === 0 ? -1 : n % payments.length)))
        let spent = nothingSpent
        for (const { age, amount } of payments) spent = spentWith(spent, Usdt.of(amount), now - age, now, 1n)
        for (const n of back) {
          const { age, amount } = payments[n] ?? { age: 0, amount: 0n }
          spent = spentWith(spent, Usdt.of(amount), now - age, now, -1n)
        }
        const left = payments.filter((_, n) => !back.has(n))
        const anew = (length: number) =>
          left.filter(({ age }) => age < length).reduce((sum, { amount }) => sum + amount, 0n)
        assert.deepStrictEqual(
          { ...spent },
          { day: Usdt.of(anew(windows.day)), week: Usdt.of(anew(windows.week)), month: Usdt.of(anew(windows.month)) }
        )
      })
    )
  })
})

describe("budgets of an owner and an agent (POLICY-11)", () => {
  it("both must allow a purchase; an agent's higher limit does not raise its owner's", () => {
    const tight = budget({ dailyLimit: Usdt.of(9n) })
    const loose = budget({ dailyLimit: Usdt.of(1000n) })
    assert.isFalse(
      allows(
        stateWith([
          [owner, tight],
          [agent, loose]
        ]),
        agent
      )
    )
    assert.isFalse(
      allows(
        stateWith([
          [owner, loose],
          [agent, tight]
        ]),
        agent
      )
    )
    assert.isTrue(
      allows(
        stateWith([
          [owner, loose],
          [agent, loose]
        ]),
        agent
      )
    )
    assert.isTrue(
      allows(
        stateWith([
          [owner, loose],
          [agent, tight]
        ]),
        null
      ),
      "the owner's own key"
    )
    assert.isTrue(allows(stateWith([]), agent), "without a policy nothing is limited")
  })

  it("a hold does not count twice when its own purchase is decided", () => {
    const state = stateWith([[owner, budget({ dailyLimit: Usdt.of(10n) }, 10n)]])
    assert.isFalse(allows(state, null))
    assert.isTrue(allows(state, null, { amount: Usdt.of(10n), at: now - Timestamp.hour }))
    assert.isFalse(
      allows(state, null, { amount: Usdt.of(10n), at: now - Timestamp.day }),
      "the hold is older than the window"
    )
  })

  it("the owner's approval is needed if either policy requires it", () => {
    const asking = budget({ autoApproveThreshold: Usdt.of(9n) })
    const quiet = budget({})
    assert.isTrue(
      needsOwnerApproval(
        stateWith([
          [owner, asking],
          [agent, quiet]
        ]),
        owner,
        agent,
        ten.amount
      )
    )
    assert.isTrue(
      needsOwnerApproval(
        stateWith([
          [owner, quiet],
          [agent, asking]
        ]),
        owner,
        agent,
        ten.amount
      )
    )
    assert.isFalse(
      needsOwnerApproval(
        stateWith([
          [owner, quiet],
          [agent, asking]
        ]),
        owner,
        null,
        ten.amount
      )
    )
    assert.isFalse(needsOwnerApproval(stateWith([]), owner, agent, ten.amount))
  })
})
