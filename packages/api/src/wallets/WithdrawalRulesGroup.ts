import type { AddressId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { failures } from "../errors/Failures.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { SavedAddress, SavedAddressInput, WithdrawalRules, WithdrawalRulesPatch } from "./WithdrawalRulesSchemas.ts"

const addresses = HttpApiEndpoint.get("addresses", "/api/v1/wallet/addresses", {
  query: pageQuery,
  success: pageOf(Schema.Array(SavedAddress).annotate({ description: "The addresses of the page, newest first." })),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "List the address book",
    description: "The addresses that the owner withdraws to, newest first.",
    access: access.ownerRead
  })
)

const saveAddress = HttpApiEndpoint.post("saveAddress", "/api/v1/wallet/addresses", {
  payload: SavedAddressInput,
  success: enveloped(SavedAddress).pipe(HttpApiSchema.status(201)),
  error: failures.keyedBody("CONFLICT")
}).annotateMerge(
  operation({
    summary: "Save an address",
    description: "At most 100 addresses. CONFLICT if the address is already saved.",
    access: access.owner
  })
)

const removeAddress = HttpApiEndpoint.delete("removeAddress", "/api/v1/wallet/addresses/:id", {
  params: { id: field(idOf<AddressId>(), "The entry's id.", "adr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(Deleted),
  error: failures.keyedWrite("ADDRESS_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Remove an address",
    description: "If it is saved again later, it counts as new.",
    access: access.owner,
    servesFrozen: true
  })
)

const rules = HttpApiEndpoint.get("rules", "/api/v1/wallet/withdrawal-rules", {
  success: enveloped(WithdrawalRules),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "Read the withdrawal rules",
    description: "The rules in effect, and those that are pending.",
    access: access.ownerRead
  })
)

const changeRules = HttpApiEndpoint.patch("changeRules", "/api/v1/wallet/withdrawal-rules", {
  payload: WithdrawalRulesPatch,
  success: enveloped(WithdrawalRules),
  error: failures.keyedBody()
}).annotateMerge(
  operation({
    summary: "Change the withdrawal rules",
    description:
      "Absent rules keep their values. A tighter value takes effect immediately and drops pending changes. A looser value takes effect " +
      "after 24 hours, together with pending changes; each request for a looser value restarts the 24 hours.",
    access: access.owner,
    servesFrozen: true
  })
)

/** Routes for address books and rules for withdrawals (WITHDRAWAL-15, WITHDRAWAL-16). */
export const WithdrawalRulesGroup = HttpApiGroup.make("withdrawalRules")
  .annotate(ControlOperation, true)
  .add(addresses, saveAddress, removeAddress, rules, changeRules)
  .annotateMerge(
    OpenApi.annotations({ title: "Withdrawal rules", description: "Where the owner withdraws to, and how much." })
  )
