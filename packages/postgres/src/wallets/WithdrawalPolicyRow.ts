import type { AddressId } from "@agent-marketplace/core/ids/Ids"
import type { PayoutPause } from "@agent-marketplace/core/wallets/Withdrawal"
import type { SavedAddress, StoredWithdrawalPolicy } from "@agent-marketplace/core/wallets/WithdrawalPolicy"
import type { Time } from "../Row.ts"
import { amount, time } from "../Row.ts"

type Text<A> = { readonly [K in keyof A]: K extends "dailyLimit" ? string | null : A[K] }

/** Rules as they are kept in JSON: amounts as text. */
export interface WithdrawalPolicyJson {
  readonly policy: Text<StoredWithdrawalPolicy["policy"]>
  readonly pending: {
    readonly changes: Partial<Text<StoredWithdrawalPolicy["policy"]>>
    readonly effectiveAt: number
  } | null
}

/** As text, for a parameter. */
export const withdrawalPolicyJson = (stored: StoredWithdrawalPolicy): string =>
  JSON.stringify(stored, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value))

const limitOf = (limit: string | null) => (limit === null ? null : amount(limit))

export const withdrawalPolicyOf = ({ pending, policy }: WithdrawalPolicyJson): StoredWithdrawalPolicy => {
  if (pending === null) return { policy: { ...policy, dailyLimit: limitOf(policy.dailyLimit) }, pending }
  const { dailyLimit, ...others } = pending.changes
  const changes = dailyLimit === undefined ? others : { ...others, dailyLimit: limitOf(dailyLimit) }
  return {
    policy: { ...policy, dailyLimit: limitOf(policy.dailyLimit) },
    pending: { changes, effectiveAt: pending.effectiveAt }
  }
}

export interface SavedAddressRow {
  readonly id: string
  readonly address: string
  readonly label: string | null
  readonly created_at: Time
}

export const savedAddressOf = (row: SavedAddressRow): SavedAddress => ({
  id: row.id as AddressId,
  address: row.address,
  label: row.label,
  createdAt: time(row.created_at)
})

export interface PayoutsRow {
  readonly paused_at: Time | null
  readonly reason: string | null
}

export const payoutPauseOf = (row: PayoutsRow | undefined): PayoutPause | null =>
  row === undefined || row.paused_at === null ? null : { since: time(row.paused_at), reason: row.reason }
