import type { AddressId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { SavedAddress, SavedAddressInput, WithdrawalRules, WithdrawalRulesPatch } from "./WithdrawalRulesSchemas.ts"

const addresses = endpoint.get("addresses", "/api/v1/wallet/addresses", {
  summary: "List the address book",
  description: "The addresses that the owner withdraws to, newest first.",
  access: access.ownerRead,
  query: pageQuery,
  success: pageOf(Schema.Array(SavedAddress).annotate({ description: "The addresses of the page, newest first." }))
})

const saveAddress = endpoint.post("saveAddress", "/api/v1/wallet/addresses", {
  summary: "Save an address",
  description: "At most 100 addresses. CONFLICT if the address is already saved.",
  access: access.owner,
  stepUp: true,
  payload: SavedAddressInput,
  success: enveloped(SavedAddress).pipe(HttpApiSchema.status(201)),
  errors: ["CONFLICT"]
})

const removeAddress = endpoint.delete("removeAddress", "/api/v1/wallet/addresses/:id", {
  summary: "Remove an address",
  description: "If it is saved again later, it counts as new.",
  access: access.owner,
  servesFrozen: true,
  params: { id: field(idOf<AddressId>(), "The entry's id.", "adr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(Deleted),
  errors: ["ADDRESS_NOT_FOUND", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
})

const rules = endpoint.get("rules", "/api/v1/wallet/withdrawal-rules", {
  summary: "Read the withdrawal rules",
  description: "The rules in effect, and those that are pending.",
  access: access.ownerRead,
  success: enveloped(WithdrawalRules)
})

const changeRules = endpoint.patch("changeRules", "/api/v1/wallet/withdrawal-rules", {
  summary: "Change the withdrawal rules",
  description:
    "Absent rules keep their values. A tighter value takes effect immediately and drops pending changes. A looser value takes effect " +
    "after 24 hours, together with pending changes; each request for a looser value restarts the 24 hours.",
  access: access.owner,
  stepUp: true,
  servesFrozen: true,
  payload: WithdrawalRulesPatch,
  success: enveloped(WithdrawalRules)
})

/** Routes for address books and rules for withdrawals (WITHDRAWAL-15, WITHDRAWAL-16). */
export const WithdrawalRulesGroup = HttpApiGroup.make("withdrawalRules")
  .annotate(ControlOperation, true)
  .add(addresses, saveAddress, removeAddress, rules, changeRules)
  .annotateMerge(
    OpenApi.annotations({ title: "Withdrawal rules", description: "Where the owner withdraws to, and how much." })
  )
