import { integer } from "@agent-marketplace/core/fields/InputRules"
import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { LedgerAudit as Audit } from "@agent-marketplace/core/wallets/WalletStore"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { reasonCode } from "../moderation/ReasonCodes.ts"
import { flag, instant, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { reasonText } from "./Reason.ts"

const tenYears = 315_360_000
const address = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"

/** The state that the operator has seen (OPERATOR-33). */
const seenAt = field(
  optional(instant),
  "`updatedAt` of the listing as the operator saw it. If the listing was changed since, nothing is decided: CONFLICT.",
  "2025-01-15T12:00:00.000Z"
)

/** What is approved (OPERATOR-3). */
export const ApproveInput = Schema.Struct({ updatedAt: seenAt }).annotate({
  identifier: "ApproveInput",
  description: "The state of the listing that is approved; the body may be omitted."
})

/** Why a listing is rejected (OPERATOR-3). */
export const RejectInput = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters; sent to the creator.", "The install URL is dead."),
  code: reasonCode,
  updatedAt: seenAt
}).annotate({ identifier: "RejectInput", description: "Why a listing is rejected." })

export const SuspendListingInput = Schema.Struct({
  reason: field(optional(reasonText), "1 to 1,000 characters; sent to the creator.", "It is not what it claims to be."),
  code: reasonCode
}).annotate({ identifier: "SuspendListingInput", description: "Why a listing is suspended." })

export const FeatureInput = Schema.Struct({
  featured: field(flag.annotateKey({ messageMissingKey: "is required" }), "Whether to show it as featured.", true)
}).annotate({ identifier: "FeatureInput", description: "Whether a listing is featured." })

export const SimulatedDepositInput = Schema.Struct({
  address: field(boundedText({ min: 1, max: 100 }), "A valid TRON address.", address),
  amount: field(
    UsdtInput.check(Schema.makeFilter((amount) => (amount > 0n ? undefined : "must be greater than 0"))).annotateKey({
      messageMissingKey: "is required"
    }),
    "In USDT; greater than 0.",
    "100.00"
  )
})
  .annotate({ identifier: "SimulatedDepositInput", description: "A transfer on the simulated chain." })
  .pipe(withBodyRule("simulatedDeposit"))

export const ClockInput = Schema.Struct({
  advanceSeconds: field(
    integer(1, tenYears).annotateKey({ messageMissingKey: "is required" }),
    "Whole seconds, at most ten years.",
    3600
  )
}).annotate({ identifier: "ClockInput", description: "How far to move the market's time forward." })

export const LedgerAudit = Schema.Struct({
  balanced: ResponseField.flag("Whether every balance equals the sum of its entries.", true),
  wallets: ResponseField.count("How many wallets were checked.", 12),
  entries: ResponseField.count("How many entries the ledger has.", 340),
  entriesRead: ResponseField.count("How many of them were read: all, or those since the last checkpoint.", 340),
  since: ResponseField.timeOrNull("The checkpoint from which the audit continued; null if it read every entry.", null),
  differences: ResponseField.texts("One sentence for each balance that differs.", []),
  warnings: ResponseField.texts("One sentence for each negative platform account and for each seller's debt.", [])
}).annotate({ identifier: "LedgerAudit", description: "The result of recomputing every balance from the entries." })

export const SimulatedDeposit = Schema.Struct({
  txHash: ResponseField.text("The transaction.", "853793d552635f533aa982b92b35b00e63a1c14e526154563f3c4e4a3d3c2b1a"),
  address: ResponseField.text("The address that was paid.", address),
  amount: ResponseField.money("In USDT.", "100.00"),
  block: ResponseField.count("The block of the transfer; it is final after two more blocks.", 1042),
  createdAt: ResponseField.time("The block's time.")
}).annotate({ identifier: "SimulatedDeposit", description: "A transfer on the simulated chain." })

export const ClockTime = Schema.Struct({ now: ResponseField.time("The market's time from now on.") }).annotate({
  identifier: "ClockTime",
  description: "The market's time."
})

export const toSimulatedDeposit = (transfer: Transfer): typeof SimulatedDeposit.Type => ({
  txHash: transfer.txid,
  address: transfer.to,
  amount: Usdt.format(transfer.amount),
  block: transfer.block,
  createdAt: Timestamp.toIso(transfer.at)
})

export const toClockTime = (now: Timestamp): typeof ClockTime.Type => ({ now: Timestamp.toIso(now) })

export const toLedgerAudit = (audit: Audit): typeof LedgerAudit.Type => ({
  ...audit,
  since: audit.since === null ? null : Timestamp.toIso(audit.since)
})
