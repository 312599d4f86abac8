import { integer } from "@agent-marketplace/core/fields/InputRules"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import type {
  SavedAddress as CoreSavedAddress,
  StoredWithdrawalRules,
  WithdrawalRules as CoreWithdrawalRules
} from "@agent-marketplace/core/wallets/WithdrawalRules"
import { longestAddressDelayHours } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { flag, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleAddress = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"

/** An entry of an address book (WITHDRAWAL-15). */
export const SavedAddress = Schema.Struct({
  id: ResponseField.text("Prefix `adr_`.", "adr_01j9zq5k2f8h3m6n7p0r4s"),
  address: ResponseField.text("A TRON address.", exampleAddress),
  label: ResponseField.textOrNull("The owner's name for it.", "Cold wallet"),
  createdAt: ResponseField.time("When it was saved.")
}).annotate({ identifier: "SavedAddress", description: "An address that the owner withdraws to." })

export const SavedAddressInput = Schema.Struct({
  address: field(
    boundedText({ min: 1, max: 100 }),
    "A valid TRON address, other than the token's contract and the service's own addresses.",
    exampleAddress
  ),
  label: field(optional(visibleLine({ min: 1, max: 100 })), "1 to 100 characters.", "Cold wallet")
})
  .annotate({ identifier: "SavedAddressInput", description: "An address to save." })
  .pipe(withBodyRule("savedAddress"))

const described = {
  allowListOnly: "Only addresses of the address book are paid.",
  newAddressDelayHours:
    "For how many hours an address must be in the address book before it is paid. Above 0, an address that is not in the address book is not paid.",
  dailyLimit: "The most that withdrawals may pay in any 24 hours, in USDT and without fees; null: no limit."
} as const

const pending = Schema.Struct({
  allowListOnly: Schema.optionalKey(ResponseField.flag(described.allowListOnly, false)),
  newAddressDelayHours: Schema.optionalKey(ResponseField.count(described.newAddressDelayHours, 0)),
  dailyLimit: Schema.optionalKey(ResponseField.numberOrNull(described.dailyLimit, null)),
  effectiveAt: ResponseField.time("When these values take effect.")
}).annotate({ identifier: "PendingWithdrawalRules", description: "Looser rules that take effect later." })

/** The rules in effect, and those that are pending (WITHDRAWAL-16). */
export const WithdrawalRules = Schema.Struct({
  allowListOnly: ResponseField.flag(described.allowListOnly, true),
  newAddressDelayHours: ResponseField.count(described.newAddressDelayHours, 24),
  dailyLimit: ResponseField.numberOrNull(described.dailyLimit, 500),
  pending: field(Schema.NullOr(pending), "Looser rules that are not in effect yet; null: none.", null)
}).annotate({ identifier: "WithdrawalRules", description: "The owner's rules for withdrawals." })

export const WithdrawalRulesPatch = Schema.Struct({
  allowListOnly: field(Schema.optionalKey(flag), described.allowListOnly, true),
  newAddressDelayHours: field(
    Schema.optionalKey(integer(0, longestAddressDelayHours)),
    described.newAddressDelayHours,
    24
  ),
  dailyLimit: field(Schema.optionalKey(Schema.NullOr(UsdtInput)), described.dailyLimit, 500)
}).annotate({ identifier: "WithdrawalRulesPatch", description: "The rules to change; absent ones stay as they are." })

const toRules = ({ dailyLimit, ...rules }: CoreWithdrawalRules) => ({
  ...rules,
  dailyLimit: dailyLimit === null ? null : Usdt.toNumber(dailyLimit)
})

export const toWithdrawalRules = ({ pending, policy }: StoredWithdrawalRules): typeof WithdrawalRules.Type => {
  if (pending === null) return { ...toRules(policy), pending }
  const { allowListOnly, dailyLimit, newAddressDelayHours } = pending.changes
  return {
    ...toRules(policy),
    pending: {
      ...(allowListOnly === undefined ? {} : { allowListOnly }),
      ...(newAddressDelayHours === undefined ? {} : { newAddressDelayHours }),
      ...(dailyLimit === undefined ? {} : { dailyLimit: dailyLimit === null ? null : Usdt.toNumber(dailyLimit) }),
      effectiveAt: Timestamp.toIso(pending.effectiveAt)
    }
  }
}

export const toSavedAddress = (saved: CoreSavedAddress): typeof SavedAddress.Type => ({
  ...saved,
  createdAt: Timestamp.toIso(saved.createdAt)
})
