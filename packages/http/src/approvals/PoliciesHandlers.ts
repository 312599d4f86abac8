import { toBudget, toPolicy } from "@agent-marketplace/api/approvals/PolicySchemas"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { ServedApi } from "../ServedApi.ts"

/** Spending policies over HTTP (POLICY-3, POLICY-4). */
export const PoliciesHandlers = HttpApiBuilder.group(
  ServedApi,
  "policies",
  Effect.fnUntraced(function* (handlers) {
    const approvals = yield* Approvals
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return toEnvelope(toPolicy(yield* approvals.policy(yield* currentCaller)))
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toPolicy(yield* approvals.setPolicy(yield* currentCaller, payload)))
      }),
      getForAgent: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toPolicy(yield* approvals.agentPolicy(yield* currentCaller, params.id)))
      }),
      setForAgent: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toPolicy(yield* approvals.setAgentPolicy(yield* currentCaller, params.id, payload)))
      }),
      change: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toPolicy(yield* approvals.changePolicy(yield* currentCaller, payload)))
      }),
      changeForAgent: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toPolicy(yield* approvals.changeAgentPolicy(yield* currentCaller, params.id, payload)))
      }),
      budget: Effect.fnUntraced(function* () {
        return toEnvelope(toBudget(yield* approvals.budget(yield* currentCaller)))
      }),
      agentBudget: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toBudget(yield* approvals.agentBudget(yield* currentCaller, params.id)))
      })
    })
  })
)
