import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
import { AdminListing } from "../listings/ListingSchemas.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import {
  ClockInput,
  ClockTime,
  FeatureInput,
  LedgerAudit,
  RejectInput,
  SimulatedDeposit,
  SimulatedDepositInput
} from "./AdminSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The listing's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }
const moved = {
  params,
  success: enveloped(AdminListing),
  error: failures.admin("LISTING_NOT_FOUND", "CONFLICT")
} as const

const facts = (summary: string, description: string) => operation({ summary, description, access: access.admin })

const listings = HttpApiEndpoint.get("listings", "/api/v1/admin/listings", {
  query: {
    status: Query.choice(["pending_review", "approved", "rejected", "suspended"], {
      description: "Only those in this state.",
      example: "pending_review"
    }),
    ...pageQuery
  },
  success: pageOf(Schema.Array(AdminListing).annotate({ description: "The listings of the page, oldest first." })),
  error: failures.admin()
}).annotateMerge(
  facts("List listings of any state", "All listings that are not deleted, oldest first: the queue for review.")
)

const approve = HttpApiEndpoint.post("approve", "/api/v1/admin/listings/:id/approve", moved).annotateMerge(
  facts("Approve a listing", "From `pending_review` or `suspended`; emits `listing.approved` the first time.")
)

const reject = HttpApiEndpoint.post("reject", "/api/v1/admin/listings/:id/reject", {
  ...moved,
  payload: RejectInput
}).annotateMerge(facts("Reject a listing", "From `pending_review`; emits `listing.rejected`."))

const suspend = HttpApiEndpoint.post("suspend", "/api/v1/admin/listings/:id/suspend", moved).annotateMerge(
  facts("Suspend a listing", "From `approved`; it is neither listed nor sold until it is approved again.")
)

const feature = HttpApiEndpoint.post("feature", "/api/v1/admin/listings/:id/feature", {
  ...moved,
  payload: FeatureInput
}).annotateMerge(facts("Feature a listing", "Or stop featuring it."))

const audit = HttpApiEndpoint.get("audit", "/api/v1/admin/ledger/audit", {
  success: enveloped(LedgerAudit),
  error: failures.admin()
}).annotateMerge(facts("Audit the ledger", "Recomputes every balance from the entries."))

const simulateDeposit = HttpApiEndpoint.post("simulateDeposit", "/api/v1/admin/simulated-chain/deposits", {
  payload: SimulatedDepositInput,
  success: enveloped(SimulatedDeposit).pipe(HttpApiSchema.status(201)),
  error: failures.admin("NOT_FOUND")
}).annotateMerge(
  facts(
    "Deposit on the simulated chain",
    "The transfer is in the next block and final after two more. NOT_FOUND on any other chain."
  )
)

const advanceClock = HttpApiEndpoint.post("advanceClock", "/api/v1/admin/clock", {
  payload: ClockInput,
  success: enveloped(ClockTime),
  error: failures.admin("NOT_FOUND")
}).annotateMerge(
  facts(
    "Move the market's time forward",
    "For every process that uses the database. NOT_FOUND unless `TEST_CLOCK=true`."
  )
)

/** The operator's routes (OPERATOR-1). */
export const AdminGroup = HttpApiGroup.make("admin")
  .add(listings, approve, reject, suspend, feature, audit, simulateDeposit, advanceClock)
  .annotateMerge(OpenApi.annotations({ title: "Operator", description: "With the operator's token." }))
