import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { AdminListing } from "../listings/ListingSchemas.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import {
  ApproveInput,
  ClockInput,
  ClockTime,
  FeatureInput,
  LedgerAudit,
  RejectInput,
  SuspendListingInput,
  SimulatedDeposit,
  SimulatedDepositInput
} from "./AdminSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The listing's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }
const moved = {
  params,
  success: enveloped(AdminListing),
  errors: ["LISTING_NOT_FOUND", "CONFLICT"]
} as const

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const listings = endpoint.get("listings", "/api/v1/admin/listings", {
  ...facts("List listings of any state", "All listings that are not deleted, oldest first: the queue for review."),
  query: {
    status: Query.choice(
      ["pending_review", "approved", "rejected", "suspended"],
      "Only those in this state.",
      "pending_review"
    ),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminListing).annotate({ description: "The listings of the page, oldest first." }))
})

const approve = endpoint.post("approve", "/api/v1/admin/listings/:id/approve", {
  ...facts("Approve a listing", "From `pending_review` or `suspended`; emits `listing.approved` the first time."),
  ...moved,
  payload: [ApproveInput, HttpApiSchema.NoContent]
})

const reject = endpoint.post("reject", "/api/v1/admin/listings/:id/reject", {
  ...facts("Reject a listing", "From `pending_review`; emits `listing.rejected`."),
  ...moved,
  payload: RejectInput
})

const suspend = endpoint.post("suspend", "/api/v1/admin/listings/:id/suspend", {
  ...facts("Suspend a listing", "From `approved`; it is neither listed nor sold until it is approved again."),
  ...moved,
  payload: [SuspendListingInput, HttpApiSchema.NoContent]
})

const feature = endpoint.post("feature", "/api/v1/admin/listings/:id/feature", {
  ...facts("Feature a listing", "Or stop featuring it."),
  ...moved,
  payload: FeatureInput
})

const audit = endpoint.get("audit", "/api/v1/admin/ledger/audit", {
  ...facts("Audit the ledger", "Recomputes every balance from the entries."),
  query: {
    since: Query.choice(
      ["checkpoint"],
      "Reads only the entries since the last balanced audit with this parameter; if the result is balanced, it is the next checkpoint. Without it, every entry is read, and compared with the checkpoints.",
      "checkpoint"
    )
  },
  success: enveloped(LedgerAudit)
})

const simulateDeposit = endpoint.post("simulateDeposit", "/api/v1/admin/simulated-chain/deposits", {
  ...facts(
    "Deposit on the simulated chain",
    "The transfer is in the next block and final after two more. NOT_FOUND on any other chain."
  ),
  payload: SimulatedDepositInput,
  success: enveloped(SimulatedDeposit).pipe(HttpApiSchema.status(201)),
  errors: ["NOT_FOUND"]
})

const advanceClock = endpoint.post("advanceClock", "/api/v1/admin/clock", {
  ...facts(
    "Move the market's time forward",
    "For every process that uses the database. NOT_FOUND unless `TEST_CLOCK=true`."
  ),
  payload: ClockInput,
  success: enveloped(ClockTime),
  errors: ["NOT_FOUND"]
})

/** The operator's routes (OPERATOR-1). */
export const AdminGroup = HttpApiGroup.make("admin")
  .add(listings, approve, reject, suspend, feature, audit, simulateDeposit, advanceClock)
  .annotateMerge(OpenApi.annotations({ title: "Operator", description: "With the operator's token." }))
