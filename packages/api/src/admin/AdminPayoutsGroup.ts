import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type {
  PayoutPause,
  Withdrawal as CoreWithdrawal,
  WithdrawalState
} from "@agent-marketplace/core/wallets/Withdrawal"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Withdrawal, withdrawalStatuses } from "../wallets/WalletSchemas.ts"
import { toWithdrawal, withdrawalStatusOf } from "../wallets/WalletWire.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf, optional } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { ScreeningEvidence, toEvidence } from "./AdminDepositsGroup.ts"
import { transactionId } from "./AdminTreasuryGroup.ts"
import { reasonText } from "./Reason.ts"

/** The values that an operator may filter by. */
const filters = ["in_review", ...withdrawalStatuses] as const

const allStates = Object.keys(withdrawalStatusOf) as ReadonlyArray<WithdrawalState>

/** The internal states that a filter's value comprises. */
export const listedStates = (filter: (typeof filters)[number]): ReadonlyArray<WithdrawalState> =>
  filter === "in_review" ? [filter] : allStates.filter((state) => withdrawalStatusOf[state] === filter)

/** A withdrawal as an operator sees it (OPERATOR-21). */
const AdminWithdrawal = Schema.Struct({
  ...Withdrawal.fields,
  accountId: ResponseField.text("The account whose wallet pays.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  needsReview: ResponseField.flag("Whether it waits for the operator.", true),
  screening: field(
    Schema.NullOr(ScreeningEvidence),
    "Why screening flagged the destination; null if it never did.",
    null
  ),
  failure: ResponseField.textOrNull("Why it failed, or why a signer refused its last transaction.", null),
  tokenFee: ResponseField.numberOrNull("What the token deducted from the amount on the chain, in USDT.", null)
}).annotate({ identifier: "AdminWithdrawal", description: "A withdrawal as an operator sees it." })

const WithdrawalRejection = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters, required.", "The account is under investigation.")
}).annotate({ identifier: "WithdrawalRejection", description: "Why a withdrawal is rejected." })

const WithdrawalHold = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters, required.", "The receiver is checked.")
}).annotate({ identifier: "WithdrawalHold", description: "Why a withdrawal is held." })

const WithdrawalSettlement = Schema.Struct({
  txid: field(
    transactionId,
    "The transaction that paid it.",
    "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc"
  ),
  reason: field(reasonText, "1 to 1,000 characters, required.", "Paid before the database was restored.")
}).annotate({ identifier: "WithdrawalSettlement", description: "The transaction that paid a withdrawal." })

const PayoutsInput = Schema.Struct({
  reason: field(optional(reasonText), "1 to 1,000 characters.", "The hot wallet is moved.")
}).annotate({ identifier: "PayoutsInput", description: "The reason. The body is optional." })

const Payouts = Schema.Struct({
  paused: ResponseField.flag("Whether all payouts are stopped.", true),
  since: ResponseField.timeOrNull("Since when."),
  reason: ResponseField.textOrNull("The reason, if one was given.", "The hot wallet is moved.")
}).annotate({ identifier: "Payouts", description: "Whether withdrawals are paid." })

export const toAdminWithdrawal = (withdrawal: CoreWithdrawal): typeof AdminWithdrawal.Type => ({
  ...toWithdrawal(withdrawal),
  accountId: withdrawal.accountId,
  needsReview: withdrawal.state === "in_review",
  screening: toEvidence(withdrawal.screening),
  failure: withdrawal.failure,
  tokenFee: withdrawal.tokenFee === null ? null : Usdt.toNumber(withdrawal.tokenFee)
})

export const toPayouts = (pause: PayoutPause | null): typeof Payouts.Type => ({
  paused: pause !== null,
  since: pause === null ? null : Timestamp.toIso(pause.since),
  reason: pause?.reason ?? null
})

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const decided = {
  params: { id: field(idOf<WithdrawalId>(), "The withdrawal's id.", "wdr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(AdminWithdrawal),
  errors: ["WITHDRAWAL_NOT_FOUND", "CONFLICT"]
} as const

const withdrawals = endpoint.get("withdrawals", "/api/v1/admin/withdrawals", {
  ...facts("List withdrawals", "Withdrawals of all accounts, newest first."),
  query: {
    status: Query.choice(
      filters,
      "Only those in this state; `in_review` are the `pending` ones that wait for the operator.",
      "in_review"
    ),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminWithdrawal).annotate({ description: "The withdrawals of the page, newest first." }))
})

const withdrawal = endpoint.get("withdrawal", "/api/v1/admin/withdrawals/:id", {
  ...facts("Read a withdrawal", "A withdrawal of any account."),
  ...decided,
  errors: ["WITHDRAWAL_NOT_FOUND"]
})

const approve = endpoint.post("approve", "/api/v1/admin/withdrawals/:id/approve", {
  ...facts("Approve a withdrawal", "Only if it waits for the operator. It is then paid like any other."),
  ...decided
})

const reject = endpoint.post("reject", "/api/v1/admin/withdrawals/:id/reject", {
  ...facts(
    "Reject a withdrawal",
    "Only if it waits for the operator. It becomes `failed` and its money returns to the wallet."
  ),
  ...decided,
  payload: WithdrawalRejection
})

const hold = endpoint.post("hold", "/api/v1/admin/withdrawals/:id/hold", {
  ...facts(
    "Hold a withdrawal",
    "Only while nothing was sent. It then waits for the operator, who approves or rejects it."
  ),
  ...decided,
  payload: WithdrawalHold
})

const settle = endpoint.post("settle", "/api/v1/admin/withdrawals/:id/settle", {
  ...facts(
    "Settle a withdrawal",
    "Completes a waiting withdrawal that this transaction paid. The transaction must be final, and pay the amount from the hot wallet to the destination."
  ),
  ...decided,
  payload: WithdrawalSettlement
})

const switched = { payload: [PayoutsInput, HttpApiSchema.NoContent], success: enveloped(Payouts) } as const

const payouts = endpoint.get("payouts", "/api/v1/admin/payouts", {
  ...facts("Whether payouts are paused", "The pause applies to all withdrawals, in all processes."),
  success: enveloped(Payouts)
})

const pause = endpoint.post("pause", "/api/v1/admin/payouts/pause", {
  ...facts(
    "Pause all payouts",
    "No process starts a payout or sends a transaction until they are resumed; withdrawals are accepted and wait. " +
      "Transactions that were sent before are still monitored until they are final."
  ),
  ...switched
})

const resume = endpoint.post("resume", "/api/v1/admin/payouts/resume", {
  ...facts("Resume payouts", "The withdrawals that waited are paid, oldest first."),
  ...switched
})

/** The operator's routes for withdrawals and payouts (OPERATOR-21, OPERATOR-22, OPERATOR-27). */
export const AdminPayoutsGroup = HttpApiGroup.make("adminPayouts")
  .add(withdrawals, withdrawal, approve, reject, hold, settle, payouts, pause, resume)
  .annotateMerge(OpenApi.annotations({ title: "Operator: payouts", description: "With the operator's token." }))
