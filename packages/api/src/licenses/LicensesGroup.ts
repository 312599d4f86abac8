import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { PurchaseId } from "@agent-marketplace/core/ids/Ids"
import type { Activation as CoreActivation } from "@agent-marketplace/core/licenses/Activation"
import type { Activated as CoreActivated } from "@agent-marketplace/core/licenses/Licenses"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { limits } from "../access/EndpointLimits.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { ActivationInput, DeactivationInput } from "./LicenseInputs.ts"

const params = { id: field(idOf<PurchaseId>(), "The purchase's id.", "pur_01j9zq5k2f8h3m6n7p0r4s") }

const proof = ResponseField.text(
  "A compact JWS (EdDSA) whose key is one of the market's public keys.",
  "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJwdXJfMDFqOXpxNWsyZjhoM202bjdwMHI0cyJ9.c2lnbmF0dXJl"
)

/** A license proof (PROOF-1). */
const LicenseProof = Schema.Struct({ proof }).annotate({
  identifier: "LicenseProof",
  description: "A proof of a license that programs check without the market."
})

const purchaseId = ResponseField.text("The purchase of the license.", "pur_01j9zq5k2f8h3m6n7p0r4s")

const machineFields = {
  machine: ResponseField.text("What tells the machine from others.", "9f86d081884c7d659a2feaa0c55ad015"),
  label: ResponseField.textOrNull("Its name in the holder's list of machines.", "Laptop"),
  activatedAt: ResponseField.time("When it was activated.")
}

/** A machine on which a license is used (ACTIVATION-7). */
const Activation = Schema.Struct(machineFields).annotate({
  identifier: "Activation",
  description: "A machine on which a license is used."
})

/** A machine on which the account uses one of its licenses (ACCOUNT-6). */
export const ExportedActivation = Schema.Struct({ purchaseId, ...machineFields }).annotate({
  identifier: "ExportedActivation",
  description: "A machine on which one of the account's licenses is used."
})

/** The result of an activation (ACTIVATION-1). */
const Activated = Schema.Struct({
  purchaseId,
  skillId: ResponseField.text("The item that the license is for.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  ...machineFields,
  proof
}).annotate({ identifier: "Activated", description: "A machine that is activated, with a proof for it alone." })

const Deactivated = Schema.Struct({
  purchaseId,
  machine: ResponseField.text("The machine of the request.", "9f86d081884c7d659a2feaa0c55ad015"),
  deactivated: ResponseField.flag("False if the machine was not active.", true)
}).annotate({ identifier: "Deactivated", description: "A machine that is not active." })

export const toActivation = ({ activatedAt, label, machine }: CoreActivation): typeof Activation.Type => ({
  machine,
  label,
  activatedAt: Timestamp.toIso(activatedAt)
})

export const toExportedActivation = (activation: CoreActivation): typeof ExportedActivation.Type => ({
  purchaseId: activation.purchaseId,
  ...toActivation(activation)
})

export const toActivated = ({ activation, proof: signed, purchase }: CoreActivated): typeof Activated.Type => ({
  purchaseId: purchase.id,
  skillId: purchase.item.id,
  ...toActivation(activation),
  proof: signed
})

/** License proofs and activations (PROOF-1, ACTIVATION-1, ACTIVATION-6, ACTIVATION-7). */
export const LicensesGroup = HttpApiGroup.make("licenses")
  .add(
    endpoint.get("proof", "/api/v1/purchases/:id/proof", {
      summary: "Get a proof of a license",
      description:
        "Signed by the market, for programs that check a license offline. It is valid for 7 days after a subscription's paid period, and for " +
        "a year otherwise; while the license is valid, a new one can be requested at any time.",
      access: access.any,
      params,
      success: enveloped(LicenseProof),
      errors: ["PURCHASE_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.get("activations", "/api/v1/purchases/:id/activations", {
      summary: "List the machines of a license",
      description: "For its buyer and its seller, newest first.",
      access: access.any,
      params,
      query: pageQuery,
      success: pageOf(Schema.Array(Activation).annotate({ description: "The machines of the page, newest first." })),
      errors: ["PURCHASE_NOT_FOUND"]
    }),
    endpoint.post("activate", "/api/v1/licenses/activate", {
      summary: "Activate a machine",
      description:
        "With the license key instead of an API key. The same machine again is the same activation. CONFLICT with the state " +
        "`activations_used` if the listing's `maxActivations` is reached; with `refunded` or `expired` if the license is not valid.",
      access: access.public,
      limit: limits.license,
      payload: ActivationInput,
      success: enveloped(Activated),
      errors: ["PURCHASE_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.post("deactivate", "/api/v1/licenses/deactivate", {
      summary: "Release a machine",
      description: "With the license key, from any machine: the holder also releases one that is gone.",
      access: access.public,
      limit: limits.license,
      payload: DeactivationInput,
      success: enveloped(Deactivated),
      errors: ["PURCHASE_NOT_FOUND"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Licenses", description: "Proofs of licenses, and activations." }))
