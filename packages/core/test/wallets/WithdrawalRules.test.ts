import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Timestamp } from "../../src/clock/Timestamp.ts"
import { Usdt } from "../../src/money/Usdt.ts"
import type { StoredWithdrawalRules, WithdrawalRules, WithdrawalRulesPatch } from "../../src/wallets/WithdrawalRules.ts"
import { changedRules, looseningDelay, openRules, rulesAt } from "../../src/wallets/WithdrawalRules.ts"
import type { WithdrawalStanding } from "../../src/wallets/WithdrawalStanding.ts"
import { emptyStanding, refusingRule } from "../../src/wallets/WithdrawalStanding.ts"

const rules = ["allowListOnly", "newAddressDelayHours", "dailyLimit"] as const
const limit = fc.option(fc.bigInt({ min: 0n, max: 9n }).map(Usdt.of), { nil: null })
const patch: fc.Arbitrary<WithdrawalRulesPatch> = fc.record(
  { allowListOnly: fc.boolean(), newAddressDelayHours: fc.nat({ max: 5 }), dailyLimit: limit },
  { requiredKeys: [] }
)
const requests = fc.array(fc.record({ patch, afterHours: fc.nat({ max: 30 }) }), { minLength: 1, maxLength: 12 })

/** How much a rule allows: a larger number allows more. */
const allowed = (policy: WithdrawalRulesPatch, rule: keyof WithdrawalRules): number => {
  if (rule === "allowListOnly") return policy.allowListOnly === true ? 0 : 1
  if (rule === "newAddressDelayHours") return -(policy.newAddressDelayHours ?? 0)
  return policy.dailyLimit === null ? Number.POSITIVE_INFINITY : Number(policy.dailyLimit)
}

const play = (
  all: ReadonlyArray<{ readonly patch: WithdrawalRulesPatch; readonly afterHours: number }>,
  each: (step: {
    readonly before: StoredWithdrawalRules
    readonly after: StoredWithdrawalRules
    readonly patch: WithdrawalRulesPatch
    readonly now: Timestamp
  }) => void
) => {
  let stored = openRules
  let now = 0
  for (const { afterHours, patch } of all) {
    now += afterHours * Timestamp.hour
    const before = rulesAt(stored, now)
    stored = changedRules(stored, patch, now)
    each({ before, after: stored, patch, now })
  }
}

describe("rules for withdrawals", () => {
  it("a change never makes a rule in effect looser, and a tighter value is in effect at once (WITHDRAWAL-17)", () => {
    fc.assert(
      fc.property(requests, (all) =>
        play(all, ({ after, before, patch }) => {
          for (const rule of rules) {
            const [old, now] = [allowed(before.policy, rule), allowed(after.policy, rule)]
            assert.isAtMost(now, old)
            if (patch[rule] !== undefined && allowed(patch, rule) < old)
              assert.deepEqual(after.policy[rule], patch[rule])
          }
        })
      )
    )
  })

  it("a looser value takes effect 24 hours after the last request for one, unless it is dropped (WITHDRAWAL-18)", () => {
    fc.assert(
      fc.property(requests, (all) =>
        play(all, ({ after, before, now, patch }) => {
          const looser = rules.filter(
            (rule) => patch[rule] !== undefined && allowed(patch, rule) > allowed(before.policy, rule)
          )
          for (const rule of looser) assert.deepEqual(after.pending?.changes[rule], patch[rule])
          if (looser.length > 0) assert.strictEqual(after.pending?.effectiveAt, now + looseningDelay)
          if (after.pending === null) return
          assert.deepEqual(rulesAt(after, after.pending.effectiveAt - 1).policy, after.policy)
          const later = rulesAt(after, after.pending.effectiveAt)
          assert.isNull(later.pending)
          for (const rule of rules) {
            assert.isAtLeast(allowed(later.policy, rule), allowed(after.policy, rule))
            assert.deepEqual(
              later.policy[rule],
              rule in after.pending.changes ? after.pending.changes[rule] : after.policy[rule]
            )
          }
        })
      )
    )
  })

  it("a tighter value drops what is pending; the value in effect takes its rule out of it (WITHDRAWAL-17)", () => {
    fc.assert(
      fc.property(requests, (all) =>
        play(all, ({ after, before, patch }) => {
          const named = rules.filter((rule) => patch[rule] !== undefined)
          const tightens = named.some((rule) => allowed(patch, rule) < allowed(before.policy, rule))
          const looser = named.filter((rule) => allowed(patch, rule) > allowed(before.policy, rule))
          const kept = tightens
            ? []
            : rules.filter((rule) => !named.includes(rule) && rule in (before.pending?.changes ?? {}))
          assert.sameMembers(Object.keys(after.pending?.changes ?? {}), [...kept, ...looser])
        })
      )
    )
  })

  it("refuse to the millisecond and to the millionth (WITHDRAWAL-19)", () => {
    const now = 10 * Timestamp.day
    const saved = { id: "adr_1" as never, address: "T1", label: null, createdAt: now - Timestamp.hour }
    const standing = (policy: Partial<WithdrawalRules>): WithdrawalStanding => ({
      ...emptyStanding,
      day: Usdt.of(5n),
      rules: { policy: { ...openRules.policy, ...policy }, pending: null },
      addresses: new Map([[saved.id, saved]])
    })
    const at = (policy: Partial<WithdrawalRules>, address = "T1", amount = 1n, when = now) =>
      refusingRule(standing(policy), address, Usdt.of(amount), when)
    assert.isUndefined(at({}, "T2", 1_000_000n))
    assert.strictEqual(at({ allowListOnly: true }, "T2"), "allowListOnly")
    assert.isUndefined(at({ allowListOnly: true }))
    assert.isUndefined(at({ newAddressDelayHours: 1 }))
    assert.strictEqual(at({ newAddressDelayHours: 1 }, "T1", 1n, now - 1), "newAddressDelayHours")
    assert.strictEqual(at({ newAddressDelayHours: 1 }, "T2"), "newAddressDelayHours")
    assert.isUndefined(at({ dailyLimit: Usdt.of(15n) }, "T1", 10n))
    assert.strictEqual(at({ dailyLimit: Usdt.of(15n) }, "T1", 11n), "dailyLimit")
  })
})
