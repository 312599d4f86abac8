import { toActivated, toActivation } from "@agent-marketplace/api/licenses/LicensesGroup"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Licenses } from "@agent-marketplace/core/licenses/Licenses"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** License proofs and activations over HTTP (PROOF-1, ACTIVATION-1). */
export const LicensesHandlers = handlerGroup(
  ServedApi,
  "licenses",
  Effect.fnUntraced(function* (handlers) {
    const licenses = yield* Licenses
    return handlers.handleAll({
      proof: ({ params }) =>
        forCaller.one(
          (proof: string) => ({ proof }),
          (caller) => licenses.proof(caller, params.id)
        ),
      activations: ({ params, query }) =>
        forCaller.page(query, toActivation, (caller, page) => licenses.activations(caller, params.id, page)),
      activate: ({ payload: { label = null, ...request } }) =>
        Effect.map(licenses.activate({ ...request, label }), (activated) => toEnvelope(toActivated(activated))),
      deactivate: ({ payload: { licenseKey, machine } }) =>
        Effect.map(licenses.deactivate(licenseKey, machine), toEnvelope)
    })
  })
)
