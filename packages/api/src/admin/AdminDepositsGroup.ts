import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { HeldDepositId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { HeldDeposit as CoreHeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import { heldDepositStates } from "@agent-marketplace/core/screening/HeldDeposit"
import type { ScreeningEvidence as CoreEvidence } from "@agent-marketplace/core/screening/ScreeningEvidence"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { reasonText } from "./Reason.ts"

/** Why screening flagged an address (SCREENING-5). */
export const ScreeningEvidence = Schema.Struct({
  source: ResponseField.text("The list or the service that flagged it.", "deny list blocked.txt"),
  reference: ResponseField.text("Where in the list, or the service's own reference.", "line 12")
}).annotate({ identifier: "ScreeningEvidence", description: "Why screening flagged an address." })

/** A deposit as an operator sees it (SCREENING-6). */
const HeldDeposit = Schema.Struct({
  id: ResponseField.text("The deposit's id.", "dep_01j9zq5k2f8h3m6n7p0r4s"),
  accountId: ResponseField.text("The account that owns the address.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  status: ResponseField.choice(
    heldDepositStates,
    "`screening`: not decided yet. `held`: waits for the operator. `cleared`: credited, because screening allowed it later.",
    "held"
  ),
  amount: ResponseField.money("USDT.", "20.00"),
  sender: ResponseField.text("The address that sent it.", "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"),
  address: ResponseField.text("The deposit address.", "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"),
  txHash: ResponseField.text("The transaction.", "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc"),
  block: ResponseField.count("The block that contains it.", 66_987_565),
  evidence: field(Schema.NullOr(ScreeningEvidence), "The reason of the flag; null if it was never flagged.", {
    source: "deny list blocked.txt",
    reference: "line 12"
  }),
  heldAt: ResponseField.time("Since when it is held."),
  decidedAt: ResponseField.timeOrNull("When it was decided.")
}).annotate({ identifier: "HeldDeposit", description: "A deposit that was recorded without being credited." })

const DepositDecision = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters, required.", "The sender is a known exchange.")
}).annotate({ identifier: "DepositDecision", description: "Why a deposit is released or rejected." })

export const toEvidence = (evidence: CoreEvidence | null): typeof ScreeningEvidence.Type | null =>
  evidence === null ? null : { source: evidence.source, reference: evidence.reference }

export const toHeldDeposit = (deposit: CoreHeldDeposit): typeof HeldDeposit.Type => ({
  id: deposit.id,
  accountId: deposit.accountId,
  status: deposit.state,
  amount: Usdt.format(deposit.amount),
  sender: deposit.sender,
  address: deposit.address,
  txHash: deposit.txid,
  block: deposit.block,
  evidence: toEvidence(deposit.evidence),
  heldAt: Timestamp.toIso(deposit.heldAt),
  decidedAt: deposit.decidedAt === null ? null : Timestamp.toIso(deposit.decidedAt)
})

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const decided = {
  params: { id: field(idOf<HeldDepositId>(), "The deposit's id.", "dep_01j9zq5k2f8h3m6n7p0r4s") },
  payload: DepositDecision,
  success: enveloped(HeldDeposit),
  errors: ["DEPOSIT_NOT_FOUND", "CONFLICT"]
} as const

const deposits = endpoint.get("deposits", "/api/v1/admin/deposits", {
  ...facts("List held deposits", "Deposits that screening did not allow at once, newest first."),
  query: {
    status: Query.choice(heldDepositStates, "Only those in this state; `held` ones wait for the operator.", "held"),
    ...pageQuery
  },
  success: pageOf(Schema.Array(HeldDeposit).annotate({ description: "The deposits of the page, newest first." }))
})

const release = endpoint.post("release", "/api/v1/admin/deposits/:id/release", {
  ...facts("Release a held deposit", "Credits it to the wallet, once. The log keeps the reason and the evidence."),
  ...decided
})

const reject = endpoint.post("reject", "/api/v1/admin/deposits/:id/reject", {
  ...facts(
    "Reject a held deposit",
    "It is never credited: its money stays in the ledger's account `unattributed`. The log keeps the reason and the evidence."
  ),
  ...decided
})

/** The operator's routes for deposits that are held (SCREENING-6). */
export const AdminDepositsGroup = HttpApiGroup.make("adminDeposits")
  .add(deposits, release, reject)
  .annotateMerge(OpenApi.annotations({ title: "Operator: held deposits", description: "With the operator's token." }))
