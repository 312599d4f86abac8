import { Timestamp } from "../clock/Timestamp.ts"
import type { AddressId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

/** The rules that an owner sets for withdrawals (WITHDRAWAL-16). */
export interface WithdrawalRules {
  /** Only addresses of the address book are paid. */
  readonly allowListOnly: boolean
  /** For how many hours an address must be in the address book before it is paid; with 0 there is no delay. */
  readonly newAddressDelayHours: number
  /** The most in any 24 hours, without fees; null is no limit. */
  readonly dailyLimit: Usdt | null
}

export type WithdrawalRulesPatch = { readonly [K in keyof WithdrawalRules]?: WithdrawalRules[K] | undefined }

/** Looser values that take effect later. */
export interface PendingLoosening {
  readonly changes: WithdrawalRulesPatch
  readonly effectiveAt: Timestamp
}

/** The stored rules. Pending values take effect at their time without another write. */
export interface StoredWithdrawalRules {
  readonly policy: WithdrawalRules
  readonly pending: PendingLoosening | null
}

/** An address of an owner's address book (WITHDRAWAL-15). */
export interface SavedAddress {
  readonly id: AddressId
  readonly address: string
  readonly label: string | null
  readonly createdAt: Timestamp
}

/** How long a looser rule waits (WITHDRAWAL-18). */
export const looseningDelay = Timestamp.day

/** The longest `newAddressDelayHours`. */
export const longestAddressDelayHours = 720

/** The default rules. */
export const openRules: StoredWithdrawalRules = {
  policy: { allowListOnly: false, newAddressDelayHours: 0, dailyLimit: null },
  pending: null
}

/** The rules at `now`, including pending values whose time has come. */
export const rulesAt = (stored: StoredWithdrawalRules, now: Timestamp): StoredWithdrawalRules =>
  stored.pending === null || stored.pending.effectiveAt > now
    ? stored
    : { policy: { ...stored.policy, ...given(stored.pending.changes) }, pending: null }

const given = (patch: WithdrawalRulesPatch): Partial<WithdrawalRules> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

const compare = (one: number | bigint, other: number | bigint): number => (one === other ? 0 : one > other ? 1 : -1)

/** Positive if the value is looser than the rule in effect, negative if it is tighter. */
const looseness = (policy: WithdrawalRules, patch: WithdrawalRulesPatch, rule: keyof WithdrawalRules): number => {
  switch (rule) {
    case "allowListOnly":
      return compare(Number(policy.allowListOnly), Number(patch.allowListOnly))
    case "newAddressDelayHours":
      return compare(policy.newAddressDelayHours, patch.newAddressDelayHours ?? 0)
    case "dailyLimit": {
      const { dailyLimit: before } = policy
      const { dailyLimit: after = null } = patch
      if (before === null || after === null) return compare(Number(after === null), Number(before === null))
      return compare(after, before)
    }
  }
}

const names = ["allowListOnly", "newAddressDelayHours", "dailyLimit"] as const

/** Whether a change asks for a value that is looser than the rule in effect. */
export const loosens = (stored: StoredWithdrawalRules, patch: WithdrawalRulesPatch, now: Timestamp): boolean => {
  const { policy } = rulesAt(stored, now)
  return names.some((name) => patch[name] !== undefined && looseness(policy, patch, name) > 0)
}

/**
 * The rules after a change at `now`. Tighter values take effect immediately and drop pending ones (WITHDRAWAL-17). Looser values wait together with those
 * already pending, and the wait starts again for all of them (WITHDRAWAL-18). A value equal to the one in effect cancels the pending change of its rule.
 */
export const changedRules = (
  stored: StoredWithdrawalRules,
  patch: WithdrawalRulesPatch,
  now: Timestamp
): StoredWithdrawalRules => {
  const { pending, policy } = rulesAt(stored, now)
  const named = names.filter((name) => patch[name] !== undefined)
  const pick = (from: WithdrawalRulesPatch, which: ReadonlyArray<keyof WithdrawalRules>): Partial<WithdrawalRules> =>
    given(Object.fromEntries(which.map((name) => [name, from[name]])))
  const tighter = named.filter((name) => looseness(policy, patch, name) < 0)
  const looser = named.filter((name) => looseness(policy, patch, name) > 0)
  const kept =
    pending === null || tighter.length > 0
      ? {}
      : pick(
          pending.changes,
          names.filter((name) => !named.includes(name))
        )
  const changes = { ...kept, ...pick(patch, looser) }
  const waits = pending !== null && looser.length === 0 ? pending.effectiveAt : now + looseningDelay
  return {
    policy: { ...policy, ...pick(patch, tighter) },
    pending: Object.keys(changes).length === 0 ? null : { changes, effectiveAt: waits }
  }
}
