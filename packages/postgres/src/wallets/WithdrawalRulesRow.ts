import type { AddressId } from "@agent-marketplace/core/ids/Ids"
import type { PayoutPause } from "@agent-marketplace/core/wallets/Withdrawal"
import { unknownTransfersReason } from "@agent-marketplace/core/wallets/Withdrawal"
import type { SavedAddress, StoredWithdrawalRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { Schema } from "effect"
import { amount, decodeRows, time, TimeColumn } from "../Row.ts"
import { unknownOutgoing } from "./PostgresTreasuryStore.ts"

const policyFields = {
  allowListOnly: Schema.Boolean,
  newAddressDelayHours: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  dailyLimit: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d+$/)))
}

/** Rules as they are kept in JSON: amounts as text. */
export const WithdrawalRulesJson = Schema.Struct({
  policy: Schema.Struct(policyFields),
  pending: Schema.NullOr(
    Schema.Struct({
      changes: Schema.Struct({
        allowListOnly: Schema.optionalKey(policyFields.allowListOnly),
        newAddressDelayHours: Schema.optionalKey(policyFields.newAddressDelayHours),
        dailyLimit: Schema.optionalKey(policyFields.dailyLimit)
      }),
      effectiveAt: Schema.Int
    })
  )
})

export type WithdrawalRulesJson = typeof WithdrawalRulesJson.Type

/** As text, for a parameter. */
export const withdrawalRulesJson = (stored: StoredWithdrawalRules): string =>
  JSON.stringify(stored, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value))

const limitOf = (limit: string | null) => (limit === null ? null : amount(limit))

export const withdrawalRulesOf = ({ pending, policy }: WithdrawalRulesJson): StoredWithdrawalRules => {
  if (pending === null) return { policy: { ...policy, dailyLimit: limitOf(policy.dailyLimit) }, pending }
  const { dailyLimit, ...others } = pending.changes
  const changes = dailyLimit === undefined ? others : { ...others, dailyLimit: limitOf(dailyLimit) }
  return {
    policy: { ...policy, dailyLimit: limitOf(policy.dailyLimit) },
    pending: { changes, effectiveAt: pending.effectiveAt }
  }
}

export const SavedAddressRow = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  label: Schema.NullOr(Schema.String),
  created_at: TimeColumn
})

export type SavedAddressRow = typeof SavedAddressRow.Type

export const savedAddressOf = (row: SavedAddressRow): SavedAddress => ({
  id: row.id as AddressId,
  address: row.address,
  label: row.label,
  createdAt: time(row.created_at)
})

const decodePayouts = decodeRows(
  Schema.Tuple([
    Schema.Struct({
      paused_at: Schema.NullOr(TimeColumn),
      reason: Schema.NullOr(Schema.String),
      unknown_since: Schema.NullOr(TimeColumn)
    })
  ])
)

/** The columns of `payouts` that {@link payoutPauseOf} reads. */
export const payoutColumns = `paused_at, reason, (SELECT min(at) FROM outgoing_transfers WHERE ${unknownOutgoing}) AS unknown_since`

/** From the only row of `payouts`. Without it no payout is decided. */
export const payoutPauseOf = (rows: unknown): PayoutPause | null => {
  const [{ paused_at, reason, unknown_since }] = decodePayouts(rows)
  if (unknown_since === null) return paused_at === null ? null : { since: time(paused_at), reason }
  return {
    since: time(paused_at ?? unknown_since),
    reason: paused_at === null ? unknownTransfersReason : (reason ?? unknownTransfersReason),
    unknownTransfers: true
  }
}
